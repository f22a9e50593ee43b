"""Spawns a shell."""
# ends: processes, forbidden, exception

import os


def attack(world):
    return os.posix_spawn("/bin/sh", ["sh", "-c", "touch " + world["folder"] + "/spawned"], {})
