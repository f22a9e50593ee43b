"""Numeric twins of black boxes: queries, facts and answers as rows of small numbers."""
