"""Every known game in every size: the modules of rules, loaded, and what they declare."""

from __future__ import annotations

from collections.abc import Iterator

from interactive_envs.novel_games.known import areas, chance, heaps, pieces, rows
from interactive_envs.novel_games.known.position import LIBRARY, Known

RULES = (heaps, rows, areas, pieces, chance)
"""The modules whose games are known; a new one is added here."""
NAMES = tuple(LIBRARY)


def sizes(name: str) -> Iterator[Known]:
    """A known game in all its sizes, the smallest first."""
    rules, choices = LIBRARY[name]
    return (Known(name, rules, size) for size in choices())


def library() -> Iterator[Known]:
    """Every known game in every size."""
    for name in NAMES:
        yield from sizes(name)
