import math


def place(s):
    angle = s / 20.0
    return [20.0 * math.sin(angle), 20.0 - 20.0 * math.cos(angle), 0.0]


def positions(t):
    if t <= 4:
        first = 9.0 * t - t * t / 2.0
        second = 52.0 - 6.0 * t
    elif t < 7:
        f = t - 4.0
        first = 28.0 + 2.25 * f - 0.375 * f * f
        second = first
    else:
        first = 31.375
        second = 31.375
    return [place(first), place(second)]
