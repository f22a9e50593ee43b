"""Makes a link to a file of the system."""
# ends: forbidden, exception
# gap: level 1 as a user: makes it

import os


def attack(world):
    os.symlink("/etc/shadow", world["folder"] + "/link")
