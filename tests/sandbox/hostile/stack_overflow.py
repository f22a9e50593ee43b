"""Calls itself without end and without Python's limit."""
# ends: died, exception, memory, timeout

import sys

sys.setrecursionlimit(10**9)


class Deep:
    def __repr__(self):
        return repr([self])


def attack(world):
    return repr(Deep())
