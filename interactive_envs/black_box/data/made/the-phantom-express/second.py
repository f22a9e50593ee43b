def secrets():
    return [[f, d, k] for d in range(4, 13) for f in range(d) for k in range(2, 6)]


def queries():
    return [str(t) for t in range(61)]


def reply(secret, query):
    f, d, k = secret
    t = int(query)
    n = 1
    while True:
        minute = f + (n - 1) * d
        if minute >= t and n % k != 0:
            return str(minute - t)
        n += 1


def answer(secret):
    return " ".join(str(v) for v in secret)
