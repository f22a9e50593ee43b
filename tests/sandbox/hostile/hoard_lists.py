"""Fills memory with small lists."""
# ends: memory, timeout

hoard = []


def attack(world):
    while True:
        hoard.append([None] * 100)
