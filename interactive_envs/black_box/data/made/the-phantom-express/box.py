def secrets():
    return [[start, beat, skip]
            for beat in range(4, 13)
            for start in range(beat)
            for skip in range(2, 6)]


def queries():
    return [str(now) for now in range(61)]


def reply(secret, query):
    start, beat, skip = secret
    now = int(query)
    when = start
    order = 1
    while when < now or order % skip == 0:
        when += beat
        order += 1
    return str(when - now)


def answer(secret):
    return "%d %d %d" % (secret[0], secret[1], secret[2])
