"""Looks for secrets in the frames of its caller."""
# ends: value
# value: []

import sys


def attack(world):
    frame, found = sys._getframe(), []
    while frame:
        found += [name for name in frame.f_globals if "IBENCH_SECRET" in repr(frame.f_globals[name])[:9999]]
        frame = frame.f_back
    return [name for name in found if name not in ("untrusted",)]
