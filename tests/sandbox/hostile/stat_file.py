"""Asks whether a file is there."""
# ends: forbidden, exception
# gap: level 1 as a user: sees it

import os


def attack(world):
    return os.stat(world["folder"] + "/canary").st_size
