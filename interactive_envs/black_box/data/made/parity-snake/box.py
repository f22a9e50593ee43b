from itertools import combinations


def secrets():
    res = []
    for spots in combinations(range(12), 6):
        res.append("".join("d" if i in spots else "r" for i in range(12)))
    return res


def queries():
    return [h + v for h in "abcdefg" for v in "1234567"]


def reply(secret, query):
    h = ord(query[0]) - 97
    v = int(query[1]) - 1
    n = 0
    for i in range(1, 12):
        if secret[i - 1] != secret[i]:
            x = secret[:i].count("r")
            y = secret[:i].count("d")
            if abs(x - h) <= 1 and abs(y - v) <= 1:
                n += 1
    return "odd" if n % 2 == 1 else "even"


def answer(secret):
    return secret
