"""Lowers the limits of its parent."""
# ends: forbidden
# gap: level 1 as a user: lowers what its user may

import resource


def attack(world):
    resource.prlimit(world["pid"], resource.RLIMIT_NOFILE, (0, 0))
