"""Rule players, one file per family of environments."""
