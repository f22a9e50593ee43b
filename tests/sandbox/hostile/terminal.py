"""Types into the terminal."""
# ends: forbidden, exception

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def attack(world):
    for number in range(5):
        if libc.ioctl(number, ctypes.c_ulong(0x5412), b"x") >= 0:
            return "typed"
    raise OSError(ctypes.get_errno(), "ioctl")
