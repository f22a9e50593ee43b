def positions(t):
    wall = 2.0 * t
    return [[wall, 0.0, 0.0], [wall - 3.5, 0.0, 0.0]]
