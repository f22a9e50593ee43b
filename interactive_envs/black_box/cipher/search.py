"""Which chains of a table, a shift and transpositions explain what a cipher was seen to do.

A chain has a shift, a letter-for-letter table before or after it, and at most two transpositions: one of any kind, and
one that turns blocks round, on the two sides of the shift. A transposition is tried by undoing it. What is left is
right only if equal keys have equal values under the kind of shift in question: with feedback, say, the sums of the
letters so far; that is tested for thousands of transpositions at once, and table and key are solved for where it holds.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

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
    KeyShift,
    PlaceShift,
    Rails,
    Stage,
    Transposition,
)

Numbers: TypeAlias = NDArray[np.int16]
Mask: TypeAlias = NDArray[np.bool_]
Samples: TypeAlias = list[tuple[int, int]]

LONGEST_KEY, LONGEST_LAG, MOST_STEPS = 10, 4, 12
GLANCE = 32
"""Letters of a text that decide whether a rule of places is worth a look at all texts."""
ENOUGH = 10
"""Times that the table must have been confirmed: with much hidden, anything passes otherwise."""
MOST_SOLVED = 500
"""Chains that are solved at most: from a few replies too many pass."""


class Kind(NamedTuple):
    """A kind of shift, together with a table.

    Attributes:
        of: its numbers come from a key, the place, or earlier letters of the cipher text or the plain text.
        size: the key's length, the step, or how far back the earlier letter stands.
        last: whether the table comes after the shift; it is tested for both at once where the shift has a key.
        curve: of places.
    """

    of: Literal["key", "place", "cipher", "plain"]
    size: int
    last: bool = True
    curve: Curve = "line"


KEYS = [Kind("key", length) for length in range(1, LONGEST_KEY + 1)]
LAGS = [
    Kind(of, lag, last) for of in ("cipher", "plain") for lag in range(1, LONGEST_LAG + 1) for last in (True, False)
]
PLACES = [
    Kind("place", step, last, curve)
    for step in range(1, MOST_STEPS + 1)
    for curve in get_args(Curve)
    for last in (True, False)
]

KINDS = (KEYS[0], *PLACES, *LAGS, *KEYS[1:])
"""Those with the fewest free numbers first."""


@dataclass(frozen=True)
class Pair:
    """A plain text and its cipher text, _ for characters that were not shown."""

    plain: str
    shown: str

    def agrees(self, cipher: Cipher) -> bool:
        """Whether a cipher gives this."""
        made = " ".join(cipher.encrypt(self.plain).split())
        return len(made) == len(self.shown) and all(
            sign in ("_", other) for sign, other in zip(self.shown, made, strict=True)
        )

    def tokens(self, mark: str, count: int) -> list[str]:
        """So many tokens with a mark between; '' for those that were not, or not wholly, shown.

        Whatever is hidden is so at one end. The list is empty if there are not so many.
        """
        parts = self.shown.split(mark)
        fill = [""] * (count - len(parts))
        if len(parts) > count or (fill and "_" not in self.shown):
            return []
        parts = [*fill, *parts] if self.shown.startswith("_") else [*parts, *fill]
        return ["" if "_" in part else part for part in parts]


@functools.cache
def _moves() -> tuple[Transposition, ...]:
    """Nothing, blocks, rails, columns in every order."""
    columns = [Columns(key=key) for size in range(2, 7) for key in itertools.permutations(range(size))]
    rails = [Rails(rows=rows) for rows in range(2, 6)]
    return (Columns(key=(0,)), *(Blocks(size=size) for size in (0, 2, 3, 4, 5, 6)), *rails, *columns)


@functools.cache
def _orders(length: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Each move's order of a row and the order back; two arrays of shape (moves, length)."""
    orders = np.array([move.order(length) for move in _moves()])
    return orders, np.argsort(orders, axis=1)


def chains(pairs: Sequence[Pair]) -> Iterator[Cipher]:
    """Chains that pass the test of their kind, the simplest first."""
    blanks: Blanks = "stay" if any(" " in pair.shown for pair in pairs) else "drop"
    plains = [pair.plain.replace(" ", "") for pair in pairs]
    ends: tuple[Codes, ...] = ()
    if any("," in pair.shown for pair in pairs):
        lists = [pair.tokens(",", len(plain)) for pair, plain in zip(pairs, plains, strict=True)]
        tokens = {token for tokens in lists for token in tokens if token}
        low = 0 if "0" in tokens else 1
        codes = tuple(str(number) for number in range(low, low + 26))
        if not tokens <= set(codes):
            return
        made = ["".join(LOWER[codes.index(token)] if token else "_" for token in tokens) for tokens in lists]
        ends = (Codes(codes=codes),)
    elif blanks == "stay":
        if any(len(pair.plain) != len(pair.shown) for pair in pairs):
            return
        made = ["".join(s for s, p in zip(pair.shown, pair.plain, strict=True) if p != " ") for pair in pairs]
    else:
        made = [pair.shown for pair in pairs]
    for plain, text in zip(plains, made, strict=True):
        if len(text) != len(plain) or not text.replace("_", "a").isalpha():
            return
    joined = "".join(made)
    case: Case = "lower" if joined.islower() else "upper" if joined.isupper() else "keep"
    alphabets: tuple[str, ...] = (LOWER,)
    # Where no text of one case changes case, capitals are carried along.
    if case == "keep" and any(one.islower() != other.islower() for one, other in zip(plains, made, strict=True)):
        alphabets = (LOWER_FIRST, UPPER_FIRST)
    for stages in _explained(alphabets, plains, made):
        yield Cipher(stages=(*stages, *ends), case=case, blanks=blanks, joint="," if ends else "")


def _explained(alphabets: Sequence[str], plains: Sequence[str], made: Sequence[str]) -> Iterator[tuple[Stage, ...]]:
    """Stages that make the one from the other, as far as it is shown."""
    numbers = [
        ([_numbers(text, alphabet) for text in plains], [_numbers(text, alphabet) for text in made])
        for alphabet in alphabets
    ]
    for alphabet, (before, after) in zip(alphabets, numbers, strict=True):
        starts = [out[0] - plain[0] for plain, out in zip(before, after, strict=True) if out[0] >= 0]
        for start in starts[:1]:
            yield (CommonShift(alphabet=alphabet, start=start % len(alphabet)),)
    moves = _moves()
    every, nothing = np.arange(len(moves)), np.zeros(len(moves), int)
    grid, moved = (part.ravel() for part in np.meshgrid(np.arange(1, 7), every[1:]))
    rounds = (
        (nothing[:1], nothing[:1]),
        (np.concatenate([every, nothing]), np.concatenate([nothing, every])),
        (np.concatenate([grid, moved]), np.concatenate([moved, grid])),
    )
    solved = 0
    longest = sorted(range(len(made)), key=lambda number: (number > 3, len(made[number])), reverse=True)
    for (inner, outer), (alphabet, (before, after)) in itertools.product(rounds, zip(alphabets, numbers, strict=True)):
        x, u = _arranged(before[longest[0]], after[longest[0]], inner, outer)
        for kind in KINDS:
            wide = GLANCE if kind.of == "place" else x.shape[1]
            left = np.flatnonzero(_functional(kind, [(x[:, :wide], u[:, :wide])], len(alphabet)))
            # First two texts for many rows, then all texts for the few that are left.
            for count in (2, len(made)):
                rows = [_arranged(before[text], after[text], inner[left], outer[left]) for text in longest[:count]]
                left = left[_functional(kind, rows, len(alphabet), ENOUGH * (count > 2))] if len(left) else left
            solved += len(left)
            for number in left[: max(0, MOST_SOLVED - solved + len(left))]:
                first, last = inner[number : number + 1], outer[number : number + 1]
                alone = [_arranged(*texts, first, last) for texts in zip(before, after, strict=True)]
                for between in _solved(kind, alone, alphabet):
                    yield (*_some(moves, first), *between, *_some(moves, last))


def _some(moves: Sequence[Stage], numbers: Numbers) -> list[Stage]:
    """The moves of these numbers that do something."""
    return [moves[number] for number in numbers if number]


def _numbers(text: str, alphabet: str) -> list[int]:
    """Letters as numbers, -1 for what is not shown."""
    return [alphabet.find(letter if letter in alphabet else letter.lower()) for letter in text]


def _arranged(plain: list[int], made: list[int], inner: Any, outer: Any) -> tuple[Numbers, Numbers]:
    """What goes into the shift and what comes out of it, a row for each pair of moves; -1 for what is not shown."""
    forth, back = _orders(len(plain))
    return np.array(plain, np.int16)[forth[inner]], np.array(made, np.int16)[back[outer]]


def _related(kind: Kind, x: Numbers, u: Numbers, size: int) -> tuple[Numbers, Numbers, Mask]:
    """Keys and outs that a table relates if the kind is right, and which of them are known; arrays by rows."""
    place, known, lag = np.arange(x.shape[1], dtype=np.int16), u >= 0, kind.size
    if kind.of == "key":
        return x + size * (place % lag), u, known
    if kind.of == "place":
        curve = _curve(kind, x.shape[1], size)
        return ((x + curve) % size, u, known) if kind.last else (x, (u - curve) % size, known)
    if kind.of == "cipher" and kind.last:
        return _summed(x, lag) % size + size * (place % lag), u, known
    if kind.of == "cipher":
        return x[:, lag:], (u[:, lag:] - u[:, :-lag]) % size, known[:, lag:] & known[:, :-lag]
    if kind.last:
        return (x[:, lag:] + x[:, :-lag]) % size, u[:, lag:], known[:, lag:]
    # u(i) = M(i) + M(i - lag): the alternating sums are M(i) up to the primer's number and a sign.
    sign = 1 - 2 * (place // lag % 2)
    unknown = _summed((~known).astype(np.int16), lag)
    return x + size * (2 * (place % lag) + place // lag % 2), _summed(u * sign, lag) * sign % size, unknown == 0


@functools.cache
def _curve(kind: Kind, length: int, size: int) -> Numbers:
    """The first shifts of a rule of places."""
    stage = PlaceShift(step=kind.size, curve=kind.curve)
    return np.array([stage.steps(place, (), ()) % size for place in range(length)], np.int16)


def _summed(x: Numbers, lag: int) -> Numbers:
    """Sums of every number and those one, two, … lags before it."""
    sums = np.empty_like(x)
    for start in range(lag):
        sums[:, start::lag] = np.cumsum(x[:, start::lag], axis=1, dtype=np.int16)
    return sums


def _functional(kind: Kind, data: Sequence[tuple[Numbers, Numbers]], size: int, repeats: int = 0) -> Mask:
    """In which rows equal keys have equal outs, at least so many times."""
    parts = []
    for x, u in data:
        if x.shape[1]:
            keys, outs, known = _related(kind, x, u, size)
            parts.append(np.where(known, keys * np.int16(size) + outs, -1))
    codes = np.concatenate(parts, axis=1)
    hidden = codes < 0
    codes = np.where(hidden, codes.max(axis=1, keepdims=True), codes)
    codes.sort(axis=1)
    keys, same = codes // size, codes[:, 1:] == codes[:, :-1]
    passed = (same | (keys[:, 1:] != keys[:, :-1])).all(axis=1)
    return np.asarray(passed & (same.sum(axis=1) - hidden.sum(axis=1) >= repeats) if repeats else passed)


def _solved(kind: Kind, rows: Sequence[tuple[Numbers, Numbers]], alphabet: str) -> Iterator[tuple[Stage, ...]]:
    """The table and the shift of a kind, from one arrangement."""
    size, lag = len(alphabet), kind.size
    parts: list[Samples] = [[] for _ in range(2 * lag)]
    for x, u in rows:
        keys, outs, known = _related(kind, x, u, size)
        for key, out in zip(keys[known].tolist(), outs[known].tolist(), strict=True):
            parts[key // size].append((key % size, out))
    keyed = kind.of == "key" or (kind.of == "cipher" and kind.last)
    for last in (True, False) if kind.of == "key" and lag > 1 else (kind.last,):
        if keyed:
            found = _aligned([functools.partial(_moved, part, last, size) for part in parts[:lag]], size)
        elif kind.of == "plain" and not last:
            halves = [functools.partial(_signed, parts[2 * start], parts[2 * start + 1], size) for start in range(lag)]
            found = _aligned(halves, size, free=True)
        else:
            found = _aligned([lambda k: parts[0]], size)
            if found and kind.of != "place":
                heads = [
                    [(int(x[0, start]), int(u[0, start])) for x, u in rows if start < x.shape[1] and u[0, start] >= 0]
                    for start in range(lag)
                ]
                starts = [functools.partial(_moved, part, last, size) for part in heads]
                found = _aligned(starts, size, found[0], free=True)
        if found:
            shift = _shift(kind, found[1], alphabet)
            code = _filled(found[0], alphabet)
            yield (code,) if kind == KEYS[0] else (shift, code) if last else (code, shift)


def _shift(kind: Kind, numbers: tuple[int, ...], alphabet: str) -> Stage:
    """The shift of a kind with its key or primer."""
    if kind.of == "place":
        return PlaceShift(alphabet=alphabet, step=kind.size, curve=kind.curve)
    if kind.of == "key":
        return KeyShift(alphabet=alphabet, key=numbers)
    return EarlierShift(alphabet=alphabet, primer=numbers, of=kind.of)


def _moved(part: Samples, last: bool, size: int, k: int) -> Samples:
    """Keys k further, before the table, or outs k back, after it."""
    return [((key + k) % size, out) if last else (key, (out - k) % size) for key, out in part]


def _signed(even: Samples, odd: Samples, size: int, k: int) -> Samples:
    """Alternating sums without the primer's number k."""
    return [(key, (out - k) % size) for key, out in even] + [(key, (out + k) % size) for key, out in odd]


def _aligned(
    parts: Sequence[Callable[[int], Samples]], size: int, table: Mapping[int, int] | None = None, *, free: bool = False
) -> tuple[dict[int, int], tuple[int, ...]] | None:
    """A one-to-one table, and a number for each part, under which all parts are of that table.

    Args:
        parts: samples (key, out) of each part given its number.
        size: how many numbers there are.
        table: what is known of the table.
        free: whether the first part may have any number; else it has 0.
    """
    forth = dict(table or {})
    back = {out: key for key, out in forth.items()}
    chosen: list[int] = []
    for part in parts:
        best, most = -1, -1
        for k in range(size if chosen or free else 1):
            matches = _matches(part(k), forth, back)
            if matches > most:
                best, most = k, matches
        if best < 0:
            return None
        chosen.append(best)
        for key, out in part(best):
            forth[key], back[out] = out, key
    return forth, tuple(chosen)


def _matches(samples: Samples, forth: Mapping[int, int], back: Mapping[int, int]) -> int:
    """How many samples the table has already; -1 where they contradict it or each other."""
    matches, seen, seen_back = 0, dict[int, int](), dict[int, int]()
    for key, out in samples:
        if forth.get(key, out) != out or back.get(out, key) != key:
            return -1
        if seen.setdefault(key, out) != out or seen_back.setdefault(out, key) != key:
            return -1
        matches += key in forth
    return matches


def _filled(table: Mapping[int, int], alphabet: str) -> Codes:
    """The table as a stage; what is not known goes on as an affine rule that holds for the rest, or else in order."""
    size = len(alphabet)
    lines = ([(factor * number + first) % size for number in range(size)] for factor, first in _affine(size))
    outs = next((line for line in lines if all(line[number] == out for number, out in table.items())), None)
    if outs is None:
        rest = iter(sorted(set(range(size)) - set(table.values())))
        outs = [table[number] if number in table else next(rest) for number in range(size)]
    return Codes(alphabet=alphabet, codes=tuple(alphabet[out] for out in outs))


@functools.cache
def _affine(size: int) -> tuple[tuple[int, int], ...]:
    """Factors and first numbers of one-to-one affine rules, the shifts first."""
    return tuple((factor, first) for factor in range(1, size) if math.gcd(factor, size) == 1 for first in range(size))
