import math

JUMPS = [(1.5, 1.6), (6.5, -1.6), (10.5, -2.5), (13.7, 2.5)]


def positions(t):
    height = 5.0
    u = 0.0
    for when, jump in JUMPS:
        s = t - when if t > when else 0.0
        height += 0.5 * jump * s * s
        u -= (jump / 4.0) * (1.0 - math.cos(2.0 * s))
    return [[0.0, 0.0, height], [0.0, 0.0, height - 4.0 + u]]
