"""Tournaments: players meet one another."""
