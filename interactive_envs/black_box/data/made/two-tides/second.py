VOWELS = "AEIOU"
CONSONANTS = "BCDFGHJKLMNPQRSTVWXYZ"


def encipher(text):
    direction = 1  # 1 is normal, -1 is turned
    total = 1
    gap = 0
    out = []
    for ch in text:
        if ch == " ":
            out.append(ch)
            direction = -direction
            continue
        capital = "A" <= ch <= "Z"
        letter = ch.upper()
        if letter in VOWELS:
            place = VOWELS.index(letter)
            new = VOWELS[(place + direction * gap) % 5]
            total += place + 1
            gap = 0
        else:
            place = CONSONANTS.index(letter)
            new = CONSONANTS[(place - direction * total) % 21]
            gap += 1
        out.append(new if capital else new.lower())
    return "".join(out)
