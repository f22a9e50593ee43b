"""Probes, which change what a player is told, and Gymnasium wrappers, which change how it is told."""
