"""Never ends."""
# ends: timeout


def attack(world):
    while True:
        pass
