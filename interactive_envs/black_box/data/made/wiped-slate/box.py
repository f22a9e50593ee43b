def run(trace, k, x):
    u = 0
    r = 0
    for n in x:
        u = u + n
        if u >= k:
            r = r + 1
            u = r
        trace(1, u=u)
