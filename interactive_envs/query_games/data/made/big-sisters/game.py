from itertools import combinations


def states(level):
    return [list(c) for c in combinations(range(1, level["n"] + 1), level["k"])]


def arguments(query, level):
    if query == "balance":
        return [[a] for a in range(1, level["n"])]
    return [[s, t] for s in range(1, level["k"] + 1) for t in range(1, level["b"] + 1)]


def reply(query, argument, state, level):
    n = level["n"]
    sisters = set(state)
    if query == "balance":
        lead = 0
        for p in range(argument[0], n + 1):
            lead += 1 if p in sisters else -1
            if lead == 0:
                return p
        return None
    s, t = argument
    older_sisters = 0
    older_brothers = 0
    for p in range(1, n + 1):
        if older_sisters >= s and older_brothers >= t:
            return p
        if p in sisters:
            older_sisters += 1
        else:
            older_brothers += 1
    return None


def answer(state, level):
    return list(state)


def show(state, level):
    return "the set of sisters is " + ", ".join(str(x) for x in state)
