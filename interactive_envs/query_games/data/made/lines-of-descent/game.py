from itertools import combinations, product

LETTERS = "ABCDEFGHIJKLMNOP"


def states(level):
    n = level["n"]
    f = level["f"]
    choices = [[list(pair) for pair in combinations(LETTERS[:i], 2)] for i in range(f, n)]
    return [[list(pair) for pair in family] for family in product(*choices)]


def arguments(query, level):
    return [list(pair) for pair in combinations(LETTERS[:level["n"]], 2)]


def parents(state, u, level):
    i = LETTERS.index(u) - level["f"]
    if i < 0:
        return []
    return state[i]


def forebears(state, u, level):
    found = {u}
    for p in parents(state, u, level):
        found |= forebears(state, p, level)
    return found


def lines(state, old, young, level):
    if old == young:
        return 1
    if young < old:
        return 0
    return sum(lines(state, old, p, level) for p in parents(state, young, level))


def reply(query, argument, state, level):
    u = min(argument)
    v = max(argument)
    if query == "lines":
        return lines(state, u, v, level)
    if query == "forebear":
        common = forebears(state, u, level) & forebears(state, v, level)
        if not common:
            return None
        return max(common)
    return sum(1 for pair in state if pair[0] == u and pair[1] == v)


def answer(state, level):
    result = []
    for i, pair in enumerate(state):
        child = LETTERS[level["f"] + i]
        for p in pair:
            result.append(p + "-" + child)
    return result


def show(state, level):
    return "the parents are " + ", ".join(
        "of " + LETTERS[level["f"] + i] + ": " + pair[0] + " and " + pair[1]
        for i, pair in enumerate(state))
