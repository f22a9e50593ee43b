"""Scores as a model gives them: whole numbers by name, as JSON, read tolerantly and never guessed."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from interactive_envs.judges.asking import Form
from interactive_envs.llm.base import Constraint
from interactive_envs.parsing import Unreadable, strip_thinking

_OBJECT = re.compile(r"\{[^{}]*\}")
_NUMBER = re.compile(r"\s*(\d{1,9})(?:\.0{1,9})?\s*(?:/\s*(\d{1,9}))?\s*", re.ASCII)
_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def score_form(names: Sequence[str], highest: int) -> Form[dict[str, int]]:
    """A reply that gives these scores, as JSON.

    Args:
        names: what is scored.
        highest: the most that each may get; the least is 0.
    """
    sample = ", ".join(f'"{name}": N' for name in names)
    again = (
        f"Your reply could not be read: $problem Reply with {{{sample}}} only, where each N is a whole number from 0 "
        f"to {highest}, and with nothing before or after it."
    )
    schema = {
        "type": "object",
        # Not every provider enforces a minimum and a maximum; all that enforce a schema know a list of values.
        "properties": {name: {"type": "integer", "enum": list(range(highest + 1))} for name in names},
        "required": list(names),
        "additionalProperties": False,
    }
    read = functools.partial(read_scores, names=names, highest=highest)
    return Form("scores", read, again, Constraint(json_schema=schema))


def read_scores(text: str, names: Sequence[str], highest: int) -> dict[str, int] | Unreadable:
    """Read the scores a reply gives.

    Accepted is a JSON object with all of them, fenced, inside another object or with text around it; whole numbers may
    be written as ``12.0``, ``"12"`` or ``"12/20"``. Two objects that differ are unreadable.

    >>> read_scores('Here: {"layout": 12.0, "style": "3/20", "total": 15}', ("layout", "style"), 20)
    {'layout': 12, 'style': 3}
    >>> read_scores('{"layout": 21, "style": 9}', ("layout", "style"), 20)
    Unreadable(reason="'layout' is 21, not a whole number from 0 to 20.")
    """
    plain = strip_thinking(text)
    if not plain:
        return Unreadable("It is empty.")
    if re.search("|".join(f'"{re.escape(name)}"' for name in names), _OBJECT.sub("", plain), re.IGNORECASE):
        return Unreadable("There are scores outside a complete flat JSON object.")
    found: dict[str, int] | None = None
    for pairs in _objects(plain, names):
        read = _all(pairs, names, highest)
        if isinstance(read, Unreadable):
            return read
        if found is not None and read != found:
            return Unreadable("It gives two different sets of scores.")
        found = read
    count = _WORDS[len(names)] if len(names) < len(_WORDS) else str(len(names))
    return Unreadable(f"I found no JSON with the {count} scores.") if found is None else found


def _objects(text: str, names: Sequence[str]) -> Iterator[list[tuple[str, Any]]]:
    """The pairs of every innermost JSON object that names a score, keys in lower case."""
    for match in _OBJECT.finditer(text):
        try:
            pairs = [(key.strip().casefold(), value) for key, value in json.loads(match[0], object_pairs_hook=list)]
        except (ValueError, RecursionError):
            continue
        if any(key in names for key, _ in pairs):
            yield pairs


def _all(pairs: Sequence[tuple[str, Any]], names: Sequence[str], highest: int) -> dict[str, int] | Unreadable:
    scores: dict[str, int] = {}
    for key, value in pairs:
        if key not in names:
            continue
        score = _whole(value, highest)
        if score is None:
            return Unreadable(f"{key!r} is {str(value)[:40]}, not a whole number from 0 to {highest}.")
        if scores.setdefault(key, score) != score:
            return Unreadable(f"{key!r} is given twice.")
    missing = [name for name in names if name not in scores]
    if missing:
        return Unreadable(f"There is no {', '.join(map(repr, missing))}.")
    return {name: scores[name] for name in names}


def _whole(value: Any, highest: int) -> int | None:
    """A whole number from 0 to the highest; None for anything else."""
    if isinstance(value, str):
        match = _NUMBER.fullmatch(value)
        value = int(match[1]) if match and (match[2] is None or match[2] == str(highest)) else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= highest:
        return None
    return int(value) if value == int(value) else None
