def encipher(text):
    out = []
    k = 0
    for w in text.split(" "):
        if w:
            k += 1
            if k % 2 == 0:
                w = w[::-1]
        out.append(w)
    return " ".join(out)
