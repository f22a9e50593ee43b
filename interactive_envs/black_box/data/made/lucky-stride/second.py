COLOURS = ["gold", "red", "red", "blue", "green", "red", "black",
           "blue", "blue", "green", "green"]


def secrets():
    return [[first, move] for first in range(1, 12) for move in range(1, 11)]


def queries():
    return [str(n) for n in range(11)]


def reply(secret, query):
    first, move = secret
    return COLOURS[(first - 1 + int(query) * move) % 11]


def answer(secret):
    return str(secret[0]) + " " + str(secret[1])
