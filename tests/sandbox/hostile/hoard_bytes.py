"""Fills memory with large arrays that it touches."""
# ends: memory, timeout

hoard = []


def attack(world):
    while True:
        hoard.append(bytearray(b"x") * (1 << 22))
