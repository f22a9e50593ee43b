def run(trace, p, q):
    u = 50
    for _ in range(5):
        if u > 50:
            u += p // 2
        else:
            u += p
        trace(1, u=u)
        if u < 50:
            u -= q // 2
        else:
            u -= q
        trace(2, u=u)
