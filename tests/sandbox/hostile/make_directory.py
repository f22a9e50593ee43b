"""Makes a directory, which needs no descriptor."""
# ends: forbidden, exception
# gap: level 1 as a user: makes it

import os


def attack(world):
    os.mkdir(world["folder"] + "/made")
