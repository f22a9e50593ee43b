def half(p, q):
    both = p & q
    some = p | q
    lack = 1 - both
    return [both, some, lack, some & lack]


def evaluate(bits):
    low = half(bits[1], bits[3])
    high = half(bits[0], bits[2])
    rest = half(high[3], low[0])
    over = high[0] | rest[0]
    back = half(low[3], over)
    lead = rest[3] | back[0]
    return low + high + rest + [over] + back + [lead]
