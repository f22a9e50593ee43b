"""Answers with too much."""
# ends: output too large


def attack(world):
    return "x" * (1 << 22)
