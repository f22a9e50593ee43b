"""Leaves a segment of System V memory behind."""
# ends: forbidden
# gap: level 1: the segment outlives the call

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def attack(world):
    if libc.shmget(0x1BE7C4, ctypes.c_size_t(4096), 0o1666) < 0:
        raise OSError(ctypes.get_errno(), "shmget")
