HUES = ["gold", "red", "red", "blue", "green", "red", "black", "blue", "blue", "green", "green"]


def secrets():
    return [[p, m] for p in range(1, 12) for m in range(1, 11)]


def queries():
    return [str(k) for k in range(11)]


def reply(secret, query):
    p, m = secret
    return HUES[(p - 1 + int(query) * m) % 11]


def answer(secret):
    return str(secret[0]) + " " + str(secret[1])
