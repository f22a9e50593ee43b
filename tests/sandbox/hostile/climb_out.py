"""Climbs out of the current directory."""
# ends: forbidden, exception
# gap: level 1 as a user: may go where its user may

import os


def attack(world):
    for _ in range(20):
        os.chdir("..")
    os.mkdir(world["folder"].lstrip("/") + "/climbed")
