from math import cos, sin


def positions(t):
    u = min(t, 4.0)
    f = min(max(t - 4.0, 0.0), 3.0)
    joint = 2.25 * f - 0.375 * f * f
    one = 9.0 * u - 0.5 * u * u + joint
    two = 52.0 - 6.0 * u + joint
    return [[20.0 * sin(s / 20.0), 20.0 - 20.0 * cos(s / 20.0), 0.0] for s in (one, two)]
