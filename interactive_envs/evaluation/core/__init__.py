"""The suite ``core``: every family, one score, and players of known strength beside yours."""
