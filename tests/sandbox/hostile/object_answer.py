"""Answers with an object."""
# ends: not JSON


def attack(world):
    return object()
