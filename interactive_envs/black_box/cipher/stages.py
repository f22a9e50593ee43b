"""What ciphers are made of: stages that turn a row of letters into another, and a cipher as a chain of them.

Letters are numbered from 0 in an alphabet. An alphabet of 26 small letters serves capitals too: a capital is treated
as its small letter and stays a capital. An alphabet of 52 letters tells capitals apart.

Source of the kinds: ORACLE, appendix H.4, and the textbooks' classical ciphers.
"""

from __future__ import annotations

import string
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

LOWER = string.ascii_lowercase
UPPER = string.ascii_uppercase
LOWER_FIRST = LOWER + UPPER
UPPER_FIRST = UPPER + LOWER

Case = Literal["keep", "lower", "upper"]
Blanks = Literal["stay", "drop", "letter", "words"]
Curve = Literal["line", "squares", "fibonacci"]


@dataclass(frozen=True, kw_only=True)
class Stage(ABC):
    """A step of a cipher: tokens in, tokens out. A token is a letter until a code replaces it."""

    @abstractmethod
    def run(self, tokens: Sequence[str]) -> list[str]:
        """The tokens after the step."""

    @property
    @abstractmethod
    def about(self) -> str:
        """The step in a few words, parameters included."""


@dataclass(frozen=True, kw_only=True)
class Cipher:
    """A chain of stages between a treatment of capitals and blanks and a joint.

    Attributes:
        stages: what is done to the letters, in order.
        case: ``keep``, or all letters are made small or capital first.
        blanks: ``stay``: taken out before, and put back after as many tokens as letters stood before them; ``drop``:
            taken out; ``letter``: go through the stages as letters do; ``words``: every word is ciphered by itself.
        joint: stands between the tokens of the result.
    """

    stages: tuple[Stage, ...]
    case: Case = "keep"
    blanks: Blanks = "stay"
    joint: str = ""

    def encrypt(self, text: str) -> str:
        """The cipher text of a plain text of ASCII letters and blanks."""
        if self.case != "keep":
            text = text.lower() if self.case == "lower" else text.upper()
        if self.blanks == "words":
            return " ".join(self._through(word) for word in text.split())
        if self.blanks == "letter":
            return self._through(text)
        if self.blanks == "drop" or " " not in text:
            return self._through(text.replace(" ", ""))
        tokens = iter(self._run(text.replace(" ", "")))
        # A stage that pads makes the row longer than the text: what is left goes to the end.
        return "".join([" " if sign == " " else next(tokens, "") for sign in text] + list(tokens))

    @property
    def about(self) -> str:
        """The rule in words."""
        steps = "; ".join(stage.about for stage in self.stages)
        return f"{steps} (case: {self.case}, blanks: {self.blanks}{', joined by commas' if self.joint else ''})"

    def _through(self, letters: str) -> str:
        return self.joint.join(self._run(letters))

    def _run(self, letters: str) -> list[str]:
        tokens = list(letters)
        for stage in self.stages:
            tokens = stage.run(tokens)
        return tokens


# Letter by letter.


@dataclass(frozen=True, kw_only=True)
class Codes(Stage):
    """Every letter has its code, wherever it stands.

    Attributes:
        alphabet: the letters.
        codes: a code for each.
    """

    alphabet: str = LOWER
    codes: tuple[str, ...]

    @property
    def about(self) -> str:
        """In words."""
        return f"{self.alphabet!r} becomes {' '.join(self.codes)}"

    def run(self, tokens: Sequence[str]) -> list[str]:
        """Look each up; a capital that is not in the alphabet gets its small letter's code in capitals."""
        table = dict(zip(self.alphabet, self.codes, strict=True))
        return [table[token] if token in table else table[token.lower()].upper() for token in tokens]


def affine(factor: int, shift: int, alphabet: str = LOWER) -> Codes:
    """Letter x becomes ``factor * x + shift``; the factor has no divisor in common with the alphabet's size."""
    size = len(alphabet)
    return Codes(alphabet=alphabet, codes=tuple(alphabet[(factor * x + shift) % size] for x in range(size)))


def keyword_alphabet(word: str, alphabet: str = LOWER) -> str:
    """The word's letters in order, each once, then those that are left.

    >>> keyword_alphabet("hello")
    'heloabcdfgijkmnpqrstuvwxyz'
    """
    return "".join(dict.fromkeys(word + alphabet))


@dataclass(frozen=True, kw_only=True)
class Shift(Stage):
    """Every letter goes on by its own number of steps in the alphabet, round the end.

    Attributes:
        alphabet: 26 or 52 letters.
    """

    alphabet: str = LOWER

    def run(self, tokens: Sequence[str]) -> list[str]:
        """Shift from left to right."""
        size = len(self.alphabet)
        number = {letter: value for value, letter in enumerate(self.alphabet)}
        carried = [token not in number for token in tokens]
        plain = [number[token.lower() if small else token] for token, small in zip(tokens, carried, strict=True)]
        made: list[int] = []
        for place, value in enumerate(plain):
            made.append((value + self.steps(place, plain, made)) % size)
        letters = [self.alphabet[value] for value in made]
        return [letter.upper() if small else letter for letter, small in zip(letters, carried, strict=True)]

    @abstractmethod
    def steps(self, place: int, plain: Sequence[int], made: Sequence[int]) -> int:
        """The shift at a place (from 0), given all plain letters and the cipher letters before it, as numbers."""


@dataclass(frozen=True, kw_only=True)
class KeyShift(Shift):
    """By the numbers of a key, over and over.

    >>> "".join(KeyShift(key=(11, 4, 12, 14, 13)).run("ATTACKATDAWN"))
    'LXFOPVEFRNHR'
    """

    key: tuple[int, ...]

    @property
    def about(self) -> str:
        """In words."""
        return f"shifts {' '.join(map(str, self.key))} over and over among {len(self.alphabet)} letters"

    def steps(self, place: int, plain: Sequence[int], made: Sequence[int]) -> int:
        """The key's number at this place."""
        return self.key[place % len(self.key)]


def key_of(word: str, alphabet: str) -> tuple[int, ...]:
    """A word's letters as numbers."""
    return tuple(alphabet.index(letter) for letter in word)


@dataclass(frozen=True, kw_only=True)
class PlaceShift(Shift):
    """By a number that only the place i decides, i from 0: ``first + step * curve(i)``.

    Attributes:
        first: the shift where the curve is 0.
        step: its factor.
        curve: i, i squared, or the Fibonacci numbers 1, 1, 2, 3, 5.
    """

    first: int = 0
    step: int = 1
    curve: Curve = "line"

    @property
    def about(self) -> str:
        """In words."""
        return f"shift {self.first} + {self.step} x {self.curve} of the place among {len(self.alphabet)} letters"

    def steps(self, place: int, plain: Sequence[int], made: Sequence[int]) -> int:
        """The value of the curve."""
        if self.curve == "fibonacci":
            value, after = 1, 1
            for _ in range(place):
                value, after = after, value + after
        else:
            value = place if self.curve == "line" else place * place
        return self.first + self.step * value


@dataclass(frozen=True, kw_only=True)
class EarlierShift(Shift):
    """By the letter that stands so many places before as the primer has numbers; at the beginning by the primer.

    Attributes:
        primer: the first shifts.
        of: letters of the cipher text (feedback) or of the plain text (autokey), as the stage has them.
    """

    primer: tuple[int, ...]
    of: Literal["cipher", "plain"] = "cipher"

    @property
    def about(self) -> str:
        """In words."""
        return (
            f"shift by the {self.of} letter {len(self.primer)} before, at first by {' '.join(map(str, self.primer))}, "
            f"among {len(self.alphabet)} letters"
        )

    def steps(self, place: int, plain: Sequence[int], made: Sequence[int]) -> int:
        """An earlier letter's number."""
        back = len(self.primer)
        if place < back:
            return self.primer[place]
        return made[place - back] if self.of == "cipher" else plain[place - back]


@dataclass(frozen=True, kw_only=True)
class CommonShift(Shift):
    """By the letter that is the most frequent before this place in the plain text, a hidden first letter included.

    Attributes:
        start: the hidden first letter's number. Of equally frequent letters the first in the alphabet counts.
    """

    start: int

    @property
    def about(self) -> str:
        """In words."""
        return f"shift by the most frequent letter so far, {self.alphabet[self.start]} first"

    def steps(self, place: int, plain: Sequence[int], made: Sequence[int]) -> int:
        """The most frequent letter's number."""
        before = [self.start, *plain[:place]]
        return min(set(before), key=lambda letter: (-before.count(letter), letter))


# Letters change places.


@dataclass(frozen=True, kw_only=True)
class Transposition(Stage):
    """Letters change places, as the length of the row decides."""

    def run(self, tokens: Sequence[str]) -> list[str]:
        """Put every token where it belongs."""
        return [tokens[place] for place in self.order(len(tokens))]

    @abstractmethod
    def order(self, length: int) -> list[int]:
        """For each place of the result, which token stands there."""


@dataclass(frozen=True, kw_only=True)
class Blocks(Transposition):
    """Every block of ``size`` letters is turned round, the short last one too; size 0 turns the whole row round."""

    size: int = 0

    @property
    def about(self) -> str:
        """In words."""
        return f"blocks of {self.size} turned round" if self.size else "turned round"

    def order(self, length: int) -> list[int]:
        """Blocks in order, places in each backwards."""
        size = self.size or max(length, 1)
        starts = range(0, length, size)
        return [place for start in starts for place in reversed(range(start, min(start + size, length)))]


@dataclass(frozen=True, kw_only=True)
class Rails(Transposition):
    """Written down and up over ``rows`` rows in zigzag, read row by row.

    >>> "".join(Rails(rows=3).run("WEAREDISCOVEREDFLEEATONCE"))
    'WECRLTEERDSOEEFEAOCAIVDEN'
    """

    rows: int

    @property
    def about(self) -> str:
        """In words."""
        return f"a zigzag over {self.rows} rows"

    def order(self, length: int) -> list[int]:
        """Places sorted by their row."""
        period = 2 * (self.rows - 1)
        return sorted(range(length), key=lambda place: min(place % period, period - place % period))


@dataclass(frozen=True, kw_only=True)
class Columns(Transposition):
    """Written by rows under columns, read column by column, from the top, in the order of ``key``.

    >>> "".join(Columns(key=(4, 2, 0, 1, 3, 5)).run("ABCDEFGHIJ"))
    'ECIAGBHDJF'
    """

    key: tuple[int, ...]

    @property
    def about(self) -> str:
        """In words."""
        return f"columns {' '.join(str(column + 1) for column in self.key)} of rows"

    def order(self, length: int) -> list[int]:
        """Columns in the key's order."""
        return [place for column in self.key for place in range(column, length, len(self.key))]


@dataclass(frozen=True, kw_only=True)
class Snake(Transposition):
    """Written by rows into a table, its columns read from the last to the first, up, down, up and so on.

    Attributes:
        columns: how many there are, plus the length's remainder by ``modulus``.
        modulus: 1 for always the same number.

    Columns are told apart by blanks; one without letters leaves no blank, but the turns go on as if it were read.
    """

    columns: int
    modulus: int = 1

    @property
    def about(self) -> str:
        """In words."""
        return f"a snake through {self.columns} columns, plus the length modulo {self.modulus}"

    def order(self, length: int) -> list[int]:
        """The columns joined."""
        return [place for column in self.table(length) for place in column]

    def table(self, length: int) -> list[list[int]]:
        """The columns with letters, in the order and the direction they are read."""
        count = self.columns + length % self.modulus
        columns = [list(range(column, length, count)) for column in reversed(range(count))]
        turned = [column[:: -1 if number % 2 == 0 else 1] for number, column in enumerate(columns)]
        return [column for column in turned if column]

    def run(self, tokens: Sequence[str]) -> list[str]:
        """Read the columns, a blank between two."""
        return list(" ".join("".join(tokens[place] for place in column) for column in self.table(len(tokens))))


# Pairs of letters.


@dataclass(frozen=True, kw_only=True)
class Hill(Stage):
    """Pairs of letters as vectors, times a matrix by rows, modulo 26; a single last letter is paired with x.

    >>> "".join(Hill(matrix=(3, 3, 2, 5)).run("help"))
    'hiat'
    """

    matrix: tuple[int, int, int, int]

    @property
    def about(self) -> str:
        """In words."""
        return f"pairs times {self.matrix} modulo 26"

    def run(self, tokens: Sequence[str]) -> list[str]:
        """Multiply; the letters are small."""
        values = [LOWER.index(token) for token in tokens]
        values += [LOWER.index("x")] * (len(values) % 2)
        a, b, c, d = self.matrix
        pairs = zip(values[::2], values[1::2], strict=True)
        return [LOWER[value % 26] for x, y in pairs for value in (a * x + b * y, c * x + d * y)]


@dataclass(frozen=True, kw_only=True)
class Playfair(Stage):
    """Pairs of letters in a square of 25, j written as i.

    Two equal letters in a pair are parted by a filler, a single last letter gets one: x, or q where the letter is x.
    Each cipher letter has the case of the plain letter in its place, a filler that of the letter before it.

    Attributes:
        square: 25 small letters by rows.

    >>> "".join(Playfair(square="playfirexmbcdghknoqstuvwz").run("hidethegoldinthetreestump"))
    'bmodzbxdnabekudmuixmmouvif'
    """

    square: str

    @property
    def about(self) -> str:
        """In words."""
        return f"pairs in the square {self.square}"

    def run(self, tokens: Sequence[str]) -> list[str]:
        """Cipher the pairs."""
        return [letter for first, second in self.pairs(tokens) for letter in self.pair(first, second)]

    def pairs(self, tokens: Sequence[str]) -> list[tuple[str, str]]:
        """The row in pairs, fillers put in."""
        letters = [{"j": "i", "J": "I"}.get(token, token) for token in tokens]
        pairs, place = [], 0
        while place < len(letters):
            first = letters[place]
            second = letters[place + 1] if place + 1 < len(letters) else first
            if first.lower() == second.lower():
                filler = "q" if first.lower() == "x" else "x"
                pairs.append((first, filler.upper() if first.isupper() else filler))
                place += 1
            else:
                pairs.append((first, second))
                place += 2
        return pairs

    def pair(self, first: str, second: str) -> tuple[str, str]:
        """Right of each in the same row, below each in the same column, otherwise the other corners."""
        (row, column), (row2, column2) = (divmod(self.square.index(letter.lower()), 5) for letter in (first, second))
        if row == row2:
            made = (row, column + 1), (row, column2 + 1)
        elif column == column2:
            made = (row + 1, column), (row2 + 1, column)
        else:
            made = (row, column2), (row2, column)
        one, two = (self.square[at_row % 5 * 5 + at_column % 5] for at_row, at_column in made)
        return one.upper() if first.isupper() else one, two.upper() if second.isupper() else two


@dataclass(frozen=True, kw_only=True)
class PairPower(Stage):
    """Pairs of letters (a = 1) as the number ``26 * first + second``, to a power modulo n; a single last one alone."""

    exponent: int
    modulus: int

    @property
    def about(self) -> str:
        """In words."""
        return f"pairs to the power of {self.exponent} modulo {self.modulus}"

    def run(self, tokens: Sequence[str]) -> list[str]:
        """One number a pair; the letters are small."""
        values = [LOWER.index(token) + 1 for token in tokens]
        pairs = [values[place : place + 2] for place in range(0, len(values), 2)]
        numbers = [pair[0] * 26 + pair[1] if len(pair) == 2 else pair[0] for pair in pairs]
        return [str(pow(number, self.exponent, self.modulus)) for number in numbers]
