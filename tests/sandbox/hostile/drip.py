"""Sends an answer a byte at a time."""
# ends: timeout

import os
import time


def attack(world):
    os.write(4, b"\0\0\x10\0")
    while True:
        os.write(4, b" ")
        time.sleep(0.01)
