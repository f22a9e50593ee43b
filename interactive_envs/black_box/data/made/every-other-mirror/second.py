def encipher(text):
    pieces = text.split(" ")
    number = 0
    out = []
    for piece in pieces:
        if piece:
            number += 1
            if number % 2 == 0:
                piece = piece[::-1]
        out.append(piece)
    return " ".join(out)
