from itertools import combinations


def states(level):
    return [list(c) for c in combinations(range(1, level["n"] + 1), level["k"])]


def arguments(query, level):
    n = level["n"]
    return [[a, b] for a in range(1, n + 1) for b in range(a + 1, n + 1)]


def reply(query, argument, state, level):
    members = set(state)
    a, b = argument
    best = 0
    run = 0
    while a < b:
        same = (a in members) == (b in members)
        if same == (query == "alike"):
            run += 1
            best = max(best, run)
        else:
            run = 0
        a += 1
        b -= 1
    return best


def answer(state, level):
    return list(state)


def show(state, level):
    return "the set is " + ", ".join(str(x) for x in state)
