"""Target pages, made from designs, and where they come from."""
