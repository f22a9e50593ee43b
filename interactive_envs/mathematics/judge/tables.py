"""Tables of words and phrases: read once from the TOML files in ``data``."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Any, TypeAlias

Phrase: TypeAlias = tuple[str, ...]
"""The words of a phrase."""


def load(name: str) -> dict[str, Any]:
    """Return the tables of ``data/NAME.toml``; the order of their entries is the file's."""
    return tomllib.loads(resources.files(__package__).joinpath("data", f"{name}.toml").read_text("utf-8"))


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


def phrases(lines: Iterable[str]) -> tuple[Phrase, ...]:
    """Return phrases in the order of their lines."""
    return tuple(tuple(line.split()) for line in lines)


def longest_first(lines: Iterable[str]) -> tuple[Phrase, ...]:
    """Return phrases, those of more words first, else in the order of their lines."""
    return tuple(sorted(phrases(lines), key=len, reverse=True))


def meanings(table: Mapping[str, str]) -> tuple[tuple[Phrase, str], ...]:
    """Return phrases with what each stands for, in the table's order."""
    return tuple((tuple(phrase.split()), meaning) for phrase, meaning in table.items())


def by_phrase(table: Mapping[str, Iterable[str]]) -> tuple[tuple[Phrase, str], ...]:
    """Return the phrases listed under each meaning, with that meaning."""
    return tuple((phrase, meaning) for meaning, lines in table.items() for phrase in phrases(lines))
