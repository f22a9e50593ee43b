"""Runs of players on environments."""
