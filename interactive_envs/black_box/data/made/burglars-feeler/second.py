from itertools import product


def secrets():
    out = []
    for teeth in product(range(1, 5), repeat=5):
        if all(teeth[i] != teeth[i + 1] for i in range(4)):
            out.append(list(teeth))
    return out


def queries():
    return [str(s) + " " + str(o) for s in range(1, 6) for o in range(1, 4)]


def reply(secret, query):
    start, opening = [int(p) for p in query.split()]
    count = 0
    for height in secret[start - 1:]:
        if height > opening:
            break
        count += 1
    return str(count)


def answer(secret):
    return "".join(str(h) for h in secret)
