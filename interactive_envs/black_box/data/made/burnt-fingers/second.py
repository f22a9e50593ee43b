BEATEN_BY = {"rock": "paper", "scissors": "rock", "paper": "scissors"}
FOLLOWING = {"rock": "scissors", "scissors": "paper", "paper": "rock"}


def begin(length):
    # the next throw, the avoided throw
    return ["rock", "paper"]


def odds(state):
    return [[state[0], 1]]


def after(state, mine, theirs):
    avoided = state[1]
    if BEATEN_BY[theirs] == mine:
        avoided = theirs
    coming = FOLLOWING[theirs]
    if coming == avoided:
        coming = FOLLOWING[coming]
    return [coming, avoided]
