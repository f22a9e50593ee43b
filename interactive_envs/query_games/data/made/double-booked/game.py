from itertools import combinations, product

LETTERS = "ABCDEFGHIJKLMNOP"


def states(level):
    return [list(s) for s in product([1, 2, 3], repeat=level["n"])]


def arguments(query, level):
    names = list(LETTERS[:level["n"]])
    if query == "without":
        return [[u, v] for u in names for v in names if u != v]
    if query == "together":
        return [list(pair) for pair in combinations(names, 2)]
    return [[h] for h in range(1, 5)]


def runs(state, u, hour):
    start = state[LETTERS.index(u)]
    return hour == start or hour == start + 1


def reply(query, argument, state, level):
    if query == "rooms":
        hour = argument[0]
        return sum(1 for s in state if hour == s or hour == s + 1)
    u, v = argument
    for hour in range(1, 5):
        if query == "without":
            if runs(state, u, hour) and not runs(state, v, hour):
                return hour
        elif runs(state, u, hour) and runs(state, v, hour):
            return hour
    return None


def answer(state, level):
    return list(state)


def show(state, level):
    return "the meetings run like this: " + ", ".join(
        LETTERS[i] + " in hours " + str(s) + " and " + str(s + 1)
        for i, s in enumerate(state))


def weight(state, level):
    return 1 + sum(1 for a, b in combinations(state, 2) if abs(a - b) <= 1)
