# The state is [number of the coming move (5 stands for 5 and later), player's throw in the move before].
# The throw is kept only where it matters, that is from move 5 on.

BEATEN_BY = {"rock": "paper", "scissors": "rock", "paper": "scissors"}


def begin(length):
    return [1, ""]


def odds(state):
    number, last = state
    if number <= 4:
        return [["rock", 1]]
    return [[BEATEN_BY[last], 1]]


def after(state, mine, theirs):
    number = min(state[0] + 1, 5)
    if number <= 4:
        return [number, ""]
    return [number, mine]
