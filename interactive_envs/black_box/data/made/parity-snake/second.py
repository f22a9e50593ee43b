from itertools import combinations


def secrets():
    out = []
    for downs in combinations(range(12), 6):
        chosen = set(downs)
        out.append("".join("d" if i in chosen else "r" for i in range(12)))
    out.sort()
    return out


def queries():
    return [c + str(r) for c in "abcdefg" for r in range(1, 8)]


def reply(secret, query):
    qc = "abcdefg".index(query[0])
    qr = int(query[1:]) - 1
    count = 0
    for i in range(1, 12):
        if secret[i - 1] != secret[i]:
            col = secret[:i].count("r")
            row = secret[:i].count("d")
            if abs(col - qc) <= 1 and abs(row - qr) <= 1:
                count += 1
    return "odd" if count % 2 == 1 else "even"


def answer(secret):
    return secret
