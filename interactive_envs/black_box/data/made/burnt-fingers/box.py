ORDER = ["rock", "scissors", "paper"]


def begin(length):
    return [0, 2]


def odds(state):
    return [[ORDER[state[0]], 1]]


def after(state, mine, theirs):
    own = ORDER.index(theirs)
    avoided = state[1]
    if own == (ORDER.index(mine) + 1) % 3:
        avoided = own
    following = (own + 1) % 3
    if following == avoided:
        following = (own + 2) % 3
    return [following, avoided]
