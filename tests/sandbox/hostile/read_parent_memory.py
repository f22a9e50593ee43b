"""Reads its parent's memory."""
# ends: forbidden, exception
# gap: level 1 as a user: reads what its user may

import ctypes

libc = ctypes.CDLL(None, use_errno=True)


class Part(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


def attack(world):
    buffer = ctypes.create_string_buffer(8)
    mine, other = Part(ctypes.addressof(buffer), 8), Part(ctypes.addressof(buffer), 8)
    if libc.process_vm_readv(world["pid"], ctypes.byref(mine), 1, ctypes.byref(other), 1, 0) < 0:
        number = ctypes.get_errno()
        raise OSError(number, "process_vm_readv")
