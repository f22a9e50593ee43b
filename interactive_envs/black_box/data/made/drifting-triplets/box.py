def encipher(text):
    seq = [c for c in text if c != " "]
    acc = 0
    done = []
    for i in range(0, len(seq), 3):
        part = seq[i:i + 3]
        for c in part:
            acc += ord(c.lower()) - 96
        r = acc % len(part)
        done += part[r:] + part[:r]
    res = ""
    k = 0
    for c in text:
        if c == " ":
            res += " "
        else:
            res += done[k]
            k += 1
    return res
