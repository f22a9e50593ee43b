"""The judge of situation puzzles without a model."""
