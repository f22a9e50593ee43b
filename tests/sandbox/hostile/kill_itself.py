"""Kills itself."""
# ends: forbidden, died

import os


def attack(world):
    os.kill(os.getpid(), 9)
