"""Ciphers in numbers: a text is its length and its characters."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase, digits
from typing import Any

from interactive_envs.black_box.cipher.boxes import LONGEST_ITEM
from interactive_envs.black_box.numeric.fields import Fields, Numbers
from interactive_envs.black_box.numeric.forms import text

PLAIN = f"{ascii_lowercase}{ascii_uppercase} "
CODED = f"{ascii_lowercase}{ascii_uppercase}{digits} ,"
LONGEST = 80
"""Characters in an answer of the twin; no cipher of the package makes more than 70 of an item."""
GROWTH = 6
"""Characters that one of a query becomes at most, with a comma or a blank after it."""


def fields(public: Any, partial: bool, generated: bool) -> Fields:
    """Plain and cipher texts."""
    return Fields(
        queries={"query": text(PLAIN, 1, public)},
        fact=text(f"{CODED}_", 0, GROWTH * public),
        answer=text(CODED, 1, LONGEST),
        item=text(PLAIN, 1, LONGEST_ITEM + 2),
        write=lambda tag, given: _some(given),
        write_answer=lambda item, given: _some(given),
        about=(public / 60,),
    )


def _some(given: str) -> str:
    """A text as it is read, blanks squeezed; where nothing would be left, a letter."""
    return " ".join(given.split()) or PLAIN[0]


NUMBERS = Numbers(fields)
