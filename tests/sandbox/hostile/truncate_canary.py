"""Empties a file by its path."""
# ends: forbidden, exception
# gap: level 1 as a user: empties it

import os


def attack(world):
    os.truncate(world["folder"] + "/canary", 0)
