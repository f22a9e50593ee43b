"""Ends with a core dump."""
# ends: died

import os


def attack(world):
    os.abort()
