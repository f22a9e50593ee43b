"""Maps memory by system calls and touches it."""
# ends: memory, died, timeout

import ctypes

libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p


def attack(world):
    while True:
        place = libc.mmap(None, ctypes.c_size_t(1 << 24), 3, 0x21, -1, ctypes.c_long(0))
        if place in (None, 2**64 - 1):
            raise MemoryError
        ctypes.memset(place, 1, 1 << 24)
