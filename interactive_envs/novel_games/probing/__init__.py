"""Finds out what a game does when it is tried, inside the sandbox."""
