import math


def positions(t):
    return [
        [6.0 * math.sin(0.5 * t), 0.0, 1.0],
        [3.0 * math.sin(t), 2.0, 1.0],
    ]
