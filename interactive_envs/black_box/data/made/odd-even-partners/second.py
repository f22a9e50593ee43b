def encipher(text):
    out = []
    for c in text:
        if c == " ":
            out.append(" ")
            continue
        number = ord(c.lower()) - ord("a") + 1
        if number % 2 == 1:
            out.append(chr(ord(c) + 1))
        else:
            out.append(chr(ord(c) - 1))
    return "".join(out)
