"""Imports what the sandbox does not offer, from where it is."""
# ends: exception

import sys

sys.path[:] = [*sys.path, "/usr/lib/python3/dist-packages", "/tmp"]


def attack(world):
    sys.path.append(world["site"])
    import numpy

    return numpy.__version__
