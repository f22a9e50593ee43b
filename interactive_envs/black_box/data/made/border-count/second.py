def evaluate(bits):
    x1, x2, x3, x4 = [int(b) for b in bits]
    v1 = x1 | x2
    v2 = x1 & x2
    v3 = 1 - v2
    v4 = v1 & v3
    v5 = x2 | x3
    v6 = x2 & x3
    v7 = 1 - v6
    v8 = v5 & v7
    v9 = x3 | x4
    v10 = x3 & x4
    v11 = 1 - v10
    v12 = v9 & v11
    v13 = x1 | x4
    v14 = x1 & x4
    v15 = 1 - v14
    v16 = v13 & v15
    v17 = v4 & v8
    v18 = v4 | v8
    v19 = v18 & v12
    v20 = v17 | v19
    return [v1, v2, v3, v4, v5, v6, v7, v8, v9, v10,
            v11, v12, v13, v14, v15, v16, v17, v18, v19, v20]
