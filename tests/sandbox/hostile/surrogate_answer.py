"""Answers with a text that cannot be stored."""
# ends: not JSON


def attack(world):
    return "\ud800"
