"""Changes the mode of a file."""
# ends: forbidden, exception
# gap: level 1 as a user: changes it

import os


def attack(world):
    os.chmod(world["folder"] + "/canary", 0o600)
