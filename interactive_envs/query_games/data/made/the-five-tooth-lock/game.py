from itertools import combinations


def states(level):
    return [list(c) for c in combinations(range(1, level["n"] + 1), level["k"])]


def arguments(query, level):
    if query == "dial":
        return [[x] for x in range(1, level["n"] + 1)]
    return [[x] for x in range(0, 5)]


def reply(query, argument, state, level):
    n = level["n"]
    x = argument[0]
    if query == "dial":
        return sum((p - x) % n for p in state) % 5
    product = 1
    for p in state:
        product *= p + x
    return product % 5


def answer(state, level):
    return list(state)


def show(state, level):
    return "the set is " + ", ".join(str(x) for x in state)
