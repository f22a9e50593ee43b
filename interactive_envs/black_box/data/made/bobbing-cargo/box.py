import math

JUMPS = [(1.5, 1.6), (6.5, -1.6), (10.5, -2.5), (13.7, 2.5)]


def positions(t):
    platform = 5.0
    shift = 0.0
    for start, change in JUMPS:
        since = max(t - start, 0.0)
        platform += 0.5 * change * since * since
        shift -= change / 4.0 * (1.0 - math.cos(2.0 * since))
    return [[0.0, 0.0, platform], [0.0, 0.0, platform - 4.0 + shift]]
