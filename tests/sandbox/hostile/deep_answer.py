"""Answers with lists within lists."""
# ends: not JSON


def attack(world):
    value = []
    for _ in range(500):
        value = [value]
    return value
