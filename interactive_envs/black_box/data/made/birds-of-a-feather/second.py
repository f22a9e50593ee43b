def evaluate(bits):
    x = [int(b) for b in bits]
    out = []
    for i in range(3):
        a, b = x[i], x[i + 1]
        both = a & b
        some = a | b
        none = 1 - some
        equal = both | none
        out.extend([both, some, none, equal])
    g4, g8, g12 = out[3], out[7], out[11]
    g13 = g4 & g8
    g14 = g8 & g12
    g15 = g13 | g14
    g16 = g4 & g12
    g17 = g15 | g16
    out.extend([g13, g14, g15, g16, g17])
    return out
