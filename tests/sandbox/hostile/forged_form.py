"""Writes an answer that is no object."""
# ends: forged answer

import os


def attack(world):
    os.write(4, b"\0\0\0\x02[]")
    os._exit(0)
