def encipher(text):
    out = ""
    for c in text:
        if c == " ":
            out += " "
        else:
            n = 0
            v = c
            while v not in "aeiouAEIOU":
                v = chr(ord(v) - 1)
                n += 1
            out += v + str(n)
    return out
