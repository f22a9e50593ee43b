from itertools import product


def states(level):
    return [list(s) for s in product([1, 2, 3], repeat=level["n"])]


def arguments(query, level):
    n = level["n"]
    return [[p, e] for p in range(n) for e in (1, 2, 3)]


def reply(query, argument, state, level):
    n = level["n"]
    p, e = argument
    heights = [0] + list(state)
    x = p
    energy = e
    while x < n:
        left = energy + heights[x] - heights[x + 1]
        if left < 0:
            break
        energy = left
        x += 1
    return x + energy


def answer(state, level):
    return list(state)


def show(state, level):
    return "the sequence is " + ", ".join(str(v) for v in state)


def weight(state, level):
    return 1 + sum(1 for i in range(len(state) - 1) if state[i] == state[i + 1])
