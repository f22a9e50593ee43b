import math


def positions(t):
    return [[10.0 * math.cos(t), 10.0 * math.sin(t), 5.0]]
