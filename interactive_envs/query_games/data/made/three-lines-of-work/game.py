LETTERS = "ABCDEFGHIJKLMNOP"


def above(i):
    if i <= 3:
        return 0
    return i - 3


def line(letter):
    return (LETTERS.index(letter) - 1) % 3


def states(level):
    n = level["n"]
    found = []

    def extend(order, used):
        if len(order) == n:
            found.append([LETTERS[i] for i in order])
            return
        for i in range(1, n):
            if i not in used and above(i) in used:
                extend(order + [i], used | {i})

    extend([0], frozenset([0]))
    return found


def arguments(query, level):
    n = level["n"]
    if query == "run":
        return [[a, b] for a in range(2, n + 1) for b in range(a + 1, n + 1)]
    return [[LETTERS[i]] for i in range(1, n)]


def reply(query, argument, state, level):
    if query == "run":
        best = 1
        run = 1
        for day in range(argument[0] + 1, argument[1] + 1):
            if line(state[day - 1]) == line(state[day - 2]):
                run += 1
            else:
                run = 1
            best = max(best, run)
        return best
    letter = argument[0]
    parent = LETTERS[above(LETTERS.index(letter))]
    return state.index(letter) - state.index(parent)


def answer(state, level):
    return list(state)


def show(state, level):
    return "the tasks in the order of their days are " + ", ".join(state)


def weight(state, level):
    same = 0
    for day in range(3, level["n"] + 1):
        if line(state[day - 1]) == line(state[day - 2]):
            same += 1
    return 2 ** same
