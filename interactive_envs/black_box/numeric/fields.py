"""What the queries, facts, items and answers of a kind of box are made of, as far as a player is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from interactive_envs.black_box.base import Box
from interactive_envs.black_box.numeric.forms import NOTHING, Form


@dataclass(frozen=True)
class Fields:
    """A box's forms, made from what it tells of itself: two boxes that tell the same have the same ones.

    Attributes:
        queries: by tag, the form of what :attr:`parted` gives.
        fact: the form of facts.
        answer: the form of answers, None of boxes that are played.
        item: the form of an item's key.
        parted: a query as its tag and the rest of it.
        write: the inside of a tag for a query, given the tag and the value of its form.
        write_answer: the inside of the answer's tag, given the item's key and the value of the answer's form.
        legal: whether a tag may be used, given what is seen of the box's memory.
        about: numbers from 0 to 1 for what the box tells of itself, where generated ones differ.
    """

    queries: Mapping[str, Form]
    fact: Form
    answer: Form
    write: Callable[[str, Any], str]
    write_answer: Callable[[Any, Any], str]
    item: Form = NOTHING
    parted: Callable[[Any], tuple[str, Any]] = lambda query: ("query", query)
    legal: Callable[[str, Any], bool] = lambda tag, seen: True
    about: tuple[float, ...] = ()


@dataclass(frozen=True)
class Numbers:
    """What a family declares for numeric twins, each family's ``fields.py`` has one as ``NUMBERS``.

    Attributes:
        fields: forms from what a box tells of itself, whether observability is partial, and whether the box was
            generated; None where all boxes have menus.
        widest: what generated boxes of a level tell of themselves, of every kind one with the most of everything; None
            where all boxes of a level tell the same.
        box_of: a box with the same menus, from what it tells of itself and whether observability is partial; for
            generated boxes with menus.
    """

    fields: Callable[[Any, bool, bool], Fields] | None = None
    widest: Callable[[int], Sequence[Any]] | None = None
    box_of: Callable[[Any, bool], Box] | None = None
