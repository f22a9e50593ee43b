"""Doors to other people's tools, a folder each; their packages are extras, imported when they are used."""
