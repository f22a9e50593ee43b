"""Calls itself without end."""
# ends: exception


def attack(world):
    return attack(world)
