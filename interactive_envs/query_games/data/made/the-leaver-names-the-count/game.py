from itertools import combinations


def states(level):
    return [list(c) for c in combinations(range(1, level["n"] + 1), level["k"])]


def arguments(query, level):
    n = level["n"]
    if query == "laps":
        return [[a, t] for a in range(1, n + 1) for t in range(1, level["m"] + 1)]
    return [[a] for a in range(1, n + 1)]


def play(state, start, n):
    alive = set(state)
    spot = start
    count = 1
    laps = 0
    while len(alive) > 1:
        counted = 0
        while True:
            if spot in alive:
                counted += 1
                if counted == count:
                    break
            spot += 1
            if spot > n:
                spot = 1
                laps += 1
        alive.remove(spot)
        count = spot
    return min(alive), laps


def reply(query, argument, state, level):
    start = argument[0]
    last, laps = play(state, start, level["n"])
    if query == "laps":
        return laps >= argument[1]
    if last < start:
        return 0
    if last == start:
        return 1
    return 2


def answer(state, level):
    return list(state)


def show(state, level):
    return "the set of players is " + ", ".join(str(x) for x in state)


def weight(state, level):
    return max(state) - min(state)
