"""Situation puzzles: find the hidden explanation of an odd story by yes/no questions."""
