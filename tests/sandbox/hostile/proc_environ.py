"""Reads the environment of its parents."""
# ends: forbidden


def attack(world):
    return open(f"/proc/{world['pid']}/environ").read()
