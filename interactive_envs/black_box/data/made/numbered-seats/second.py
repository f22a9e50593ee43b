def encipher(text):
    out = []
    for c in text:
        if c == " ":
            out.append(" ")
        else:
            out.append(c + str(ord(c.lower()) - ord("a") + 1))
    return "".join(out)
