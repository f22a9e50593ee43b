def encipher(text):
    letters = [ch for ch in text if ch != " "]
    moved = []
    total = 0
    for start in range(0, len(letters), 3):
        block = letters[start:start + 3]
        for ch in block:
            total += ord(ch.lower()) - ord("a") + 1
        r = total % len(block)
        moved.extend(block[r:] + block[:r])
    out = []
    position = 0
    for ch in text:
        if ch == " ":
            out.append(ch)
        else:
            out.append(moved[position])
            position += 1
    return "".join(out)
