BEATER = {"rock": "paper", "scissors": "rock", "paper": "scissors"}


def begin(length):
    return [4, "rock"]


def odds(state):
    left, last = state
    if left > 0:
        return [["rock", 1]]
    return [[BEATER[last], 1]]


def after(state, mine, theirs):
    left, last = state
    return [max(left - 1, 0), mine]
