ORDER = ["rock", "scissors", "paper"]


def begin(length):
    return 0


def odds(state):
    return [[ORDER[state], 1]]


def after(state, mine, theirs):
    if ORDER.index(theirs) == (ORDER.index(mine) + 1) % 3:
        return (state + 1) % 3
    return state
