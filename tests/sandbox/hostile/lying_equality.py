"""Answers with a text that claims to be another."""
# ends: value, not JSON
# value: "wrong"


class Liar(str):
    def __eq__(self, other):
        return True

    __hash__ = str.__hash__


def attack(world):
    return Liar("wrong")
