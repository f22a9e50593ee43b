"""Sets up a ring that makes system calls in the kernel."""
# ends: forbidden, exception

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def attack(world):
    if libc.syscall(425, 4, ctypes.create_string_buffer(120)) < 0:
        raise OSError(ctypes.get_errno(), "io_uring_setup")
