"""Ciphers computed a second time, from the sentences of docs/black-boxes/cipher.md and with nothing of the package.

Every fixed box is a plain function with its own constants, and has a decipherer where one is possible. Chains are
interpreted by the names and the parameters of their stages, every step another way than in the package.
"""

from __future__ import annotations

import itertools
import re

ABC = "abcdefghijklmnopqrstuvwxyz"
SMALL52 = ABC + ABC.upper()
LARGE52 = ABC.upper() + ABC


def keep_blanks(text, change):
    """Cipher the letters alone, then put the blanks back where they were; what is too long goes to the end."""
    made = change("".join(text.split(" ")))
    for place in [place for place, sign in enumerate(text) if sign == " "]:
        made = [*made[:place], " ", *made[place:]]
    return "".join(made)


def turn(letter, steps, letters):
    """A letter so many steps on; where only small letters are listed, a capital stays one."""
    if letter not in letters:
        return turn(letter.lower(), steps, letters).upper()
    ring = itertools.cycle(letters)
    return next(itertools.islice(ring, letters.index(letter) + steps % len(letters), None))


# Fixed boxes.


def letter_number(text):
    return ",".join(str(ord(sign) - 96) for sign in text.lower() if sign != " ")


def smallest_sum(number):
    """The shortest row of 1, 2, 4 and 8 with this sum, found by trying all; the one with most eights, fours, …"""
    for count in range(1, 8):
        rows = [row for row in itertools.combinations_with_replacement((1, 2, 4, 8), count) if sum(row) == number]
        if rows:
            return max(rows, key=lambda row: [row.count(unit) for unit in (8, 4, 2, 1)])
    raise AssertionError(number)


def digits_1248(text):
    return "".join("0" if sign == " " else "".join(map(str, smallest_sum(ord(sign) - 96))) for sign in text.lower())


def counts_1248(text):
    rows = ["0" if sign == " " else smallest_sum(ord(sign) - 96) for sign in text.lower()]
    return "".join(row if row == "0" else "".join(str(row.count(unit)) for unit in (8, 4, 2, 1)) for row in rows)


ADHXZ = (
    "a AH, b AA, c XH, d DA, e ZH, f HD, g XA, h DD, i XD, j XD, k DZ, l AX, m ZA, n HZ, o DH, p AZ, q HA, r ZD, s HX, "
    "t AD, u XX, v HH, w ZX, x XZ, y ZZ, z DX"
)
"""All 26 codes, as ORACLE's release lists them."""
TABLE = (7, 24, 2, 18, 12, 0, 22, 9, 16, 3, 25, 5, 20, 1, 14, 21, 6, 11, 8, 23, 19, 4, 13, 17, 10, 15)
"""The last permutation of compositional, as ORACLE's release lists it: what becomes of a, b and so on."""


def adhxz(text):
    codes = dict(one.split() for one in ADHXZ.split(", "))
    return "".join(sign if sign == " " else codes[sign] for sign in text.lower())


def backpack(text):
    sums = []
    for sign in text.lower():
        number, total = (ABC + " ").index(sign), 0
        for weight, value in ((34, 16), (51, 8), (58, 4), (11, 2), (35, 1)):
            if number >= value:
                number, total = number - value, total + weight
        sums.append(str(total))
    return ",".join(sums)


def bacon(text):
    made = ""
    for sign in text.replace(" ", ""):
        number = ABC.index(sign.lower())
        number += 6 * (number >= 13)
        bits = ""
        for _ in range(5):
            bits, number = "xy"[number % 2] + bits, number // 2
        made += bits if sign.islower() else bits.upper()
    return made


def caesar(text):
    return text.translate(str.maketrans(SMALL52, ABC[8:] + ABC[:8] + (ABC[8:] + ABC[:8]).upper()))


def snake(text, columns):
    """Read the table of a text without blanks."""
    rows = [text[start : start + columns] for start in range(0, len(text), columns)]
    made, up = [], True
    for column in range(columns - 1, -1, -1):
        letters = [row[column] for row in rows if column < len(row)]
        made.append("".join(reversed(letters) if up else letters))
        up = not up
    return " ".join(filter(None, made))


def curve(text):
    return snake(text.replace(" ", ""), 6)


def dynamic_curve(text):
    letters = text.replace(" ", "")
    return snake(letters, {0: 3, 1: 4, 2: 5}[len(letters) % 3])


def shifted(text, steps, letters):
    return keep_blanks(text, lambda row: [turn(sign, step, letters) for sign, step in zip(row, steps, strict=False)])


def fibonacci_numbers():
    one, two = 1, 1
    while True:
        yield one
        one, two = two, one + two


def fibonacci(text):
    return shifted(text, fibonacci_numbers(), SMALL52)


def index_shift(text):
    return shifted(text, itertools.count(), SMALL52)


def simple_substitution(text):
    table = "phqgiumeaylnofdxjkrcvstzwb"
    return "".join(table[ord(c) - 97] if c.islower() else table[ord(c) - 65].upper() if c != " " else c for c in text)


def zigzag(text):
    letters = text.replace(" ", "")
    return letters[::4] + letters[1::2] + letters[2::4]


def compositional(text):
    keyed = shifted(text.lower(), itertools.cycle([11, 14, 21, 4]), ABC)
    straight = "".join(sign if sign == " " else ABC[(3 * ABC.index(sign) + 10) % 26] for sign in keyed)
    return "".join(sign if sign == " " else ABC[TABLE[ABC.index(sign)]] for sign in straight)


def frequency(text):
    letters, past, made = text.replace(" ", ""), "H", []
    for sign in letters:
        often = max(past.count(one) for one in past)
        common = next(one for one in LARGE52 if past.count(one) == often)
        made.append(turn(sign, LARGE52.index(common), LARGE52))
        past += sign
    return keep_blanks(text, lambda _: made)


def hill(text, matrix=((3, 5), (1, 2))):
    def change(letters):
        letters += "x" * (len(letters) % 2)
        made = []
        for first, second in re.findall("(.)(.)", letters):
            for x, y in matrix:
                made.append(ABC[(x * ABC.index(first) + y * ABC.index(second)) % 26])
        return made

    return keep_blanks(text.lower(), change)


def unhill(text):
    """The inverse of 3 5, 1 2 modulo 26 is 2 -5, -1 3."""
    return hill(text, ((2, 21), (25, 3)))


def fillers(word):
    """A word as Playfair writes it, in pairs."""
    word = word.replace("j", "i").replace("J", "I")
    pairs = []
    while word:
        first, second = word[0], word[1:2]
        if second == "" or second.lower() == first.lower():
            second, word = ("q" if first in "xX" else "x"), word[1:]
            second = second.upper() if first.isupper() else second
        else:
            word = word[2:]
        pairs.append(first + second)
    return pairs


def in_square(pair, rows, step):
    """A pair in the square; step -1 deciphers."""
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    one, two = pair.lower()
    for lines in (rows, columns):
        for line in lines:
            if one in line and two in line:
                return "".join(same_case(line[(line.index(sign.lower()) + step) % 5], sign) for sign in pair)
    (row1,), (row2,) = ([row for row in rows if sign in row] for sign in (one, two))
    corners = row1[row2.index(two)], row2[row1.index(one)]
    return "".join(same_case(new, old) for new, old in zip(corners, pair, strict=True))


def same_case(letter, like):
    return letter.upper() if like.isupper() else letter


SECURITY = ("secur", "ityab", "dfghk", "lmnop", "qvwxz")


def playfair(text, rows=SECURITY):
    return " ".join("".join(in_square(pair, rows, 1) for pair in fillers(word)) for word in text.split(" "))


def unplayfair(text, rows=SECURITY):
    return " ".join("".join(in_square(pair, rows, -1) for pair in re.findall("..", word)) for word in text.split(" "))


def positional_keyword(text):
    return shifted(text, itertools.cycle([9, 26, 28, 36, 26, 37]), LARGE52)


def rsa(text):
    letters = text.lower().replace(" ", "")
    numbers = []
    for start in range(0, len(letters), 2):
        number = 0
        for sign in letters[start : start + 2]:
            number = 26 * number + ord(sign) - 96
        power = 1
        for _ in range(13):
            power = power * number % 713
        numbers.append(str(power))
    return ",".join(numbers)


def unrsa(text):
    """13 times 457 is 1 modulo 660 = 22 * 30, and 713 = 23 * 31."""
    letters = ""
    for token in text.split(","):
        first, second = divmod(pow(int(token), 457, 713) - 1, 26)
        letters += (chr(first + 96) if first else "") + chr(second + 97)
    return letters


def sequential_feedback(text):
    made, before = [], "b"
    for sign in text.replace(" ", ""):
        before = turn(sign, LARGE52.index(before), LARGE52)
        made.append(before)
    return keep_blanks(text, lambda _: made)


def vigenere(text):
    return shifted(text.lower(), itertools.cycle([12, 4, 12, 14, 17, 24]), ABC).upper()


FIXED = {
    "letter-number": letter_number,
    "01248-digits": digits_1248,
    "01248-counts": counts_1248,
    "adhxz": adhxz,
    "backpack": backpack,
    "bacon": bacon,
    "caesar": caesar,
    "curve": curve,
    "fibonacci": fibonacci,
    "index-shift": index_shift,
    "simple-substitution": simple_substitution,
    "zigzag": zigzag,
    "compositional": compositional,
    "dynamic-curve": dynamic_curve,
    "frequency": frequency,
    "hill": hill,
    "playfair": playfair,
    "positional-keyword": positional_keyword,
    "rsa": rsa,
    "sequential-feedback": sequential_feedback,
    "vigenere": vigenere,
}


# Decipherers: what must come out is written beside each.


def unshifted(text, steps, letters):
    return shifted(text, (-step for step in steps), letters)


def uncurve(text, length_of=lambda n: 6):
    """Every place's letter is where a text of places is sent to."""
    letters = text.replace(" ", "")
    places = snake("".join(map(chr, range(256, 256 + len(letters)))), length_of(len(letters))).replace(" ", "")
    return "".join(letters[places.index(chr(256 + place))] for place in range(len(letters)))


def unzigzag(text):
    top, middle = text[: -(-len(text) // 4)], text[-(-len(text) // 4) :][: len(text) // 2]
    bottom = iter(text[len(top) + len(middle) :])
    upper, between = iter(top), iter(middle)
    return "".join(
        next(between) if place % 2 else next(bottom) if place % 4 else next(upper) for place in range(len(text))
    )


def unfeedback(text):
    letters = text.replace(" ", "")
    steps = [-LARGE52.index(sign) for sign in "b" + letters[:-1]]
    return shifted(text, steps, LARGE52)


def unfrequency(text):
    past = "H"
    made = []
    for sign in text.replace(" ", ""):
        common = sorted(past, key=lambda one: (-past.count(one), LARGE52.index(one)))[0]
        made.append(turn(sign, -LARGE52.index(common), LARGE52))
        past += made[-1]
    return keep_blanks(text, lambda _: made)


def uncompositional(text):
    straight = "".join(sign if sign == " " else ABC[TABLE.index(ABC.index(sign))] for sign in text)
    keyed = "".join(sign if sign == " " else ABC[9 * (ABC.index(sign) - 10) % 26] for sign in straight)
    return unshifted(keyed, itertools.cycle([11, 14, 21, 4]), ABC)


def unbacon(text):
    codes = {bacon(sign): sign for sign in SMALL52}
    return "".join(codes[code] for code in re.findall(".{5}", text))


DECIPHERED = {
    "letter-number": (lambda text: "".join(chr(int(token) + 96) for token in text.split(",")), "small solid"),
    "bacon": (unbacon, "solid"),
    "caesar": (lambda text: unshifted(text, itertools.repeat(8), ABC), ""),
    "curve": (uncurve, "solid"),
    "fibonacci": (lambda text: unshifted(text, fibonacci_numbers(), SMALL52), ""),
    "index-shift": (lambda text: unshifted(text, itertools.count(), SMALL52), ""),
    "simple-substitution": (
        lambda text: text.translate(
            str.maketrans("phqgiumeaylnofdxjkrcvstzwbPHQGIUMEAYLNOFDXJKRCVSTZWB", ABC + ABC.upper())
        ),
        "",
    ),
    "zigzag": (unzigzag, "solid"),
    "compositional": (uncompositional, "small"),
    "dynamic-curve": (lambda text: uncurve(text, lambda n: n % 3 + 3), "solid"),
    "frequency": (unfrequency, ""),
    "positional-keyword": (lambda text: unshifted(text, itertools.cycle([9, 26, 28, 36, 26, 37]), LARGE52), ""),
    "rsa": (unrsa, "small solid"),
    "sequential-feedback": (unfeedback, ""),
    "vigenere": (lambda text: unshifted(text.lower(), itertools.cycle([12, 4, 12, 14, 17, 24]), ABC), "small"),
}
"""Decipherers, and what a plain text loses on the way."""


# Chains, by what their stages are called.


def stepped(stage, row):
    """One stage on a row of letters."""
    name, n = type(stage).__name__, len(row)
    letters = getattr(stage, "alphabet", ABC)
    if name == "Codes":
        return [
            "".join(same_case(stage.codes[letters.lower().index(s.lower())], s))
            if s not in letters
            else stage.codes[letters.index(s)]
            for s in row
        ]
    if name in ("KeyShift", "PlaceShift"):
        if name == "KeyShift":
            steps = itertools.cycle(stage.key)
        else:
            curves = {
                "line": itertools.count(),
                "squares": (i * i for i in itertools.count()),
                "fibonacci": fibonacci_numbers(),
            }
            steps = (stage.first + stage.step * value for value in curves[stage.curve])
        return [turn(sign, step, letters) for sign, step in zip(row, steps, strict=False)]
    if name == "EarlierShift":
        numbers = {sign: letters.index(sign if sign in letters else sign.lower()) for sign in SMALL52}
        queue, made = list(stage.primer), []
        for sign in row:
            made.append(turn(sign, queue.pop(0), letters))
            queue.append(numbers[made[-1] if stage.of == "cipher" else sign])
        return made
    if name == "Blocks":
        size = stage.size or n or 1
        return [sign for start in range(0, n, size) for sign in row[start : start + size][::-1]]
    if name == "Rails":
        rails, rail, step = [[] for _ in range(stage.rows)], 0, 1
        for sign in row:
            rails[rail].append(sign)
            step = 1 if rail == 0 else -1 if rail == stage.rows - 1 else step
            rail += step
        return [sign for one in rails for sign in one]
    assert name == "Columns", name
    table = [row[start : start + len(stage.key)] for start in range(0, n, len(stage.key))]
    return [line[column] for column in stage.key for line in table if column < len(line)]


def chained(cipher, text):
    """A generated cipher's text."""
    text = {"keep": str, "lower": str.lower, "upper": str.upper}[cipher.case](text)

    def change(letters):
        row = list(letters)
        for stage in cipher.stages:
            row = stepped(stage, row)
        return row

    if cipher.blanks == "stay":
        assert not cipher.joint
        return keep_blanks(text, change)
    return cipher.joint.join(change(text.replace(" ", "")))


def unchained(cipher, text):
    """What a generated cipher's text was made of, blanks and case as the cipher has them."""
    row = text.split(cipher.joint) if cipher.joint else list(text.replace(" ", ""))
    for stage in reversed(cipher.stages):
        row = back(stage, row)
    return keep_blanks(text, lambda _: row) if cipher.blanks == "stay" else "".join(row)


def back(stage, row):
    """One stage undone."""
    name = type(stage).__name__
    letters = getattr(stage, "alphabet", ABC)
    if name == "Codes":
        small = dict(zip(stage.codes, letters, strict=True))
        return [small[sign] if sign in small else small[sign.lower()].upper() for sign in row]
    if name in ("Blocks", "Rails", "Columns"):
        where = stepped(stage, list(range(len(row))))
        return [row[where.index(place)] for place in range(len(row))]
    if name == "EarlierShift":
        plain = []
        for place, sign in enumerate(row):
            source, lag = (row if stage.of == "cipher" else plain), len(stage.primer)
            one = source[place - lag] if place >= lag else ""
            number = letters.index(one if one in letters else one.lower()) if one else stage.primer[place]
            plain.append(turn(sign, -number, letters))
        return plain
    # The shift of every place, as it acts on a row of first letters.
    steps = [letters.index(sign) for sign in stepped(stage, [letters[0]] * len(row))]
    return [turn(sign, -step, letters) for sign, step in zip(row, steps, strict=True)]
