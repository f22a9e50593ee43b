"""Ignores every signal it can and never ends."""
# ends: timeout

import signal


def attack(world):
    for number in (signal.SIGXCPU, signal.SIGTERM, signal.SIGALRM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
