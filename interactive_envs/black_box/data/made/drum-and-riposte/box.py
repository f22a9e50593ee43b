ORDER = ["rock", "scissors", "paper"]


def begin(length):
    return [0]


def odds(state):
    if len(state) == 1:
        return [[ORDER[state[0]], 1]]
    return [[ORDER[(state[1] + 2) % 3], 1]]


def after(state, mine, theirs):
    if len(state) == 1:
        return [state[0], ORDER.index(mine)]
    return [(state[0] + 1) % 3]
