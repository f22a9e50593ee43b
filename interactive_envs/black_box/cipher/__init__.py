"""Ciphers: what a text becomes."""
