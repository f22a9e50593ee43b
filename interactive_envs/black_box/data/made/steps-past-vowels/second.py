def encipher(text):
    out = []
    for c in text:
        if c == " ":
            out.append(" ")
            continue
        small = c.lower()
        vowel = "a"
        for candidate in "aeiou":
            if candidate <= small:
                vowel = candidate
        steps = ord(small) - ord(vowel)
        if c != small:
            vowel = vowel.upper()
        out.append(vowel + str(steps))
    return "".join(out)
