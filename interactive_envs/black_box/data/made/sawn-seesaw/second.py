def secrets():
    return [[g, l] for g in range(1, 21) for l in range(1, 21) if g != l]


def queries():
    return [str(a) + " " + str(b) for a in range(1, 21) for b in range(a + 1, 21)]


def reply(secret, query):
    gold, lead = secret
    a, b = [int(p) for p in query.split()]
    total = 0  # twice the real total
    for box, weight in ((gold, 2), (lead, 1)):
        if a <= box <= b:
            total += weight * (2 * box - (a + b))
    if total < 0:
        return "left"
    if total > 0:
        return "right"
    return "level"


def answer(secret):
    return str(secret[0]) + " " + str(secret[1])
