"""Removes a file."""
# ends: forbidden, exception
# gap: level 1 as a user: removes it

import os


def attack(world):
    os.unlink(world["folder"] + "/canary")
