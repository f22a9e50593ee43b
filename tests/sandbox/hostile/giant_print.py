"""Prints without end."""
# ends: value, timeout
# value: 1

import sys


def attack(world):
    for _ in range(100):
        print("x" * 100_000)
        print("x" * 100_000, file=sys.stderr)
    return 1
