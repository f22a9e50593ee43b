from itertools import product


def states(level):
    n = level["n"]
    choices = [range(max(0, i - 3), i) for i in range(1, n + 1)]
    return [list(s) for s in product(*choices)]


def arguments(query, level):
    n = level["n"]
    if query == "detour":
        return [[a, b, c] for a in range(1, n + 1) for b in range(a) for c in range(1, n + 1)]
    return [[a, b] for a in range(1, n + 1) for b in range(1, a)]


def reply(query, argument, state, level):
    n = level["n"]
    a, b = argument[0], argument[1]
    target = [0] + list(state)
    target[a] = b
    if query == "detour":
        x = argument[2]
        steps = 0
        while x != 0:
            x = target[x]
            steps += 1
        return steps
    count = 0
    for c in range(1, n + 1):
        x = c
        while x != 0 and x != b:
            x = target[x]
        if x == b:
            count += 1
    return count


def answer(state, level):
    return list(state)


def show(state, level):
    return "the sequence is " + ", ".join(str(v) for v in state)
