"""Runs a shell through the C library."""
# ends: value, processes
# value: []

import os


def attack(world):
    os.system("touch " + world["folder"] + "/shell")
    return []
