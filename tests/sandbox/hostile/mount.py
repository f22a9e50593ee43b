"""Mounts a folder over another."""
# ends: forbidden

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def attack(world):
    if libc.mount(b"/etc", world["folder"].encode(), None, ctypes.c_ulong(4096), None) < 0:
        raise OSError(ctypes.get_errno(), "mount")
