CIRCLE = ["rock", "fire", "scissors", "sponge", "paper", "air", "water"]


def beats(one, other):
    return (CIRCLE.index(other) - CIRCLE.index(one)) % 7 in (1, 2, 3)


def begin(length):
    # the throw to be taken at this move, the one to be taken at the next move, the distance
    return ["rock", "paper", 1]


def odds(state):
    taken, coming, distance = state
    return [[CIRCLE[(CIRCLE.index(taken) - distance) % 7], 1]]


def after(state, mine, theirs):
    taken, coming, distance = state
    if beats(mine, theirs):
        distance = distance % 3 + 1
    return [coming, mine, distance]
