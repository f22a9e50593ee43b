"""Answers with what is no number."""
# ends: not JSON


def attack(world):
    return float("inf")
