from itertools import permutations, product

KINDS = "gsbt"


def secrets():
    out = []
    for row in permutations(KINDS):
        plan = "".join(row)
        if plan != KINDS:
            for flip in KINDS:
                out.append([plan, flip])
    return out


def queries():
    return ["".join(row) for size in range(1, 5) for row in product(KINDS, repeat=size)]


def reply(secret, query):
    plan, flip = secret
    echo = False
    said = ""
    for ch in query:
        said += ch if echo else plan[KINDS.index(ch)]
        if ch == flip:
            echo = not echo
    return said


def answer(secret):
    return secret[0] + " " + secret[1]
