def run(trace, p, q, k):
    u = p
    v = q
    for i in range(4):
        g = u // 3
        u = u - g
        v = v + g
        trace(1, u=u, v=v)
        if v > u:
            b = 2 * k
        else:
            b = k
        v = v - b
        u = u + b
        trace(2, u=u, v=v)
