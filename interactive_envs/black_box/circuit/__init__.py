"""Circuits of logic gates."""
