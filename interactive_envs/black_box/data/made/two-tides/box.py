def encipher(text):
    soft = "aeiou"
    firm = "bcdfghjklmnpqrstvwxyz"
    way = 1
    total = 1
    gap = 0
    out = []
    for ch in text:
        if ch == " ":
            way = -way
            out.append(ch)
            continue
        low = ch.lower()
        if low in soft:
            spot = soft.index(low)
            new = soft[(spot + way * gap) % 5]
            total += spot + 1
            gap = 0
        else:
            new = firm[(firm.index(low) - way * total) % 21]
            gap += 1
        out.append(new.upper() if ch.isupper() else new)
    return "".join(out)
