"""Ends without a word."""
# ends: died

import os


def attack(world):
    os._exit(0)
