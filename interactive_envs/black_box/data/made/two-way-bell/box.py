def evaluate(bits):
    x1, x2, x3, x4 = bits
    g1 = 1 - x4
    g2 = x2 | x3
    g3 = 1 - g2
    g4 = g1 | g3
    g5 = x1 & g4
    g6 = x1 | x2
    g7 = 1 - g6
    g8 = x4 | g7
    g9 = x3 & g8
    g10 = g5 | g9
    g11 = 1 - g10
    g12 = x2 & g11
    g13 = g12 | g9
    return [g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13]
