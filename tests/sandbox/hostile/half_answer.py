"""Announces an answer and never sends it."""
# ends: timeout

import os
import time


def attack(world):
    os.write(4, b"\0\0\x01\0{")
    time.sleep(10**6)
