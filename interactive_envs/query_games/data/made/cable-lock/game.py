from itertools import combinations

LETTERS = "ABCDEFGHIJKLMNOP"


def states(level):
    n = level["n"]
    result = []

    def extend(partner):
        free = [i for i in range(n) if partner[i] is None]
        if not free:
            result.append(list(partner))
            return
        i = free[0]
        for j in free:
            changed = list(partner)
            changed[i] = j
            changed[j] = i
            extend(changed)

    extend([None] * n)
    return result


def arguments(query, level):
    names = list(LETTERS[:level["n"]])
    if query == "balance":
        return [[u, v] for u in names for v in names if u != v]
    return [list(pair) for pair in combinations(names, 2)]


def load(state, i):
    j = state[i]
    if j == i:
        return i + 1
    return (i + 1) + (j + 1)


def reply(query, argument, state, level):
    a = LETTERS.index(argument[0])
    b = LETTERS.index(argument[1])
    if query == "balance":
        x = load(state, a)
        y = load(state, b)
        if x < y:
            return 0
        if x == y:
            return 1
        return 2
    low = min(a, b)
    high = max(a, b)
    return sum(1 for i in range(low, high + 1) if state[i] < low or state[i] > high)


def answer(state, level):
    return [LETTERS[j] for j in state]


def show(state, level):
    pairs = [LETTERS[i] + "-" + LETTERS[j] for i, j in enumerate(state) if i < j]
    if not pairs:
        return "there are no cables"
    return "the cables are " + ", ".join(pairs)
