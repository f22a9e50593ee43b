"""Writes an answer that is no text."""
# ends: not JSON

import os


def attack(world):
    os.write(4, b"\0\0\0\x04\xff\xfe{}")
    os._exit(0)
