"""Opponents with a strategy."""
