from itertools import combinations, product

LETTERS = "ABCDEFGHIJKLMNOP"


def states(level):
    n = level["n"]
    found = []
    for targets in combinations(LETTERS[:n], 2):
        for f in product(targets, repeat=n):
            if len(set(f)) == 2:
                found.append(list(f))
    return found


def arguments(query, level):
    names = list(LETTERS[:level["n"]])
    if query == "mark":
        return [[u, v] for u in names for v in names]
    return [list(pair) for pair in combinations(names, 2)]


def successor(state, u):
    return state[LETTERS.index(u)]


def reply(query, argument, state, level):
    u, v = argument
    if query == "mark":
        first = successor(state, u)
        if first == v:
            return 3
        if successor(state, first) == v:
            return 2
        if v in state:
            return 1
        return 0
    # after n steps both tokens go round in rings: if they have not met by then, they never do
    for step in range(1, level["n"] + 1):
        u = successor(state, u)
        v = successor(state, v)
        if u == v:
            return step
    return None


def answer(state, level):
    return list(state)


def show(state, level):
    return "the arrows are " + ", ".join(
        "from " + LETTERS[i] + " to " + state[i] for i in range(level["n"]))
