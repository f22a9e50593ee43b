"""Evaluation: runs, records, metrics, reports, replay and validation."""
