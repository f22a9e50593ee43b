"""Probes of query games."""
