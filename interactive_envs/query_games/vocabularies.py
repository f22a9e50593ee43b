"""The words of five domains: the same game about hospitals, railways, courts.

Domains and structures are those of ``data/vocabularies.toml``; ``data/distractors.toml`` has sentences about each
structure that say nothing about a game.
"""

from __future__ import annotations

import functools
import string
import tomllib
from importlib.resources import files

from interactive_envs.dialogue.task import Vocabulary
from interactive_envs.errors import UnknownNameError

DOMAINS = ("education", "healthcare", "transportation", "manufacturing", "law")


@functools.cache
def vocabulary(structure: str, domain: str) -> Vocabulary:
    """The words of a domain for a structure.

    Returns:
        Each of the structure's words; ``intro``, a sentence that sets the scene; of a structure with nodes also their
        names, ``node A`` to ``node P``, each of which begins with its letter, as the intro says.

    Raises:
        UnknownNameError: there is no such structure or domain.

    >>> vocabulary("tree", "transportation")["node C"]
    'Calais'
    """
    if domain not in DOMAINS:
        raise UnknownNameError("domain", domain, DOMAINS)
    structures = _table()[domain]
    if structure not in structures:
        raise UnknownNameError("structure", structure, structures)
    words = dict(structures[structure])
    names = words.pop("names", "").split()
    return words | {f"node {letter}": name for letter, name in zip(string.ascii_uppercase, names, strict=False)}


@functools.cache
def distractors(structure: str) -> tuple[str, ...]:
    """Sentences about another object of a structure, templates of its words, ``{first}`` and ``{second}``."""
    found = tomllib.loads((files(__package__) / "data" / "distractors.toml").read_text("utf-8"))
    return tuple(found.get(structure, ()))


@functools.cache
def _table() -> dict[str, dict[str, dict[str, str]]]:
    """The words by domain and structure."""
    return tomllib.loads((files(__package__) / "data" / "vocabularies.toml").read_text("utf-8"))
