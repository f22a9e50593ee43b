"""Sets a timer to die before it is judged."""
# ends: forbidden, died

import signal
import time


def attack(world):
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(10**6)
