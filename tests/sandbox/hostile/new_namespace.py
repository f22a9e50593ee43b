"""Makes itself root of a namespace."""
# ends: forbidden
# gap: level 1: gets one, empty of rights outside

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def attack(world):
    if libc.unshare(0x10000000 | 0x00020000) < 0:
        raise OSError(ctypes.get_errno(), "unshare")
