def evaluate(bits):
    x1, x2, x3, x4 = [int(b) for b in bits]
    v1 = 1 - x2
    v2 = x1 & v1
    v3 = x3 & x4
    v4 = v2 | v3
    v5 = v2 & v3
    v6 = 1 - v5
    v7 = v4 & v6
    return [v1, v2, v3, v4, v5, v6, v7]
