def positions(t):
    train = [14.0 * t, 0.0, 1.0]
    stone = [9.0 * t, 2.0 + 3.0 * t, 0.0]
    return [train, stone]
