"""Loads a program into the kernel."""
# ends: forbidden, exception

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def attack(world):
    if libc.syscall(321, 0, ctypes.create_string_buffer(b"\x02\0\0\0\x04\0\0\0\x04\0\0\0\x01", 72), 72) < 0:
        raise OSError(ctypes.get_errno(), "bpf")
