"""Opens its own memory."""
# ends: forbidden


def attack(world):
    open("/proc/self/mem", "r+b").close()
