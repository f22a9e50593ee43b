from itertools import product

LETTERS = "ABCDEFGHIJKLMNOP"
NAMES = ["smaller", "larger", "sum"]


def values(state, level, zero=None):
    n = level["n"]
    k = level["k"]
    v = [0] * n
    for i in range(k, n):
        v[i] = i - k + 1
    if zero is not None:
        v[zero] = 0
    for i in range(k - 1, -1, -1):
        a = v[2 * i + 1]
        b = v[2 * i + 2]
        if state[i] == 0:
            v[i] = min(a, b)
        elif state[i] == 1:
            v[i] = max(a, b)
        else:
            v[i] = a + b
    return v


def states(level):
    return [list(rules) for rules in product(range(3), repeat=level["k"])]


def arguments(query, level):
    n = level["n"]
    k = level["k"]
    if query == "weigh":
        return [[LETTERS[i], LETTERS[j]] for i in range(k) for j in range(i + 1, n)]
    return [[LETTERS[i]] for i in range(k, n)]


def reply(query, argument, state, level):
    v = values(state, level)
    if query == "weigh":
        a = v[LETTERS.index(argument[0])]
        b = v[LETTERS.index(argument[1])]
        if a < b:
            return 0
        if a == b:
            return 1
        return 2
    w = values(state, level, LETTERS.index(argument[0]))
    return w[0] < v[0]


def answer(state, level):
    return values(state, level)[:level["k"]]


def show(state, level):
    v = values(state, level)
    parts = []
    for i in range(level["k"]):
        parts.append(LETTERS[i] + " has the rule " + NAMES[state[i]] + " and the weight " + str(v[i]))
    return "; ".join(parts)


def weight(state, level):
    return values(state, level)[0]
