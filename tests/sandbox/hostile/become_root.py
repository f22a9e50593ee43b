"""Becomes root again."""
# ends: forbidden

import os


def attack(world):
    os.setuid(0)
