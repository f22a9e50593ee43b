"""Raises its own limits."""
# ends: forbidden, exception

import resource


def attack(world):
    for what in (resource.RLIMIT_NOFILE, resource.RLIMIT_AS, resource.RLIMIT_NPROC, resource.RLIMIT_CPU):
        resource.setrlimit(what, (1 << 40, 1 << 40))
