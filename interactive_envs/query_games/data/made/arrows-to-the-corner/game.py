from itertools import product

LETTERS = "ABCDEFGHIJKLMNOP"


def hidden(level):
    return [i for i in range(4, level["n"]) if i % 4 != 0]


def states(level):
    choices = [[LETTERS[i - 1], LETTERS[i - 4], LETTERS[i - 5]] for i in hidden(level)]
    return [list(picked) for picked in product(*choices)]


def arguments(query, level):
    n = level["n"]
    if query == "trail":
        return [[LETTERS[i]] for i in hidden(level)]
    return [[LETTERS[i], LETTERS[j]] for i in range(n) for j in range(i + 1, n)]


def walk(letter, state, level):
    arrows = dict(zip(hidden(level), state))
    i = LETTERS.index(letter)
    visited = [i]
    while i != 0:
        if i in arrows:
            i = LETTERS.index(arrows[i])
        elif i < 4:
            i -= 1
        else:
            i -= 4
        visited.append(i)
    return visited


def reply(query, argument, state, level):
    first = walk(argument[0], state, level)
    if query == "trail":
        return sum(i + 1 for i in first) % 4
    second = walk(argument[1], state, level)
    for steps, i in enumerate(first):
        if i in second:
            return (steps + second.index(i)) % 3
    return 0


def answer(state, level):
    return list(state)


def show(state, level):
    return "the hidden arrows are " + ", ".join(LETTERS[i] + " to " + letter for i, letter in zip(hidden(level), state))


def weight(state, level):
    return 2 ** sum(1 for i, letter in zip(hidden(level), state) if LETTERS[i - 5] == letter)
