"""Reads a file of the system."""
# ends: forbidden


def attack(world):
    with open("/etc/passwd") as file:
        return file.read()
