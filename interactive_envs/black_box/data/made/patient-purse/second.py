def run(trace, b, r, w):
    m = b
    o = 0
    n = len(w)
    for i in range(n):
        c = m // (n - i)
        q = w[i] + o
        trace(1, c=c, q=q)
        if q <= c:
            m -= q
            o = 0
        else:
            o = (q + 1) // 2
        if m % r == 0:
            m += 2
        trace(2, m=m, o=o)
