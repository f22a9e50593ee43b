"""Closes every descriptor and lives on."""
# ends: died

import os
import time


def attack(world):
    os.closerange(0, 1024)
    for number in range(64):
        try:
            os.close(number)
        except OSError:
            pass
    time.sleep(10**6)
