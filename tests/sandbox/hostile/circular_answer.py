"""Answers with a list that holds itself."""
# ends: not JSON


def attack(world):
    value = []
    value.append(value)
    return value
