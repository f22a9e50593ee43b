"""The player of ciphers: asks texts that suit every kind of cipher, then looks for one that explains all replies."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import get_args

import numpy as np

from interactive_envs.black_box.cipher import stages as cipher_stages
from interactive_envs.black_box.cipher.search import Pair, chains
from interactive_envs.black_box.cipher.stages import (
    LOWER,
    LOWER_FIRST,
    Blanks,
    Case,
    Cipher,
    Codes,
    Hill,
    PairPower,
    Playfair,
    Snake,
    Stage,
)
from interactive_envs.black_box.rules import BoxShown
from interactive_envs.black_box.solving import QuerySolver

CASES: tuple[Case, ...] = get_args(Case)
WHOLE = 51
"""Characters of the longest text with a plan; where queries must be shorter, all are of shuffled letters."""
PARTNERS = "bcdefghiklmnopqrstuvwxyz"
"""What a is paired with: j is i in squares of 25."""
PREDICTED = 3
"""Replies that a cipher must foretell before the player trusts it."""
FUNCTION = """
def solution(text):
    return " ".join(FOUND.encrypt(text).split()) if FOUND else text
"""
EARLY = {False: 5, True: 8}
"""Replies, whole ones and halves, after which it looks for a cipher; where it finds none, once more at the end."""


class Solver(QuerySolver):
    """Searches the ciphers that ``candidates`` lists for one that explains all replies.

    Its texts: the alphabet with blanks, the same in capitals, a with every other letter (where only half is shown, in
    two texts, and the alphabet from h on), then random letters of all lengths, every second one a capital on average;
    where texts must be short, these alone, every second text with a blank.
    It stops when a cipher has foretold three replies.
    """

    def start(self, random: np.random.Generator) -> None:
        """Begin with these draws."""
        self.random = random
        self._asked = 0
        self._found: Cipher | None = None
        self._searched = 0
        self._deck = ""

    def ask(self, shown: BoxShown, turns_left: int) -> str | None:
        """The next of its texts."""
        pairs = _pairs(shown)
        if self._found and not pairs[-1].agrees(self._found):
            self._found = None
            self._search(pairs)
        elif self._found and len(pairs) >= self._searched + PREDICTED:
            return None
        elif not self._found and len(pairs) == EARLY[shown.partial]:
            self._search(pairs)
        self._asked += 1
        return f"<query>{self._text(self._asked, shown)}</query>"

    def answer(self, shown: BoxShown) -> str:
        """What the cipher found makes of the item; as a function the stages' own source with the cipher found."""
        self._search(_pairs(shown))
        if shown.code:
            return f"{inspect.getsource(cipher_stages)}\n\nFOUND = {self._found!r}\n\n{FUNCTION}"
        text = self._found.encrypt(shown.item) if self._found else shown.item
        return " ".join(text.split()) or "none"

    def _search(self, pairs: Sequence[Pair]) -> None:
        if len(pairs) > self._searched and not (self._found and all(pair.agrees(self._found) for pair in pairs)):
            self._searched = len(pairs)
            fitting = (one for one in candidates(pairs) if all(pair.agrees(one) for pair in pairs))
            self._found = next(fitting, None)

    def _text(self, number: int, shown: BoxShown) -> str:
        longest = shown.public
        if longest < WHOLE:
            text, half = self._letters(longest - 1), longest // 2
            return text if number % 2 else f"{text[:half]} {text[half:]}"
        if number <= 2:
            return " ".join(LOWER if number == 1 else LOWER.upper()[:: -1 if shown.partial else 1])
        if number == 3 and not shown.partial:
            return "".join(f"a{letter}" for letter in PARTNERS)
        if number <= 4 and shown.partial:
            return "".join(f"a{letter}" for letter in 2 * (PARTNERS[:12] if number == 3 else PARTNERS[12:]))
        if number == 5 and shown.partial:
            return " ".join(LOWER[7:] + LOWER[:7])
        return self._letters((longest, longest - 1, 13, longest - 2, 14, longest, 9)[number % 7])

    def _letters(self, length: int) -> str:
        """The next of shuffled letters, small and capital."""
        while len(self._deck) < length:
            self._deck += "".join(LOWER_FIRST[letter] for letter in self.random.permutation(52))
        text, self._deck = self._deck[:length], self._deck[length:]
        return text


def _pairs(shown: BoxShown) -> list[Pair]:
    return [Pair(query, fact) for query, fact in shown.observations]


def candidates(pairs: Sequence[Pair]) -> Iterator[Cipher]:
    """Ciphers of the class that may agree with all pairs, the simplest kinds first."""
    if pairs:
        yield from _tables(pairs)
        yield from _snakes()
        yield from _pairwise(pairs)
        yield from chains(pairs)


# A code for every letter.


def _tables(pairs: Sequence[Pair]) -> Iterator[Cipher]:
    """Codes of one width, or parted by commas, or distinguished by what a blank becomes."""
    solid = [pair for pair in pairs if " " not in pair.plain]
    spaced = [pair for pair in pairs if " " in pair.plain]
    width = len(solid[0].shown) // len(solid[0].plain) if solid else 1
    blank = len(spaced[0].shown) - width * (len(spaced[0].plain) + 1) // 2 if spaced else 0
    blank_width = blank // spaced[0].plain.count(" ") if spaced else 0
    treatments: tuple[Blanks, ...] = ("stay", "drop", "letter")
    for joint, blanks in itertools.product(("", ","), treatments):
        table: dict[str, str] = {}
        for pair in pairs:
            for unit, code in _units(pair, blanks, joint, width, blank_width):
                if table.setdefault(unit, code) != code:
                    break
            else:
                continue
            break
        else:
            yield _coded(table, blanks, joint)
    if solid and spaced:
        for mark in set(spaced[0].shown) - set(solid[0].shown) - {"_"}:
            table = {" ": mark}
            for pair in spaced:
                letters = pair.plain[::2]
                tokens = zip(letters, pair.tokens(mark, len(letters)), strict=False)
                table.update({letter: token for letter, token in tokens if token})
            yield _coded(table, "letter", "")


def _units(pair: Pair, blanks: str, joint: str, width: int, blank_width: int) -> Iterator[tuple[str, str]]:
    """Letters (and blanks, where they are coded) with their codes, as far as shown."""
    units = pair.plain.replace(" ", "") if blanks == "drop" else pair.plain
    if joint:
        tokens = zip(units, pair.tokens(joint, len(units)), strict=False)
        yield from ((unit, token) for unit, token in tokens if token)
        return
    place = 0
    for unit in units:
        wide = width if unit != " " else 1 if blanks == "stay" else blank_width
        code = pair.shown[place : place + wide]
        if "_" not in code:
            yield unit, code
        place += wide


def _coded(table: Mapping[str, str], blanks: Blanks, joint: str) -> Cipher:
    """A letter never seen gets its other case's code, in the other case where all letters seen in both have it so."""
    both = [letter for letter in LOWER if letter in table and letter.upper() in table]
    turned = any(table[letter] != table[letter.upper()] for letter in both)
    codes = {letter.swapcase(): code.swapcase() if turned else code for letter, code in table.items()} | dict(table)
    letters = LOWER_FIRST + " "
    stage = Codes(alphabet=letters, codes=tuple(codes.get(letter, "") for letter in letters))
    return Cipher(stages=(stage,), blanks=blanks, joint=joint)


def _snakes() -> Iterator[Cipher]:
    """Up to eight columns, the number fixed or decided by the length."""
    for modulus, columns, case in itertools.product(range(1, 6), range(2, 9), CASES):
        yield Cipher(stages=(Snake(columns=columns, modulus=modulus),), case=case, blanks="drop")


# Pairs of letters.


def _pairwise(pairs: Sequence[Pair]) -> Iterator[Cipher]:
    """A power of pairs, a matrix, a square."""
    commas = any("," in pair.shown for pair in pairs)
    stages: list[Stage] = [*(_powers(pairs) if commas else [*_matrices(pairs), *_squares(pairs)])]
    treatments: tuple[Blanks, ...] = ("words", "stay", "drop")
    for stage, blanks in itertools.product(stages, treatments):
        for case in CASES if isinstance(stage, Playfair) else CASES[1:2]:
            yield Cipher(stages=(stage,), case=case, blanks=blanks, joint="," if commas else "")


def _powers(pairs: Sequence[Pair]) -> Iterator[Stage]:
    """Exponents up to 60, moduli up to 3,000."""
    before: list[int] = []
    after: list[int] = []
    for pair in pairs:
        letters = pair.plain.replace(" ", "").lower()
        values = [LOWER.index(letter) + 1 for letter in letters]
        tokens = pair.tokens(",", (len(values) + 1) // 2)
        for place, token in zip(range(0, len(values) - 1, 2), tokens, strict=False):
            if token.isdecimal():
                before.append(26 * values[place] + values[place + 1])
                after.append(int(token))
    if not before or max(after) >= 3000:
        return
    modulus = np.arange(max(after) + 1, 3001)
    base, wanted = np.array(before[:40])[:, None], np.array(after[:40])[:, None]
    power = base % modulus
    for exponent in range(2, 61):
        power = power * base % modulus
        for found in modulus[(power == wanted).all(axis=0)]:
            yield PairPower(exponent=exponent, modulus=int(found))


def _matrices(pairs: Sequence[Pair]) -> Iterator[Stage]:
    """Each row of the matrix by itself."""
    rows: list[tuple[int, ...]] = []
    for pair in pairs:
        if " " not in pair.plain:
            values = [LOWER.index(letter) for letter in pair.plain.lower()]
            made = [LOWER.find(letter) for letter in pair.shown.lower()]
            for place in range(0, min(len(values), len(made)) - 1, 2):
                rows.append((*values[place : place + 2], *made[place : place + 2]))
    rows = [row for row in rows if min(row) >= 0]
    if not rows:
        return
    first, second, one, two = np.array(rows).T[:, :, None]
    x, y = np.divmod(np.arange(676), 26)
    product = (first * x + second * y) % 26
    upper, lower = (np.flatnonzero((product == value).all(axis=0)).tolist() for value in (one, two))
    for top, bottom in itertools.product(upper[:1], lower[:1]):
        yield Hill(matrix=(top // 26, top % 26, bottom // 26, bottom % 26))


def _squares(pairs: Sequence[Pair]) -> Iterator[Stage]:
    """A square of 25 letters with a in its corner, from what becomes of a with every other letter."""
    made: dict[str, str] = {}
    for pair in pairs:
        places = range(0, min(len(pair.plain), len(pair.shown)) - 1, 2) if pair.plain.islower() else ()
        for place in places:
            if pair.plain[place] != "a":
                break
            if "_" not in pair.shown[place : place + 2]:
                made[pair.plain[place + 1]] = pair.shown[place : place + 2].lower()
    if not set(PARTNERS) <= set(made) or any(not code.isalpha() for code in made.values()):
        return
    firsts = [made[letter][0] for letter in PARTNERS]
    seconds = [made[letter][1] for letter in PARTNERS]
    # The letter right of a comes first for the four in its column and for the four in a's row; letters in a's column
    # come second for the four others of their row.
    right = max(LOWER, key=firsts.count)
    column = {letter for letter in LOWER if seconds.count(letter) >= 4}
    after, below = {"a": right}, dict[str, str]()
    for letter, one, two in zip(PARTNERS, firsts, seconds, strict=True):
        if letter in column:
            below[letter], below["a"] = two, one
        elif one == right and two not in column:
            after[letter] = two
    across, down = ["a"], ["a"]
    for line, step in ((across, after), (down, below)):
        while len(line) < 5 and line[-1] in step:
            line.append(step[line[-1]])
    if len(set(across)) < 5 or len(set(down)) < 5:
        return
    cells = {letter: place for place, letter in enumerate(across)} | {letter: 5 * y for y, letter in enumerate(down)}
    for letter, one, two in zip(PARTNERS, firsts, seconds, strict=True):
        if letter not in cells and one in across and two in down:
            cells[letter] = 5 * down.index(two) + across.index(one)
    if sorted(cells.values()) == [*range(25)]:
        yield Playfair(square="".join(sorted(cells, key=cells.__getitem__)))
