def evaluate(bits):
    x1, x2, x3, x4 = [int(b) for b in bits]
    g1 = x2 & x4
    g2 = x2 | x4
    g3 = 1 - g1
    g4 = g2 & g3
    g5 = x1 & x3
    g6 = x1 | x3
    g7 = 1 - g5
    g8 = g6 & g7
    g9 = g8 & g1
    g10 = g8 | g1
    g11 = 1 - g9
    g12 = g10 & g11
    g13 = g5 | g9
    g14 = g4 & g13
    g15 = g4 | g13
    g16 = 1 - g14
    g17 = g15 & g16
    g18 = g12 | g14
    return [g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15, g16, g17, g18]
