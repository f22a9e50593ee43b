from itertools import combinations, permutations

LETTERS = "ABCDEFGHIJKLMNOP"


def nodes(level):
    return list(LETTERS[:level["n"]])


def states(level):
    n = level["n"]
    g = level["g"]
    result = []
    for order in permutations(nodes(level)):
        for i in range(n):
            for j in range(i + g, n):
                result.append(["".join(order), i, j])
    return result


def arguments(query, level):
    names = nodes(level)
    if query == "gap":
        return [list(pair) for pair in combinations(names, 2)]
    return [[x] for x in names]


def beats(state, u, v):
    order, i, j = state
    pu = order.index(u)
    pv = order.index(v)
    if pu == i and pv == j:
        return False
    if pu == j and pv == i:
        return True
    return pu < pv


def reply(query, argument, state, level):
    names = nodes(level)
    if query == "gap":
        u, v = argument
        return sum(1 for x in names
                   if x != u and x != v and beats(state, x, u) != beats(state, x, v))
    u = argument[0]
    if query == "circles":
        others = [x for x in names if x != u]
        count = 0
        for x, y in combinations(others, 2):
            if beats(state, u, x) == beats(state, x, y) == beats(state, y, u):
                count += 1
        return count
    for x in names:
        if x != u and beats(state, x, u):
            return x
    return None


def answer(state, level):
    return list(state[0])


def show(state, level):
    order, i, j = state
    return ("the ranking from first to last is " + ", ".join(order)
            + "; in the upset " + order[j] + " has beaten " + order[i])
