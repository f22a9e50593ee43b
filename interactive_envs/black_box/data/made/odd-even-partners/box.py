def encipher(text):
    out = ""
    for c in text:
        if c != " ":
            base = 65 if c.isupper() else 97
            n = ord(c) - base
            if n % 2 == 0:
                n = n + 1
            else:
                n = n - 1
            c = chr(base + n)
        out += c
    return out
