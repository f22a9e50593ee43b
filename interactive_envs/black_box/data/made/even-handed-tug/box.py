def run(trace, p, q):
    u = 50
    for i in range(5):
        if u > 50:
            u = u + p // 2
        else:
            u = u + p
        trace(1, u=u)
        if u < 50:
            u = u - q // 2
        else:
            u = u - q
        trace(2, u=u)
