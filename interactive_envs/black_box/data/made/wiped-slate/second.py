def run(trace, k, x):
    u = 0
    resets = 0
    for number in x:
        u += number
        if u >= k:
            resets += 1
            u = resets
        trace(1, u=u)
