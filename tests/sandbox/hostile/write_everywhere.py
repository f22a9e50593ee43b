"""Writes into every descriptor."""
# ends: forged answer, output too large

import os


def attack(world):
    for number in range(1024):
        try:
            os.write(number, b"\xff\xff\xff\xff" * 10)
        except OSError:
            pass
    os._exit(0)
