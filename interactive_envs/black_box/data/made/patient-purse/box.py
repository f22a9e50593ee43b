def run(trace, b, r, w):
    m = b
    o = 0
    days = len(w)
    for price in w:
        c = m // days
        q = price + o
        trace(1, c=c, q=q)
        if q <= c:
            m = m - q
            o = 0
        else:
            o = (q + 1) // 2
        if m % r == 0:
            m = m + 2
        days = days - 1
        trace(2, m=m, o=o)
