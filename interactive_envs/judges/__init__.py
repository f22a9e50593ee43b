"""Judges: who answers questions and grades finals against the hidden truth."""
