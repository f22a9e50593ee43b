from itertools import product

LETTERS = "ABCDEFGHIJKLMNOP"


def layer(i):
    return (i + 2) // 3


def column(i):
    return (i - 1) % 3


def supports(state):
    below = [None, 0, 0, 0]
    for letter in state:
        below.append(LETTERS.index(letter))
    return below


def states(level):
    n = level["n"]
    choices = []
    for i in range(4, n):
        first = 3 * (layer(i) - 2) + 1
        choices.append([LETTERS[first], LETTERS[first + 1], LETTERS[first + 2]])
    return [list(picked) for picked in product(*choices)]


def arguments(query, level):
    n = level["n"]
    if query == "pull":
        return [[LETTERS[i], LETTERS[j]] for i in range(1, n) for j in range(1, n) if layer(j) > layer(i)]
    return [[LETTERS[i]] for i in range(4, n)]


def reply(query, argument, state, level):
    n = level["n"]
    below = supports(state)
    if query == "plumb":
        i = LETTERS.index(argument[0])
        run = 0
        best = 0
        while layer(i) > 1:
            j = below[i]
            if column(i) == column(j):
                run += 1
            else:
                run = 0
            best = max(best, run)
            i = j
        return best
    pulled = LETTERS.index(argument[0])
    brick = LETTERS.index(argument[1])
    fallen = {pulled}
    for i in range(1, n):
        if below[i] in fallen:
            fallen.add(i)
    if brick in fallen:
        return 0
    count = 1
    i = brick - 1
    while i >= 1 and layer(i) == layer(brick) and i not in fallen:
        count += 1
        i -= 1
    i = brick + 1
    while i < n and layer(i) == layer(brick) and i not in fallen:
        count += 1
        i += 1
    return count


def answer(state, level):
    return list(state)


def show(state, level):
    parts = [LETTERS[i + 4] + " rests on " + letter for i, letter in enumerate(state)]
    return ", ".join(parts)
