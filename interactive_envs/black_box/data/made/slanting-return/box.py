def positions(t):
    s = 21.6 * t - 1.8 * t * t
    return [[0.8 * s, 2.0 * t, 0.6 * s]]
