"""Forks by system calls."""
# ends: processes

import ctypes
import os

libc = ctypes.CDLL(None, use_errno=True)


def attack(world):
    for number in (56, 57, 58):
        if libc.syscall(number, 17, 0, 0, 0, 0) == 0:
            os._exit(0)
    raise OSError(ctypes.get_errno(), "clone")
