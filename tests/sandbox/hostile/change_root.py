"""Changes its root directory."""
# ends: forbidden, exception

import os


def attack(world):
    os.chroot("..")
