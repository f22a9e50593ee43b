"""Makes an empty file without opening it."""
# ends: forbidden, exception
# gap: level 1 as a user: makes it

import os


def attack(world):
    os.mknod(world["folder"] + "/node")
