"""Starts threads without end."""
# ends: processes

import threading
import time


def attack(world):
    while True:
        threading.Thread(target=time.sleep, args=(99,)).start()
