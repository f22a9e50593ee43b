"""Makes memory for machine code."""
# ends: forbidden
# gap: level 1: may write machine code

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p


def attack(world):
    if libc.mmap(None, ctypes.c_size_t(4096), 7, 0x22, -1, ctypes.c_long(0)) == 2**64 - 1:
        raise OSError(ctypes.get_errno(), "mmap")
