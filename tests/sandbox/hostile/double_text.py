"""Doubles a text until nothing is left."""
# ends: memory, timeout


def attack(world):
    text = "x"
    while True:
        text += text
