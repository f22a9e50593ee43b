"""Reaches the parent's descriptors through /proc."""
# ends: forbidden, exception

import os


def attack(world):
    return open(f"/proc/{world['pid']}/fd/0").read() or os.listdir("/proc/self/fd")
