from itertools import combinations


def states(level):
    return [list(c) for c in combinations(range(1, level["n"] + 1), level["k"])]


def arguments(query, level):
    n = level["n"]
    if query == "trip":
        return [[a, b] for a in range(1, n + 1) for b in range(1, n + 1) if a != b]
    return [[a, b] for a in range(1, n + 1) for b in range(a + 1, n + 1)]


def move(x, springs, n):
    x += 2 if x in springs else 1
    return x - n if x > n else x


def reply(query, argument, state, level):
    n = level["n"]
    springs = set(state)
    a, b = argument
    if query == "trip":
        for moves in range(1, n + 1):
            a = move(a, springs, n)
            if a == b:
                return moves
        return None
    for moves in range(1, n + 1):
        a = move(a, springs, n)
        b = move(b, springs, n)
        if a == b:
            return moves
    return None


def answer(state, level):
    return list(state)


def show(state, level):
    return "the set of springs is " + ", ".join(str(x) for x in state)
