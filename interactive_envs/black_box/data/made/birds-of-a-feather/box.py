def evaluate(bits):
    out = []
    same = []
    for k in range(3):
        both = bits[k] & bits[k + 1]
        either = bits[k] | bits[k + 1]
        neither = 1 - either
        equal = both | neither
        out += [both, either, neither, equal]
        same.append(equal)
    front = same[0] & same[1]
    back = same[1] & same[2]
    run = front | back
    ends = same[0] & same[2]
    most = run | ends
    out += [front, back, run, ends, most]
    return out
