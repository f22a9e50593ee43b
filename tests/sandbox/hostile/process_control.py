"""Undoes its death with the parent."""
# ends: forbidden
# gap: level 1: changes its own

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def attack(world):
    if libc.prctl(1, 0, 0, 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "prctl")
