from itertools import permutations


def states(level):
    n, b = level["n"], level["b"]
    out = []
    for spots in permutations(range(n), b):
        shelf = [0] * n
        for i, spot in enumerate(spots):
            shelf[spot] = i + 1
        out.append(shelf)
    return out


def arguments(query, level):
    n = level["n"]
    return [[a, b, d] for a in range(1, n + 1) for b in range(a, n + 1) for d in (2, 3, 4)]


def reply(query, argument, state, level):
    a, b, d = argument
    gaps = 0
    worth = 0
    for i in range(a - 1, b):
        if state[i] == 0:
            gaps += 1
        else:
            worth += state[i] * (gaps + 1)
    return worth % d


def answer(state, level):
    return list(state)


def show(state, level):
    return "the sequence is " + ", ".join(str(v) for v in state)
