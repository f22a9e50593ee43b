"""Claims that the sandbox could not lock it, to be counted as no play."""
# ends: output too large, forged answer

import os


def attack(world):
    os.write(4, b"Xcannot lock")
    os._exit(1)
