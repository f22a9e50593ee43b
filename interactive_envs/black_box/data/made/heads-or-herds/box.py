def half(p, q):
    both = p & q
    some = p | q
    lack = 1 - both
    return [both, some, lack, some & lack]


def evaluate(bits):
    mode = bits[5]
    out = []
    kept = [bits[0]]
    for k in range(1, 5):
        hit = mode & bits[k - 1]
        free = 1 - hit
        use = bits[k] & free
        out += [hit, free, use]
        kept.append(use)
    acc = kept[0]
    twos = []
    for k in (1, 3):
        left = half(acc, kept[k])
        right = half(left[3], kept[k + 1])
        carry = left[0] | right[0]
        out += left + right + [carry]
        acc = right[3]
        twos.append(carry)
    out += half(twos[0], twos[1])
    return out
