"""Accuracy corrected for the errors of judges."""
