"""Ciphers: plain texts go in, cipher texts come out; the test asks for the cipher texts of other plain texts.

Source: ORACLE, encryption rule inference (sections 2 and 3, appendix H.4). Where its rules leave something open the
choice is in docs/black-boxes/cipher.md.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from interactive_envs.black_box.base import LEVELS, AnswerBox, Entry, Family, Function, Trial
from interactive_envs.black_box.cipher.stages import (
    LOWER,
    LOWER_FIRST,
    UPPER_FIRST,
    Blanks,
    Blocks,
    Case,
    Cipher,
    Codes,
    Columns,
    CommonShift,
    Curve,
    EarlierShift,
    Hill,
    KeyShift,
    PairPower,
    PlaceShift,
    Playfair,
    Rails,
    Shift,
    Snake,
    Stage,
    Transposition,
    affine,
    key_of,
    keyword_alphabet,
)
from interactive_envs.parsing import Unreadable

LONGEST = 60
"""Characters in a query at most."""
SHORTEST_ITEM, LONGEST_ITEM = 6, 14
"""Letters in an item's plain text."""
DEALT = 100
"""Times that texts are dealt beyond those needed, before fewer items are asked."""
LONGEST_ANSWER = 200
"""Characters in an answer at most; no fixed box makes more than 70 of an item."""

_PLAIN = re.compile(r"[A-Za-z ]+")
CIPHER_TEXT = re.compile(r"[A-Za-z0-9 ,]+")


class Enciphers(Protocol):
    """A cipher: a chain of stages, or somebody's code."""

    @property
    def about(self) -> str:
        """The rule in words."""

    @property
    def encrypt(self) -> Callable[[str], str]:
        """The cipher text of a plain text of ASCII letters and blanks."""


@dataclass(frozen=True, kw_only=True)
class CipherBox(AnswerBox):
    """A cipher. Queries, arguments, facts and answers are texts; in the facts of a partial box _ hides a character.

    Attributes:
        cipher: the rule.
        longest: characters in a query at most.
    """

    cipher: Enciphers
    longest: int = LONGEST

    @property
    def examples(self) -> tuple[str, ...]:
        """A query and an answer."""
        return ("<query>Some plain text</query>", "<answer>Kqw zzt</answer>")

    @property
    def public(self) -> int:
        """The characters that a query may have."""
        return self.longest

    def introduction(self) -> str:
        """Describe the queries and the replies."""
        half = (
            "half of its cipher text: the first half if the number of characters is even, otherwise the second half "
            "with the middle character; _ stands for each hidden character, e.g. 'Cipher text: ___ zzt'"
        )
        reply = half if self.partial else "its cipher text, e.g. 'Cipher text: Kqw zzt'"
        return (
            "A secret cipher turns plain texts into cipher texts, always by the same rule.\n"
            "<query>Some plain text</query> enciphers a plain text. It may have letters A to Z and a to z and blanks, "
            f"at most {self.longest} characters, and nothing else. The reply is {reply}. "
            "A cipher text has letters, digits, commas and blanks. In plain and cipher texts several blanks in a row "
            "are read as one, and blanks at the ends are dropped. What the cipher does with capitals and blanks is for "
            "you to find out."
        )

    def examination(self) -> str:
        """What the items ask."""
        whole = "whole " if self.partial else ""
        return (
            f"Each question gives a plain text of {SHORTEST_ITEM} to {LONGEST_ITEM} letters, sometimes with capitals "
            f"or blanks, whose cipher text you have not seen. Answer with its {whole}cipher text, e.g. "
            "<answer>Kqw zzt</answer>. Capitals, blanks and commas must be right, too."
        )

    def any_query(self, rng: np.random.Generator) -> str:
        """Any letters, some of them capitals, in words."""
        letters = "abcdefghijklmnopqrstuvwxyz"
        words = [
            "".join(letters[k] for k in rng.integers(26, size=int(rng.integers(1, 8))))
            for _ in range(int(rng.integers(1, 5)))
        ]
        text = " ".join(word.capitalize() if rng.random() < 0.3 else word for word in words)
        return f"<query>{text[: self.longest].strip()}</query>"

    def similar_query(self, query: Any, rng: np.random.Generator) -> str | None:
        """The text with one letter replaced."""
        places = [place for place, char in enumerate(query) if char.isalpha()]
        if not places:
            return None
        place, letter = int(rng.choice(places)), chr(ord("a") + int(rng.integers(26)))
        letter = letter.upper() if query[place].isupper() else letter
        return f"{query[:place]}{letter}{query[place + 1 :]}"

    def read_query(self, tag: str, body: str, seen: Any) -> str | Unreadable:
        """A plain text, blanks squeezed."""
        text = " ".join(body.split()) if len(body) <= 4 * LONGEST else body
        if len(text) <= self.longest and _PLAIN.fullmatch(text):
            return text
        problem = "has other characters than letters and blanks" if text else "has no letters"
        if len(text) > self.longest:
            problem = f"has {len(text)} characters"
        return Unreadable(
            f"The query {body[:40]!r} {problem}; write at most {self.longest} letters A to Z or a to z and blanks."
        )

    def reply(self, trial: Trial, memory: Any, query: str, rng: np.random.Generator) -> tuple[Any, Any]:
        """The cipher text, or half of it: which half depends on its length, so that no place is hidden always."""
        text = self.value(trial, query)
        if self.partial:
            hidden = len(text) // 2
            text = "_" * hidden + text[hidden:] if len(text) % 2 else text[:hidden] + "_" * hidden
        return text, memory

    def tell(self, query: str, fact: Any) -> str:
        """The cipher text in a line."""
        return f"Cipher text: {fact}" if fact else "The cipher text is empty."

    def reveal(self, trial: Trial) -> str:
        """The rule."""
        return f"The rule: {self.cipher.about}."

    def arguments(self, trial: Trial, asked: Sequence[str], rng: np.random.Generator, count: int) -> tuple[str, ...]:
        """Plain texts of all lengths and letters whose cipher texts were in no reply."""
        taken = {self.value(trial, query) for query in asked}
        chosen: list[str] = []
        for _ in range(count + DEALT):
            if len(chosen) >= count:
                break
            for text in plain_texts(rng):
                cipher_text = self.value(trial, text)
                if cipher_text not in taken and cipher_text != text:
                    taken.add(cipher_text)
                    chosen.append(text)
        return tuple(chosen[:count])

    def value(self, trial: Trial, argument: str) -> str:
        """The cipher text."""
        return " ".join(self.cipher.encrypt(argument).split())

    def question(self, trial: Trial, argument: str) -> str:
        """The plain text."""
        return f"The plain text is: {argument}\nWhat is its cipher text?"

    def read_answer(self, argument: str, body: str) -> str | Unreadable:
        """A cipher text, blanks squeezed, none beside a comma."""
        if len(body) <= 4 * LONGEST_ANSWER:
            text = ",".join(" ".join(part.split()) for part in body.split(","))
            if len(text) <= LONGEST_ANSWER and CIPHER_TEXT.fullmatch(text):
                return text
        return Unreadable(
            f"The answer {body[:40]!r} is not a cipher text; write at most {LONGEST_ANSWER} letters, digits, commas "
            "and blanks."
        )

    @property
    def function(self) -> Function:
        """The cipher as a function."""
        return Function(
            "solution(text: str) -> str",
            f"text is a plain text of {SHORTEST_ITEM} to {LONGEST_ITEM} letters A to Z and a to z, and blanks. "
            "Return its cipher text, exactly.",
        )

    def mark_value(self, truth: str, value: Any) -> float:
        """1 for the cipher text, read as an answer is."""
        return float(type(value) is str and self.read_answer("", value) == truth)


def plain_texts(rng: np.random.Generator) -> list[str]:
    """Eight plain texts that together tell rules apart.

    Lengths are eight of 6 to 14; the letters are dealt from shuffled alphabets, so that nearly all occur. Half of the
    texts have capitals, half one or two blanks. In all of them a letter of the first half comes again before the last
    letter, in half of them another twice in a row.
    """
    lengths = rng.permutation(np.arange(SHORTEST_ITEM, LONGEST_ITEM + 1))[:8]
    deck = "".join(LOWER[letter] for _ in range(5) for letter in rng.permutation(26))
    capitals, blanks = rng.permutation(8) % 2, rng.permutation(8) % 2
    texts, place = [], 0
    for number, length in enumerate(int(length) for length in lengths):
        letters = list(deck[place : place + length])
        place += length
        if capitals[number]:
            up = rng.random(length) < 0.4
            up[rng.integers(length)] = True
            letters = [letter.upper() if big else letter for letter, big in zip(letters, up, strict=True)]
        early = int(rng.integers((length - 1) // 2))
        letters[int(rng.integers(early + 1, length - 1))] = letters[early]
        if number % 2:
            there = int(rng.integers(length - 1))
            letters[there + 1] = letters[there]
        if blanks[number]:
            for gap in sorted(rng.choice(np.arange(1, length), int(rng.integers(1, 3)), replace=False), reverse=True):
                letters.insert(gap, " ")
        texts.append("".join(letters))
    return texts


# The fixed boxes.


def _greedy(number: int) -> list[int]:
    """The fewest of 8, 4, 2 and 1 that make a number: how many of each."""
    counts = []
    for unit in (8, 4, 2, 1):
        counts.append(number // unit)
        number %= unit
    return counts


def _ones_first(number: int) -> str:
    """The same as digits in ascending order."""
    eights, fours, twos, ones = _greedy(number)
    return "1" * ones + "2" * twos + "4" * fours + "8" * eights


def _five_bits(number: int) -> str:
    return format(number, "05b")


_KEY = (34, 51, 58, 11, 35)
_GRID = "btalpdhozkqfvsngicuxmrewy"
"""25 cells by rows, the rows and the columns called A, D, H, X, Z; i stands in XD."""
_BACON = [_five_bits(number) for number in (*range(13), *range(19, 32))]
_TABLE = "hycsmawjqdzfubovglixtenrkp"


def _adhxz(letter: str) -> str:
    row, column = divmod(_GRID.index("i" if letter == "j" else letter), 5)
    return "ADHXZ"[row] + "ADHXZ"[column]


def _codes(codes: Sequence[str], alphabet: str = LOWER) -> Codes:
    return Codes(alphabet=alphabet, codes=tuple(codes))


def _cipher(*stages: Stage, **options: Any) -> Callable[[], CipherBox]:
    return lambda: CipherBox(cipher=Cipher(stages=stages, **options))


_SMALL_AND_BLANK = LOWER + " "
_XY = str.maketrans("01", "XY")

BOXES = {
    "letter-number": Entry(
        "baseline",
        _cipher(_codes([str(number) for number in range(1, 27)]), case="lower", blanks="drop", joint=","),
        "a letter's number from 1 to 26",
        items=3,
    ),
    "01248-digits": Entry(
        "easy",
        _cipher(
            _codes([_ones_first(x) for x in range(1, 27)] + ["0"], _SMALL_AND_BLANK), case="lower", blanks="letter"
        ),
        "a letter's number as a sum of the fewest 1, 2, 4 and 8, a blank as 0",
    ),
    "01248-counts": Entry(
        "easy",
        _cipher(
            _codes(["".join(map(str, _greedy(x))) for x in range(1, 27)] + ["0"], _SMALL_AND_BLANK),
            case="lower",
            blanks="letter",
        ),
        "how many 8, 4, 2 and 1 make a letter's number, a blank as 0",
    ),
    "adhxz": Entry("easy", _cipher(_codes([_adhxz(x) for x in LOWER]), case="lower"), "row and column in a square"),
    "backpack": Entry(
        "easy",
        _cipher(
            _codes(
                [str(sum(k for k, bit in zip(_KEY, _five_bits(x), strict=True) if bit == "1")) for x in range(27)],
                _SMALL_AND_BLANK,
            ),
            case="lower",
            blanks="letter",
            joint=",",
        ),
        "the five bits of a letter's number times the key 34, 51, 58, 11, 35; a blank is number 26",
    ),
    "bacon": Entry(
        "easy",
        _cipher(
            _codes(
                [bits.translate(_XY).lower() for bits in _BACON] + [bits.translate(_XY) for bits in _BACON], LOWER_FIRST
            ),
            blanks="drop",
        ),
        "five bits as X and Y, n to z from 19 on; small x and y for small letters",
    ),
    "caesar": Entry("easy", _cipher(affine(1, 8)), "every letter goes 8 on"),
    "curve": Entry("easy", _cipher(Snake(columns=6), blanks="drop"), "six columns read in a snake from the last"),
    "fibonacci": Entry(
        "easy",
        _cipher(PlaceShift(alphabet=LOWER_FIRST, curve="fibonacci")),
        "shift by Fibonacci numbers among 52 letters",
    ),
    "index-shift": Entry(
        "easy", _cipher(PlaceShift(alphabet=LOWER_FIRST)), "shift by the place from 0 on, among 52 letters"
    ),
    "simple-substitution": Entry(
        "easy", _cipher(_codes("phqgiumeaylnofdxjkrcvstzwb")), "one fixed permutation of the alphabet"
    ),
    "zigzag": Entry("easy", _cipher(Rails(rows=3), blanks="drop"), "rail fence of three rows"),
    "compositional": Entry(
        "hard",
        _cipher(KeyShift(key=key_of("love", LOWER)), affine(3, 10), _codes(_TABLE), case="lower"),
        "the key LOVE, then 3x + 10, then a fixed permutation",
    ),
    "dynamic-curve": Entry(
        "hard",
        _cipher(Snake(columns=3, modulus=3), blanks="drop"),
        "curve of three columns and the remainder of the length by 3",
    ),
    "frequency": Entry(
        "hard",
        _cipher(CommonShift(alphabet=UPPER_FIRST, start=UPPER_FIRST.index("H"))),
        "shift by the most frequent letter so far, a hidden H first",
    ),
    "hill": Entry("hard", _cipher(Hill(matrix=(3, 5, 1, 2)), case="lower"), "pairs times the matrix 3 5, 1 2"),
    "playfair": Entry(
        "hard",
        _cipher(Playfair(square=keyword_alphabet("security").replace("j", "")), blanks="words"),
        "pairs in the square of SECURITY, word by word",
    ),
    "positional-keyword": Entry(
        "hard",
        _cipher(KeyShift(alphabet=UPPER_FIRST, key=key_of("Jackal", UPPER_FIRST))),
        "the key Jackal among 52 letters",
    ),
    "rsa": Entry(
        "hard",
        _cipher(PairPower(exponent=13, modulus=713), case="lower", blanks="drop", joint=","),
        "pairs as numbers to the 13th power modulo 713",
    ),
    "sequential-feedback": Entry(
        "hard",
        _cipher(EarlierShift(alphabet=UPPER_FIRST, primer=(UPPER_FIRST.index("b"),))),
        "shift by the cipher letter before, a b first, among 52 letters",
    ),
    "vigenere": Entry("hard", _cipher(KeyShift(key=key_of("memory", LOWER)), case="upper"), "the key MEMORY"),
}


# The generator.

KEYWORDS = tuple(
    "anchor basket candle donkey engine falcon garden hammer island jungle kitten ladder magnet needle orchid pepper "
    "quartz rabbit saddle timber umbrella velvet window yellow zipper".split()
)
"""Of keyed alphabets."""
LENGTHS = (14, 16, 17, 17, 33)
"""Characters in a query at most, by level: four queries show the less the shorter they are."""
PROBES = (
    "thequickbrownfoxjumpsoverlazydogs",
    "SphinxOfBlackQuartz",
    "aaaaaaaaaaaaaa",
    "abcdefghijklm",
    "Balloon to see",
    "zyxwvutsrqpo",
    "jumble",
)
"""Texts on which a generated cipher must be no simpler than it looks."""
TRIES = 100


def generate(rng: np.random.Generator, level: int) -> CipherBox:
    """A chain of stages, each of which counts.

    Args:
        rng: draws it.
        level: 1 one plain stage; 2 one stage with a key or a rule of places; 3 two stages; 4 three stages, or two with
            letters that depend on earlier ones; 5 three or four with longer keys, a third of them among 52 letters.

    Raises:
        ValueError: there is no such level.
    """
    if level not in LEVELS:
        raise ValueError(f"level must be one of {LEVELS}, got {level!r}")
    for _ in range(TRIES):
        cipher = _drawn(rng, level)
        if sound(cipher):
            return CipherBox(cipher=cipher, longest=LENGTHS[level - 1])
    # Never seen, and sound at every level.
    spare = Cipher(stages=(KeyShift(key=(3, 1, 4)), affine(5, 2), Rails(rows=3))[-max(1, level - 2) :])
    return CipherBox(cipher=spare, longest=LENGTHS[level - 1])


def sound(cipher: Cipher) -> bool:
    """Whether it changes every probe, tells all letters apart, and would differ without any one of its stages."""
    made = [cipher.encrypt(text) for text in PROBES]
    if any(one == text for one, text in zip(made, PROBES, strict=True)):
        return False
    if len({cipher.encrypt(f"qwerty{letter}") for letter in LOWER}) < 26:
        return False
    for place, stage in enumerate(cipher.stages):
        if isinstance(stage, Transposition) and any(
            stage.order(length) == [*range(length)] for length in range(SHORTEST_ITEM, LONGEST_ITEM + 1)
        ):
            return False
        rest = Cipher(
            stages=cipher.stages[:place] + cipher.stages[place + 1 :],
            case=cipher.case,
            blanks=cipher.blanks,
            joint=cipher.joint,
        )
        if [rest.encrypt(text) for text in PROBES] == made:
            return False
    return True


def _drawn(rng: np.random.Generator, level: int) -> Cipher:
    """A cipher at a level, not yet looked at."""
    wide = level == 5 and rng.random() < 1 / 3
    alphabet = (LOWER_FIRST, UPPER_FIRST)[rng.integers(2)] if wide else LOWER
    case: Case = "keep" if wide else ("keep", "lower", "upper")[rng.integers(3)]
    blanks: Blanks = ("stay", "drop")[rng.integers(2)]
    stages: list[Stage]
    if level == 1:
        stages = [_mono(rng, alphabet, shifts=True) if rng.random() < 0.8 else Blocks()]
    elif level == 2:
        stages = [_by_place(rng, alphabet, 2, 4) if rng.random() < 0.6 else _moved(rng, 3, 4)]
    elif level == 3:
        kinds = rng.permutation(3)[:2]
        stages = [(_mono(rng, alphabet), _by_place(rng, alphabet, 3, 5), _moved(rng, 3, 4))[kind] for kind in kinds]
    elif level == 4:
        if rng.random() < 0.5:
            stages = [_mono(rng, alphabet), _by_place(rng, alphabet, 3, 6), _moved(rng, 3, 5)]
        else:
            stages = [_by_earlier(rng, alphabet, 2), _moved(rng, 3, 5) if rng.random() < 0.5 else _mono(rng, alphabet)]
        stages = [stages[place] for place in rng.permutation(len(stages))]
    else:
        shift = _by_earlier(rng, alphabet, 3) if rng.random() < 0.5 else _by_place(rng, alphabet, 5, 8)
        stages = [shift, _moved(rng, 4, 6)]
        stages = [stages[place] for place in rng.permutation(2)]
        if rng.random() < 0.5:
            # On the other side of the shift, so that the two are not one.
            stages.insert(0 if stages[0] is shift else 2, Blocks(size=int(rng.integers(2, 7)) % 6))
        stages.insert(int(rng.integers(len(stages) + 1)), _mono(rng, alphabet))
    joint = ""
    if level >= 3 and not wide and rng.random() < 0.25:
        first = int(rng.integers(2))
        stages.append(_codes([str(number) for number in range(first, first + 26)]))
        case, blanks, joint = "lower", "drop", ","
    return Cipher(stages=tuple(stages), case=case, blanks=blanks, joint=joint)


def _mono(rng: np.random.Generator, alphabet: str, *, shifts: bool = False) -> Codes:
    """An affine map or a keyed alphabet; a plain shift or the alphabet backwards only where ``shifts``."""
    size = len(alphabet)
    if shifts and rng.random() < 0.5:
        return affine(1, int(rng.integers(1, size)), alphabet) if rng.random() < 0.7 else affine(-1, -1, alphabet)
    if rng.random() < 0.5:
        factors = [factor for factor in range(3, size) if math.gcd(factor, size) == 1]
        return affine(int(rng.choice(factors)), int(rng.integers(size)), alphabet)
    word = str(rng.choice(KEYWORDS))
    return _codes(keyword_alphabet(word, alphabet), alphabet)


def _by_place(rng: np.random.Generator, alphabet: str, shortest: int, longest: int) -> Shift:
    """A key of a length between the two, or a rule of places."""
    size = len(alphabet)
    if rng.random() < 0.6:
        length = int(rng.integers(shortest, longest + 1))
        key = tuple(int(value) for value in rng.permutation(size)[:length])
        return KeyShift(alphabet=alphabet, key=key)
    curves: tuple[Curve, ...] = ("line", "squares", "fibonacci")
    first, step = int(rng.integers(size)), int(rng.integers(1, 8))
    return PlaceShift(alphabet=alphabet, first=first, step=step, curve=curves[rng.integers(3)])


def _by_earlier(rng: np.random.Generator, alphabet: str, longest: int) -> EarlierShift:
    """Feedback or autokey with a primer of at most so many letters."""
    primer = tuple(int(value) for value in rng.integers(len(alphabet), size=int(rng.integers(1, longest + 1))))
    return EarlierShift(alphabet=alphabet, primer=primer, of="cipher" if rng.random() < 0.5 else "plain")


def _moved(rng: np.random.Generator, fewest: int, most: int) -> Transposition:
    """Rails, columns in some order, or blocks turned round, of a size between the two."""
    size = int(rng.integers(fewest, most + 1))
    draw = rng.random()
    if draw < 0.3:
        return Rails(rows=size - 1)
    if draw < 0.7:
        return Columns(key=tuple(int(column) for column in rng.permutation(size)))
    return Blocks(size=size)


FAMILY = Family(
    name="cipher",
    boxes=BOXES,
    generate=generate,
    hides="half of every cipher text, the last one if its length is even, else the first; items ask for the whole",
    section="sections 2 and 3, appendix H.4 (encryption rule inference)",
    items=8,
    levels=("4@1",) * 5,
    with_code=("backpack", "compositional", "frequency", "hill", "playfair", "rsa", "random"),
)
