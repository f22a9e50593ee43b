"""Reads where nothing is."""
# ends: died

import ctypes


def attack(world):
    return ctypes.string_at(0)
