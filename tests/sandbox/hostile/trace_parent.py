"""Traces its parent."""
# ends: forbidden
# gap: level 1 as a user: traces what its user may

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def attack(world):
    if libc.ptrace(16, world["pid"], 0, 0) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")
