def encipher(text):
    out = []
    for ch in text:
        if ch == " ":
            out.append(ch)
        elif ch.isupper():
            out.append(chr(65 + (ord(ch) - 65 + 1) % 26))
        else:
            out.append(chr(97 + (ord(ch) - 97 - 1) % 26))
    return "".join(out)
