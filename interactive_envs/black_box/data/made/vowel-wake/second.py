def encipher(text):
    vowels = "aeiou"
    after_vowels = "bfjpv"
    out = []
    for c in text:
        small = c.lower()
        if small in vowels:
            out.append(chr(ord(c) + 1))
        elif small in after_vowels:
            out.append(chr(ord(c) - 1))
        else:
            out.append(c)
    return "".join(out)
