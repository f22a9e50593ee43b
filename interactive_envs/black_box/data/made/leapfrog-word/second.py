from itertools import permutations, product


def secrets():
    out = []
    for c in permutations("bdkmst", 3):
        for v in product("aou", repeat=3):
            out.append(c[0] + v[0] + c[1] + v[1] + c[2] + v[2])
    return out


def queries():
    return list("bdkmstaou")


def reply(secret, query):
    items = []
    for i in range(6):
        if secret[i] == query:
            items.append(secret[i + 2] if i < 4 else "end")
    if not items:
        return "none"
    return " ".join(items)


def answer(secret):
    return secret
