"""Hidden parts of encodings: frequencies of letters, digits of a number, letters of a word."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping
from typing import Any

from interactive_envs.mathematics.generators.draft import Draft, Rng, pick
from interactive_envs.mathematics.generators.encodings.check_digits import CheckDigits
from interactive_envs.mathematics.generators.encodings.prefix_codes import Prefixes
from interactive_envs.mathematics.generators.setting import HiddenPart, Setting, Values, by
from interactive_envs.mathematics.generators.wording import ORDINALS, listed


def _prefix_codes(rng: Rng, difficulty: int) -> Setting:
    """A shortest code for letters that occur hidden numbers of times."""
    letters = "ABCDE" if difficulty <= 2 else "ABCDEF"
    arity = pick(rng, (2, 3))
    names = [f"n({letter})" for letter in letters]
    symbols = "0 and 1" if arity == 2 else "0, 1 and 2"
    text = f"""A text consists of the letters {listed(list(letters))}; the letter A occurs n(A) times, B n(B) times and
        so on. These numbers are hidden. Each letter gets a code word, a sequence of one or more of the symbols
        {symbols}. The code words of all letters of the text follow each other without any mark between them, so no code
        word may be the beginning of another one. What is the smallest possible number of symbols for the whole text?"""

    def derive(draft: Draft, found: Values) -> None:
        heap = sorted(found.values())
        joins = []
        # a group of fewer than ``arity`` is joined first, so that the last join is full
        take = (len(heap) - 2) % (arity - 1) + 2
        while len(heap) > 1:
            joins.append(sum(heap[:take]))
            heap = sorted([*heap[take:], joins[-1]])
            take = arity
        total = sum(found.values())
        draft.find("total", total, "length of the text", "number of letters of the text")
        draft.step(f"The text has {total} letters.", f"Eq(total, {' + '.join(f'n_{letter}' for letter in letters)})")
        for k, join in enumerate(joins[:-1], 1):
            draft.find(f"join_{k}", join, f"weight of join {k}", f"number of letters joined in step {k}")
            draft.step(f"Joining the rarest groups makes one of {join}.", f"Eq(join_{k}, {join})")
        claim = " + ".join([*(f"join_{k}" for k in range(1, len(joins))), "total"])
        draft.note(f"""
            find answer = {sum(joins)}: answer; number of symbols; smallest number of symbols; length of the code
            step Each join adds one symbol to the words below it; the last joins all. :: Eq(answer, {claim})
        """)

    parameters = {"counts": names, "arity": arity, "limit": 0}
    phrases = {f"n({x})": (f"frequency of {x.lower()}", f"number of times that {x.lower()} occurs") for x in letters}
    ranges = dict.fromkeys(names, (5, 36 if difficulty <= 2 else 20))
    return Setting(text, parameters, ranges, derive, phrases=phrases)


def _check_digits(rng: Rng, difficulty: int) -> Setting:
    """Check digits of a number with hidden digits."""
    length = 6 if difficulty <= 2 else 7
    modulus = pick(rng, (97, 89, 83, 79))
    names = [f"d({k})" for k in range(1, length + 1)]
    text = f"""A number has the {length} digits {listed(names)}, from left to right; the first may be 0, too. They are
        hidden. Two check digits are written behind them. Together they are the smallest number x (x = 0 is written 00)
        for which the whole number of {length + 2} digits is a multiple of {modulus}. What is x?"""

    def derive(draft: Draft, found: Values) -> None:
        number = int("".join(map(str, found.values())))
        rest = 100 * number % modulus
        value = " + ".join(f"{10 ** (length - k)}*d_{k}" for k in range(1, length + 1))
        draft.note(f"""
            find number = {number}: number without its check digits; number that the digits form
            find rest = {rest}: remainder with the check digits 00; remainder of 100 times the number
            find answer = {-rest % modulus}: answer; check digits; x
            step The digits form {number}. :: Eq(number, {value})
            step With 00 behind them the remainder is {rest}. :: Eq(rest, Mod(100*number, {modulus}))
            step The check digits make up what is missing. :: Eq(answer, Mod(-rest, {modulus}))
        """)

    parameters = {"modulus": modulus, "digits": names, "checks": []}
    phrases = {name: (f"{ORDINALS[k - 1]} digit", f"digit number {k}", f"digit {k}") for k, name in enumerate(names, 1)}
    return Setting(text, parameters, dict.fromkeys(names, (0, 9)), derive, phrases=phrases)


def _word_ranks(rng: Rng, difficulty: int) -> Setting:
    """The place in alphabetical order of a word with hidden letters."""
    size = pick(rng, (9, 10, 11, 12))
    length = 5 if difficulty <= 2 else 6
    letters = "ABCDEFGHIJKL"[:size]
    names = [f"p({k})" for k in range(1, length + 1)]
    text = f"""All words of {length} letters from {letters[0]} to {letters[-1]} in which no two neighbouring letters are
        equal are listed in alphabetical order, beginning with number 1. One of these words is hidden: its letter number
        k is the letter number p(k) of the alphabet (A is 1, B is 2 and so on). What is this word's number in the
        list?"""

    def derive(draft: Draft, found: Values) -> None:
        places = list(found.values())
        before = []
        for k, place in enumerate(places):
            smaller = place - 1 - (k > 0 and places[k - 1] < place)
            before.append(smaller * (size - 1) ** (length - 1 - k))
        for k, each in enumerate(before[:3], 1):
            draft.find(f"skip_{k}", each, f"words skipped by letter {k}", f"words before it because of letter {k}")
        rest = sum(before[3:])
        draft.note(f"""
            find rest = {rest}: words skipped by the other letters; words before it because of the other letters
            find answer = {sum(before) + 1}: answer; number of the word; place in the list; rank
            step The first letter skips {before[0]} words. :: Eq(skip_1, (p_1 - 1)*{(size - 1) ** (length - 1)})
            step The second skips {before[1]} words, as the letter before it is not allowed.
                :: Eq(skip_2, {before[1]})
            step All skipped words come before it. :: Eq(answer, skip_1 + skip_2 + skip_3 + rest + 1)
        """)

    def fits(found: Values) -> bool:
        places = list(found.values())
        return all(a != b for a, b in itertools.pairwise(places))

    parameters = {"letters": size, "places": names}
    phrases = {name: (f"number of letter {k}", f"letter number {k}") for k, name in enumerate(names, 1)}
    return Setting(text, parameters, dict.fromkeys(names, (1, size)), derive, fits=fits, phrases=phrases)


def _rank(given: Mapping[str, Any]) -> int:
    """Count the words that are not larger, letter after letter."""
    places, size = tuple(given["places"]), given["letters"]

    @functools.cache
    def words(done: int, last: int, equal: bool) -> int:
        """How many words end a beginning of ``done`` letters, at most the given one where it is equal so far."""
        if done == len(places):
            return 1
        most = places[done] if equal else size
        return sum(words(done + 1, x, equal and x == places[done]) for x in range(1, most + 1) if x != last)

    return words(0, 0, True)


HIDDEN: Mapping[str, HiddenPart] = {
    "prefix-codes": HiddenPart(_prefix_codes, by(Prefixes(), 1)),
    "check-digits": HiddenPart(_check_digits, by(CheckDigits(), 1)),
    "word-ranks": HiddenPart(_word_ranks, _rank),
}
"""Seeds of generated problems depend on this order: append a new one at the end."""
