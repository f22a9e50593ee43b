from itertools import combinations


def states(level):
    return [list(c) for c in combinations(range(1, level["n"] + 1), level["k"])]


def arguments(query, level):
    n = level["n"]
    if query == "weave":
        return [[a, b] for a in range(1, n + 1) for b in range(a + 1, n + 1)]
    return [[d] for d in range(1, n)]


def reply(query, argument, state, level):
    n = level["n"]
    crosses = set(state)
    if query == "weave":
        a, b = argument
        count = 0
        for i in range(a, b + 1):
            for j in range(i + 1, b + 1):
                if i in crosses and j not in crosses:
                    count += 1
        return count % 3
    d = argument[0]
    count = 0
    for x in range(1, n - d + 1):
        if (x in crosses) != (x + d in crosses):
            count += 1
    return count % 3


def answer(state, level):
    return list(state)


def show(state, level):
    row = "".join("x" if i in state else "." for i in range(1, level["n"] + 1))
    return "the set is " + ", ".join(str(x) for x in state) + " and the row is " + row
