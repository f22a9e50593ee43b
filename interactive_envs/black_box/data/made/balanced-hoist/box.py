def positions(t):
    d = 2.0 * t
    first = [0.0, 0.0, 10.0 + d]
    second = [1.0, 0.0, 20.0 - d]
    return [first, second]
