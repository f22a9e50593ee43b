from itertools import product

LETTERS = "ABCDEFGHIJKLMNOP"


def play(n, bits):
    line = list(LETTERS[:n])
    matches = []
    number = 0
    while len(line) > 1:
        after = []
        for i in range(0, len(line) - 1, 2):
            if bits[number] == 0:
                winner, loser = line[i], line[i + 1]
            else:
                winner, loser = line[i + 1], line[i]
            matches.append(winner + loser)
            after.append(winner)
            number += 1
        if len(line) % 2 == 1:
            after.append(line[-1])
        line = after
    return matches


def states(level):
    n = level["n"]
    return [play(n, bits) for bits in product((0, 1), repeat=n - 1)]


def arguments(query, level):
    n = level["n"]
    if query == "rise":
        return [[LETTERS[i]] for i in range(n)]
    return [[LETTERS[i], LETTERS[j]] for i in range(n) for j in range(i + 1, n)]


def reply(query, argument, state, level):
    if query == "rise":
        beaten_by = {match[1]: match[0] for match in state}
        here = argument[0]
        run = 0
        best = 0
        while here in beaten_by:
            there = beaten_by[here]
            if there > here:
                run += 1
            else:
                run = 0
            best = max(best, run)
            here = there
        return best
    a = sum(1 for match in state if match[0] == argument[0])
    b = sum(1 for match in state if match[0] == argument[1])
    if a < b:
        return 0
    if a == b:
        return 1
    return 2


def answer(state, level):
    return [match[0] for match in state]


def show(state, level):
    return "the matches: " + ", ".join(match[0] + " beat " + match[1] for match in state)
