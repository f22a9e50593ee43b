def encipher(text):
    out = []
    for ch in text:
        if ch in "aeiouAEIOU":
            out.append(chr(ord(ch) + 1))
        elif ch in "bfjpvBFJPV":
            out.append(chr(ord(ch) - 1))
        else:
            out.append(ch)
    return "".join(out)
