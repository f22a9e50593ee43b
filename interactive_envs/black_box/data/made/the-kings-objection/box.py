def evaluate(bits):
    p, q, r, s = bits
    both = p & q
    some = p | q
    help3 = some & r
    most = both | help3
    full = both & r
    calm = 1 - s
    free = calm | full
    done = most & free
    return [both, some, help3, most, full, calm, free, done]
