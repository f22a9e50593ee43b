"""Leaves a key in the kernel."""
# ends: forbidden
# gap: level 1: the key outlives the call

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def attack(world):
    if libc.syscall(248, b"user", b"ibench", b"secret", 6, -4) < 0:
        raise OSError(ctypes.get_errno(), "add_key")
