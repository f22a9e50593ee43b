from itertools import combinations

LETTERS = "ABCDEFGHIJKLMNOP"


def states(level):
    n = level["n"]
    result = []

    def extend(order):
        place = len(order)
        if place == n:
            result.append([LETTERS[i] for i in order])
            return
        for i in range(max(0, place - 2), min(n, place + 3)):
            if i not in order:
                extend(order + [i])

    extend([])
    return result


def arguments(query, level):
    return [list(pair) for pair in combinations(LETTERS[:level["n"]], 2)]


def linked(state, u, v):
    first = min(u, v)
    second = max(u, v)
    return state.index(second) < state.index(first)


def reply(query, argument, state, level):
    u, v = argument
    if query == "between":
        return abs(state.index(u) - state.index(v)) - 1
    return sum(1 for x in state
               if x != u and x != v and (linked(state, x, u) or linked(state, x, v)))


def answer(state, level):
    return list(state)


def show(state, level):
    return "the runners finished in the order " + ", ".join(state)


def weight(state, level):
    return 1 + sum(1 for a, b in combinations(state, 2) if a > b)
