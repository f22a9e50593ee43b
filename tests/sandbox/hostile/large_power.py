"""Computes a number that no machine holds."""
# ends: memory, timeout


def attack(world):
    return 10**10**9 % 7
