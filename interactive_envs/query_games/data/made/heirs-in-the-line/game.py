from itertools import combinations


def states(level):
    return [list(c) for c in combinations(range(1, level["n"] + 1), level["k"])]


def arguments(query, level):
    n = level["n"]
    if query == "between":
        return [[a, b] for a in range(1, n + 1) for b in range(a + 1, n + 1)]
    return [[x] for x in range(1, level["h"] + 1)]


def forebears(x):
    found = []
    while x >= 1:
        found.append(x)
        x //= 2
    return found


def closest(a, b):
    return max(set(forebears(a)) & set(forebears(b)))


def line(a, b):
    top = closest(a, b)
    return [x for x in forebears(a) if x >= top] + [x for x in forebears(b) if x > top]


def reply(query, argument, state, level):
    if query == "between":
        a, b = argument
        found = [x for x in line(a, b) if x in state]
        return max(found) if found else None
    x = argument[0]
    return sum(1 for a, b in combinations(state, 2) if closest(a, b) == x)


def answer(state, level):
    return list(state)


def show(state, level):
    return "the set is " + ", ".join(str(x) for x in state)


def weight(state, level):
    return 2 ** sum(1 for x in state if x > 1 and x // 2 in state)
