"""Kills its parents."""
# ends: forbidden, exception
# gap: level 1 as a user: kills what its user may

import os


def attack(world):
    os.kill(world["pid"], 9)
