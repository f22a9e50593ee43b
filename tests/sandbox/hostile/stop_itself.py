"""Stops itself."""
# ends: forbidden, timeout

import os
import signal


def attack(world):
    os.kill(os.getpid(), signal.SIGSTOP)
