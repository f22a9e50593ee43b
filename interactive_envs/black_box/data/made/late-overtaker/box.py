THROWS = ["rock", "fire", "scissors", "sponge", "paper", "air", "water"]


def begin(length):
    return [0, 4, 1]


def odds(state):
    return [[THROWS[(state[0] - state[2]) % 7], 1]]


def after(state, mine, theirs):
    player = THROWS.index(mine)
    own = THROWS.index(theirs)
    distance = state[2]
    if (own - player) % 7 in (1, 2, 3):
        distance = distance % 3 + 1
    return [state[1], player, distance]
