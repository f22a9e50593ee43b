"""Kills everything it may."""
# ends: forbidden, exception
# gap: level 1: kills the processes of its user

import os


def attack(world):
    os.kill(-1, 9)
