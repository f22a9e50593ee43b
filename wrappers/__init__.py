"""Probes, which change what a player observes, and Gymnasium wrappers, which change how it is written."""
