from itertools import permutations


def states(level):
    return [list(s) for s in permutations(range(level["m"]), level["k"])]


def arguments(query, level):
    m = level["m"]
    return [[a, d] for a in range(m) for d in range(m)]


def reply(query, argument, state, level):
    m = level["m"]
    a, d = argument
    marks = 0
    for i, v in enumerate(state):
        shown = (a + d * i) % m
        difference = (shown - v) % m
        if difference == 0:
            marks += 2
        elif difference == 1 or difference == m - 1:
            marks += 1
    return marks


def answer(state, level):
    return list(state)


def show(state, level):
    return "the sequence is " + ", ".join(str(v) for v in state)
