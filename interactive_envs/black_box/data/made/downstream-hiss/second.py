LOUDNESS = {"drip": 6, "trickle": 9, "gush": 12}


def secrets():
    return [[joint, kind] for joint in range(1, 17) for kind in ("drip", "trickle", "gush")]


def queries():
    return [str(joint) for joint in range(1, 17)]


def reply(secret, query):
    joint, kind = secret
    loud = LOUDNESS[kind]
    asked = int(query)
    forward = (asked - joint) % 16
    backward = (joint - asked) % 16
    return str(max(0, loud - forward, loud - 3 * backward))


def answer(secret):
    return str(secret[0]) + " " + secret[1]
