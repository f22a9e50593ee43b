def encipher(text):
    out = ""
    for ch in text:
        if ch == " ":
            out += " "
        else:
            out += ch + str(ord(ch.lower()) - 96)
    return out
