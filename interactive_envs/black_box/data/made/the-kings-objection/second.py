def evaluate(bits):
    x1, x2, x3, x4 = [int(b) for b in bits]
    g1 = x1 & x2
    g2 = x1 | x2
    g3 = g2 & x3
    g4 = g1 | g3
    g5 = g1 & x3
    g6 = 1 - x4
    g7 = g6 | g5
    g8 = g4 & g7
    return [g1, g2, g3, g4, g5, g6, g7, g8]
