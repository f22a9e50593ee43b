"""Wrappers that change what a player sees or how it acts."""
