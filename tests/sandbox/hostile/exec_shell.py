"""Becomes a shell."""
# ends: forbidden, exception, died

import os


def attack(world):
    os.execv("/bin/sh", ["sh", "-c", "touch " + world["folder"] + "/executed"])
