"""Renames a file."""
# ends: forbidden, exception
# gap: level 1 as a user: renames it

import os


def attack(world):
    os.rename(world["folder"] + "/canary", world["folder"] + "/renamed")
