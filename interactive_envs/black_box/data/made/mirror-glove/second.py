from itertools import permutations, product

MOVES = "gsbt"


def secrets():
    out = []
    for p in permutations(MOVES):
        table = "".join(p)
        if table == MOVES:
            continue
        for switch in MOVES:
            out.append([table, switch])
    return out


def queries():
    out = []
    for length in range(1, 5):
        for p in product(MOVES, repeat=length):
            out.append("".join(p))
    return out


def reply(secret, query):
    table, switch = secret
    copying = False
    out = []
    for move in query:
        if copying:
            out.append(move)
        else:
            out.append(table[MOVES.index(move)])
        if move == switch:
            copying = not copying
    return "".join(out)


def answer(secret):
    return secret[0] + " " + secret[1]
