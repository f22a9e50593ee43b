def evaluate(bits):
    x1, x2, x3, x4 = [int(b) for b in bits]
    v1 = 1 - x4
    v2 = x2 | x3
    v3 = 1 - v2
    v4 = v1 | v3
    v5 = x1 & v4
    v6 = x1 | x2
    v7 = 1 - v6
    v8 = x4 | v7
    v9 = x3 & v8
    v10 = v5 | v9
    v11 = 1 - v10
    v12 = x2 & v11
    v13 = v12 | v9
    return [v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11, v12, v13]
