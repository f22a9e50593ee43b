def positions(t):
    return [
        [0.0, 0.0, 10.0 + 2.0 * t],
        [1.0, 0.0, 20.0 - 2.0 * t],
    ]
