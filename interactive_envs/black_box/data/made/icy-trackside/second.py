def positions(t):
    return [
        [14.0 * t, 0.0, 1.0],
        [9.0 * t, 2.0 + 3.0 * t, 0.0],
    ]
