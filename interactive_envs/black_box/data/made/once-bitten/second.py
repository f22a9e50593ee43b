BEATEN_BY = {"rock": "paper", "scissors": "rock", "paper": "scissors"}
SWITCH = {"rock": "scissors", "scissors": "paper", "paper": "rock"}


def begin(length):
    return "rock"


def odds(state):
    return [[state, 1]]


def after(state, mine, theirs):
    if mine == BEATEN_BY[theirs]:
        return SWITCH[state]
    return state
