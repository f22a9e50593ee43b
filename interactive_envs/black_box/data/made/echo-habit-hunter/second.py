NAMES = ["rock", "scissors", "paper"]
BEATEN_BY = {"rock": "paper", "scissors": "rock", "paper": "scissors"}


def begin(length):
    # latest throw, followers of rock, scissors, paper, number of defeats
    return ["", ["", "", ""], 0]


def odds(state):
    latest, followers, defeats = state
    if latest == "":
        return [["rock", 1]]
    guess = followers[NAMES.index(latest)]
    if guess == "":
        guess = latest
    if defeats == 2:
        return [[guess, 1]]
    return [[BEATEN_BY[guess], 1]]


def after(state, mine, theirs):
    latest, followers, defeats = state
    followers = list(followers)
    if latest != "":
        followers[NAMES.index(latest)] = mine
    if defeats == 2:
        defeats = 0
    elif BEATEN_BY[theirs] == mine:
        defeats += 1
    else:
        defeats = 0
    return [mine, followers, defeats]
