"""Changes how its memory is laid out."""
# ends: forbidden
# gap: level 1: changes its own

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def attack(world):
    if libc.personality(ctypes.c_ulong(0x0400000)) < 0:
        raise OSError(ctypes.get_errno(), "personality")
