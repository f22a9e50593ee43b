def positions(t):
    return [
        [2.0 * t, 0.0, 0.0],
        [2.0 * t - 3.5, 0.0, 0.0],
    ]
