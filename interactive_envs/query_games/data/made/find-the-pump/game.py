from itertools import product

LETTERS = "ABCDEFGHIJKLMNOP"


def states(level):
    n = level["n"]
    c = level["c"]
    found = []
    for above in product(*[range(i) for i in range(1, n)]):
        if max(above.count(i) for i in range(n)) > c:
            continue
        for pump in range(n):
            found.append([LETTERS[pump]] + [LETTERS[i] for i in above])
    return found


def arguments(query, level):
    n = level["n"]
    if query == "pump":
        return [[LETTERS[i]] for i in range(n)]
    return [[LETTERS[i], LETTERS[j]] for i in range(n) for j in range(i + 1, n)]


def way_up(letter, state):
    way = [letter]
    while way[-1] != "A":
        way.append(state[LETTERS.index(way[-1])])
    return way


def reply(query, argument, state, level):
    pump = state[0]
    if query == "pump":
        if argument[0] == pump:
            return 2
        if argument[0] in way_up(pump, state):
            return 1
        return 0
    a = way_up(argument[0], state)
    b = way_up(argument[1], state)
    if (len(a) > 1 and a[1] == b[0]) or (len(b) > 1 and b[1] == a[0]):
        return 2
    meet = [letter for letter in a if letter in b][0]
    path = a[:a.index(meet) + 1] + b[:b.index(meet)]
    if pump in path:
        return 1
    return 0


def answer(state, level):
    return list(state)


def show(state, level):
    pipes = [state[i] + "-" + LETTERS[i] for i in range(1, level["n"])]
    return "the pump stands at " + state[0] + " and the pipes are " + ", ".join(pipes)
