POWER = {"drip": 6, "trickle": 9, "gush": 12}


def secrets():
    return [[p, kind] for p in range(1, 17) for kind in ("drip", "trickle", "gush")]


def queries():
    return [str(k) for k in range(1, 17)]


def reply(secret, query):
    p, kind = secret
    k = int(query)
    s = POWER[kind]
    ahead = s - (k - p) % 16
    back = s - 3 * ((p - k) % 16)
    return str(max(0, ahead, back))


def answer(secret):
    return str(secret[0]) + " " + secret[1]
