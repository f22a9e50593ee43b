from itertools import combinations

LETTERS = "ABCDEFGHIJKLMNOP"


def nodes(level):
    return list(LETTERS[:level["n"]])


def states(level):
    pairs = [a + "-" + b for a, b in combinations(nodes(level), 2)]
    return [list(edges) for edges in combinations(pairs, level["m"])]


def arguments(query, level):
    names = nodes(level)
    if query == "press":
        return [[names[i], names[j]] for i in range(len(names)) for j in range(i, len(names))]
    return [[x] for x in names]


def switched(state, u):
    lamps = {u}
    for edge in state:
        a, b = edge.split("-")
        if a == u:
            lamps.add(b)
        elif b == u:
            lamps.add(a)
    return lamps


def reply(query, argument, state, level):
    u = argument[0]
    lit = switched(state, u)
    if query == "last":
        return max(lit)
    v = argument[1]
    if v != u:
        lit = lit ^ switched(state, v)
    return len(lit)


def answer(state, level):
    return list(state)


def show(state, level):
    return "the edges are " + ", ".join(state)


def weight(state, level):
    return max(len(switched(state, u)) - 1 for u in nodes(level))
