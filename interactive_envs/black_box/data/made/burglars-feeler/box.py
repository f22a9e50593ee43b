from itertools import product


def secrets():
    return [list(row) for row in product((1, 2, 3, 4), repeat=5)
            if all(row[k] != row[k + 1] for k in range(4))]


def queries():
    return ["%d %d" % (spot, room) for spot in range(1, 6) for room in range(1, 4)]


def reply(secret, query):
    spot, room = [int(part) for part in query.split()]
    passed = 0
    for size in secret[spot - 1:]:
        if size > room:
            break
        passed += 1
    return str(passed)


def answer(secret):
    return "".join(str(size) for size in secret)
