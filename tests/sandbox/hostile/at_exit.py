"""Leaves work for its end."""
# ends: value
# value: 7

import atexit
import os


def attack(world):
    atexit.register(os.mkdir, world["folder"] + "/atexit")
    return 7
