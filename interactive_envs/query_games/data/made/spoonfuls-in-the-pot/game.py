from itertools import combinations, combinations_with_replacement


def states(level):
    return [list(c) for c in combinations_with_replacement(range(1, level["n"] + 1), level["t"])]


def arguments(query, level):
    if query == "blend":
        return [[s] for s in range(2, level["s"] + 1)]
    return [[d] for d in range(0, level["g"] + 1)]


def reply(query, argument, state, level):
    x = argument[0]
    count = 0
    for i, j in combinations(range(len(state)), 2):
        a = state[i]
        b = state[j]
        if query == "blend":
            if a + b == x:
                count += 1
        elif abs(a - b) == x:
            count += 1
    return count


def answer(state, level):
    return [state.count(x) for x in range(1, level["n"] + 1)]


def show(state, level):
    return "the spoonfuls are marked " + ", ".join(str(x) for x in state)
