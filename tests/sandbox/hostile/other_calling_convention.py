"""Calls the kernel by the numbers of x32."""
# ends: forbidden, exception, value
# value: -1

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def attack(world):
    return libc.syscall(ctypes.c_long(0x40000000 | 39))
