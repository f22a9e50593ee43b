def begin(length):
    return "calm"


def odds(state):
    if state == "angry":
        return [["scissors", 1]]
    return [["rock", 1]]


def after(state, mine, theirs):
    if state == "calm" and mine == "paper":
        return "angry"
    return "calm"
