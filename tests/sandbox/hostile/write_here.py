"""Writes into the current directory."""
# ends: forbidden


def attack(world):
    open("written", "w").close()
