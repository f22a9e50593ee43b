"""Writes into a folder where everybody may."""
# ends: forbidden


def attack(world):
    with open(world["folder"] + "/written", "w") as file:
        file.write("here")
