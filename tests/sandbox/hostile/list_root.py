"""Lists the root directory."""
# ends: forbidden

import os


def attack(world):
    return os.listdir("/")
