"""Reads every descriptor it may have inherited."""
# ends: value
# value: []

import os


def attack(world):
    found = []
    for number in [0, 1, 2, *range(5, 1024)]:
        try:
            if os.read(number, 10):
                found.append(number)
        except OSError:
            pass
    return found
