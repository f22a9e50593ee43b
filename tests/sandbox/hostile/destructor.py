"""Works when it is destroyed."""
# ends: value
# value: 7

import time


class Late:
    def __del__(self):
        time.sleep(10**6)


late = Late()


def attack(world):
    return 7
