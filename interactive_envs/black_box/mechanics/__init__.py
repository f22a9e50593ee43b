"""Mechanical systems."""
