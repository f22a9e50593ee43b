NAMES = ["rock", "scissors", "paper"]


def begin(length):
    return [-1, [-1, -1, -1], 0]


def odds(state):
    last, habit, beaten = state
    if last == -1:
        return [["rock", 1]]
    guess = habit[last]
    if guess == -1:
        guess = last
    if beaten == 2:
        return [[NAMES[guess], 1]]
    return [[NAMES[(guess + 2) % 3], 1]]


def after(state, mine, theirs):
    last, habit, beaten = state
    habit = list(habit)
    m = NAMES.index(mine)
    h = NAMES.index(theirs)
    if last != -1:
        habit[last] = m
    if beaten < 2 and (m + 1) % 3 == h:
        beaten = beaten + 1
    else:
        beaten = 0
    return [m, habit, beaten]
