"""Makes a file that lives in memory."""
# ends: forbidden

import os


def attack(world):
    os.memfd_create("hidden")
