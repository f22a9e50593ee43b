from itertools import product


def states(level):
    return [list(s) for s in product([0, 1, 2], repeat=level["n"])]


def arguments(query, level):
    n = level["n"]
    if query == "join":
        return [[a, b] for a in range(n) for b in range(n)]
    if query == "carry":
        return [[a, b] for a in range(1, n) for b in range(n)]
    return [[x] for x in range(n)]


def reply(query, argument, state, level):
    n = level["n"]
    if query == "join":
        a, b = argument
        return state[(a + state[b]) % n]
    if query == "carry":
        a, b = argument
        return a + state[b] >= n
    x = argument[0]
    seen = [x]
    steps = 0
    while True:
        x = (x + state[x]) % n
        steps += 1
        if x in seen:
            return steps
        seen.append(x)


def answer(state, level):
    return list(state)


def show(state, level):
    return "the sequence is " + ", ".join(str(v) for v in state)
