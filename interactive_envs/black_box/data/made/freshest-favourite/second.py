BEATEN_BY = {"rock": "paper", "scissors": "rock", "paper": "scissors"}


def begin(length):
    return "rock"


def odds(state):
    return [[BEATEN_BY[state], 1]]


def after(state, mine, theirs):
    return mine
