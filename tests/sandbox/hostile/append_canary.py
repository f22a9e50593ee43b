"""Appends to a file that everybody may write."""
# ends: forbidden


def attack(world):
    with open(world["folder"] + "/canary", "a") as file:
        file.write("more")
