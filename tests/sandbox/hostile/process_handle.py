"""Opens a handle to its parent."""
# ends: forbidden

import os


def attack(world):
    os.pidfd_open(world["pid"])
