"""Opens a performance counter."""
# ends: forbidden

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


def attack(world):
    if libc.syscall(298, ctypes.create_string_buffer(b"\0" * 4 + b"\x70", 112), 0, -1, -1, 0) < 0:
        raise OSError(ctypes.get_errno(), "perf_event_open")
