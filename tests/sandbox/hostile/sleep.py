"""Sleeps for ever."""
# ends: timeout

import time


def attack(world):
    time.sleep(10**6)
