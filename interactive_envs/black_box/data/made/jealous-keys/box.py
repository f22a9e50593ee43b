def evaluate(bits):
    x1, x2, x3, x4 = bits
    g1 = 1 - x2
    g2 = x1 & g1
    g3 = x3 & x4
    g4 = g2 | g3
    g5 = g2 & g3
    g6 = 1 - g5
    g7 = g4 & g6
    return [g1, g2, g3, g4, g5, g6, g7]
