def secrets():
    return [[rich, poor] for rich in range(1, 21) for poor in range(1, 21) if rich != poor]


def queries():
    return ["%d %d" % (low, high) for low in range(1, 20) for high in range(low + 1, 21)]


def reply(secret, query):
    low, high = [int(part) for part in query.split()]
    turn = 0
    for spot, mass in ((secret[0], 2), (secret[1], 1)):
        if low <= spot <= high:
            turn += mass * (2 * spot - low - high)
    if turn < 0:
        return "left"
    if turn > 0:
        return "right"
    return "level"


def answer(secret):
    return "%d %d" % (secret[0], secret[1])
