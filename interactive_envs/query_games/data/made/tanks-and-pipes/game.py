from itertools import combinations

LETTERS = "ABCDEFGHIJKLMNOP"


def shares(total, count):
    if count == 1:
        return [[total]]
    result = []
    for first in range(1, total - count + 2):
        for rest in shares(total - first, count - 1):
            result.append([first] + rest)
    return result


def states(level):
    n = level["n"]
    names = LETTERS[:n]
    pairs = [a + "-" + b for a, b in combinations(names, 2)]
    water = shares(level["w"], n)
    result = []
    for edges in combinations(pairs, level["m"]):
        for litres in water:
            result.append([list(edges), list(litres)])
    return result


def arguments(query, level):
    names = list(LETTERS[:level["n"]])
    if query == "gauge":
        return [[x] for x in names]
    return [list(pair) for pair in combinations(names, 2)]


def degree(state, u):
    return sum(1 for edge in state[0] if u in edge.split("-"))


def litres(state, u):
    return state[1][LETTERS.index(u)]


def reply(query, argument, state, level):
    u = argument[0]
    if query == "gauge":
        return litres(state, u) + degree(state, u)
    v = argument[1]
    if min(u, v) + "-" + max(u, v) in state[0]:
        return 0
    return litres(state, u) + litres(state, v)


def answer(state, level):
    return [litres(state, u) * degree(state, u) for u in LETTERS[:level["n"]]]


def show(state, level):
    return ("the edges are " + ", ".join(state[0]) + "; the litres are "
            + ", ".join(LETTERS[i] + ": " + str(x) for i, x in enumerate(state[1])))
