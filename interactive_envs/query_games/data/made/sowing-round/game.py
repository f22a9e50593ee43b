from itertools import product


def states(level):
    return [list(s) for s in product([1, 2, 3], repeat=level["k"])]


def arguments(query, level):
    k = level["k"]
    if query == "pit":
        return [[a, b] for a in range(1, k + 1) for b in range(1, k + 1) if a != b]
    return [[a, t] for a in range(1, k + 1) for t in (2, 3, 4)]


def sow(pits, index):
    # sows in place, gives the index where the last seed fell
    k = len(pits)
    seeds = pits[index]
    pits[index] = 0
    position = index
    for _ in range(seeds):
        position = (position + 1) % k
        pits[position] += 1
    return position


def reply(query, argument, state, level):
    pits = list(state)
    if query == "pit":
        a, b = argument
        sow(pits, a - 1)
        return pits[b - 1]
    a, t = argument
    position = a - 1
    for _ in range(t):
        position = sow(pits, position)
    return position + 1


def answer(state, level):
    return list(state)


def show(state, level):
    return "the sequence is " + ", ".join(str(v) for v in state)


def weight(state, level):
    return state[0] * state[-1]
