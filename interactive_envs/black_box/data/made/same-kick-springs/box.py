import math


def positions(t):
    soft = 6.0 * math.sin(0.5 * t)
    stiff = 3.0 * math.sin(t)
    return [[soft, 0.0, 1.0], [stiff, 2.0, 1.0]]
