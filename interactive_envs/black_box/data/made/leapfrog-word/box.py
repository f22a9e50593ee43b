from itertools import permutations, product


def secrets():
    res = []
    for p in permutations("bdkmst", 3):
        for v in product("aou", repeat=3):
            res.append(p[0] + v[0] + p[1] + v[1] + p[2] + v[2])
    return res


def queries():
    return list("bdkmstaou")


def reply(secret, query):
    got = []
    for i in range(6):
        if secret[i] == query:
            got.append(secret[i + 2] if i < 4 else "end")
    return " ".join(got) if got else "none"


def answer(secret):
    return secret
