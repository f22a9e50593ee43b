def evaluate(bits):
    x1, x2, x3, x4 = bits
    g1 = x1 | x2
    g2 = x1 & x2
    g3 = 1 - g2
    g4 = g1 & g3
    g5 = x2 | x3
    g6 = x2 & x3
    g7 = 1 - g6
    g8 = g5 & g7
    g9 = x3 | x4
    g10 = x3 & x4
    g11 = 1 - g10
    g12 = g9 & g11
    g13 = x1 | x4
    g14 = x1 & x4
    g15 = 1 - g14
    g16 = g13 & g15
    g17 = g4 & g8
    g18 = g4 | g8
    g19 = g18 & g12
    g20 = g17 | g19
    return [g1, g2, g3, g4, g5, g6, g7, g8, g9, g10, g11, g12, g13, g14, g15, g16, g17, g18, g19, g20]
