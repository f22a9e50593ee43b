from fractions import Fraction
from itertools import product

LETTERS = "ABCDEFGHIJKLMNOP"


def states(level):
    return [list(amounts) for amounts in product(range(3), repeat=level["k"])]


def arguments(query, level):
    n = level["n"]
    k = level["k"]
    if query == "taste":
        return [[LETTERS[i]] for i in range(n)]
    return [[LETTERS[i]] for i in range(n - k)]


def litres(i, state, level):
    n = level["n"]
    inner = n - level["k"]
    if i >= inner:
        return Fraction(state[i - inner])
    return (litres(2 * i + 1, state, level) + litres(2 * i + 2, state, level)) / 2


def jars(i, level):
    inner = level["n"] - level["k"]
    if i >= inner:
        return [i]
    return sorted(jars(2 * i + 1, level) + jars(2 * i + 2, level))


def reply(query, argument, state, level):
    i = LETTERS.index(argument[0])
    if query == "taste":
        syrup = litres(i, state, level)
        if syrup < 1:
            return 0
        if syrup == 1:
            return 1
        return 2
    inner = level["n"] - level["k"]
    amounts = [state[j - inner] for j in jars(i, level)]
    best = 1
    run = 1
    for a, b in zip(amounts, amounts[1:]):
        if a == b:
            run += 1
        else:
            run = 1
        best = max(best, run)
    return best


def answer(state, level):
    return list(state)


def show(state, level):
    inner = level["n"] - level["k"]
    return "the litres of syrup are " + ", ".join(LETTERS[inner + i] + " " + str(amount) for i, amount in enumerate(state))


def weight(state, level):
    return 2 ** sum(1 for a, b in zip(state, state[1:]) if a == b)
