"""Fails with a very long text that imitates a terminal."""
# ends: exception


def attack(world):
    raise ValueError("\x1b[2J\r\n" + "x" * 10**6)
