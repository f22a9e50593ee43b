def run(trace, p, q, k):
    u = p
    v = q
    for _ in range(4):
        third = u // 3
        u -= third
        v += third
        trace(1, u=u, v=v)
        if v > u:
            back = 2 * k
        else:
            back = k
        v -= back
        u += back
        trace(2, u=u, v=v)
