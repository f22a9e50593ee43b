"""Which known game a game plays as, whatever its parts are called and however its moves are numbered."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from interactive_envs.novel_games.known.library import library
from interactive_envs.novel_games.known.position import Known
from interactive_envs.novel_games.probing.shape import GAMES, Choices, distance, gaps, played, trees

GLANCES = ((8, 0.5), (40, 0.3), (150, 0.15))
"""Fewer games, and the distance above which two games are different ones: by so few a game is about half as far from
itself."""
LOOKED_AT, STRANGE = 16, 1
"""Moves of the first game that is looked at, and how many may have a number that the other game never has there."""
NEAR = 0.1, 0.1, 0.15
"""Gaps between the results, lengths and legal moves of as many games, up to which two games may be one."""
LEAST_ENDS = 10
"""Games that end in equal trees: games that only begin alike share the rest."""


@dataclass(frozen=True)
class Likeness:
    """A known game that another one plays as.

    Attributes:
        game: which.
        nodes: ways to begin that are the same; 0 where the trees of moves differ or say nothing.
        distance: of the random games, from 0 to 1.
    """

    game: Known
    nodes: int
    distance: float


@functools.cache
def _by_opening() -> Mapping[int, tuple[Known, ...]]:
    """All known games by the number of their first moves; of games of chance, in a few deals."""
    found: dict[int, list[Known]] = {}
    for game in library():
        for moves in {len(Choices(game.new(seed), LOOKED_AT).legal()) for seed in range(5 if game.chance else 1)}:
            found.setdefault(moves, []).append(game)
    return {moves: tuple(games) for moves, games in found.items()}


def likeness(canonical: Mapping[str, Any]) -> Likeness | None:
    """The known game that plays most alike, None where all differ.

    Args:
        canonical: traces of a game, see :func:`interactive_envs.novel_games.probing.shape.canonical`.
    """
    found: list[tuple[tuple[bool, bool, float], Likeness]] = []
    most = canonical["most"]
    seen = [[moves for moves, _ in turn] for turn in canonical["turns"]]
    for game in _opening_alike(canonical):
        if not _plausible(game, seen):
            continue
        if game.at_once and canonical["open"]:
            continue
        if any(distance(canonical, played(game.new, games, most)) > far for games, far in GLANCES):
            continue
        apart = gaps(canonical, played(game.new, GAMES, most))
        if any(gap > near for gap, near in zip(apart, NEAR, strict=True)):
            continue
        compared = (False, 0) if game.chance else _compare_trees(canonical["trees"], game, most)
        if compared is None:
            continue
        equal, nodes = compared
        mean = sum(apart) / len(apart)
        found.append(((not nodes, not equal, mean), Likeness(game, nodes, mean)))
    return min(found, key=lambda one: one[0])[1] if found else None


def _opening_alike(canonical: Mapping[str, Any]) -> Iterator[Known]:
    """The known games that may have as many first moves; one that differs by the seed has several numbers of them."""
    numbers = [abs(moves) for moves, _ in canonical["turns"][0]] if canonical["turns"] else []
    yield from dict.fromkeys(game for moves in numbers for game in _by_opening().get(moves, ()))


def _plausible(game: Known, seen: list[list[int]]) -> bool:
    """Whether the numbers of legal moves in a random game lie between those that the other's games have at each turn.

    Not among them: where the numbers differ much, some are in none of the 600 games.
    """
    position, rng, strange = Choices(game.new(0), 1000), random.Random(0), 0  # noqa: S311  play, not secrets
    for turn in range(LOOKED_AT):
        legal = position.legal()
        own = [abs(moves) for moves in seen[turn] if (moves < 0) == position.seat] if turn < len(seen) else []
        strange += not own or not min(own) <= len(legal) <= max(own)
        position.play(rng.choice(legal))
        if strange > STRANGE or position.result:
            break
    return strange <= STRANGE


def _compare_trees(theirs: list[list[Any]], game: Known, most: int) -> tuple[bool, int] | None:
    """Whether the trees are equal as far as both are known, and their nodes: 0 where they differ or tell too little.

    None for another game: one with as many nodes and other ends. Where a board is filled square by square, games differ
    in their ends alone, and random play hardly shows it.
    """
    nodes = ends = 0
    equal = bool(theirs)
    for (their_nodes, their_digest, their_ends), (nodes, digest, ends) in zip(
        theirs, trees(game.new(0), most), strict=False
    ):
        equal = equal and digest == their_digest
        if nodes != their_nodes:
            return False, 0
        if not equal and min(ends, their_ends) >= LEAST_ENDS:
            return None
    return equal and bool(nodes), nodes if equal and ends >= LEAST_ENDS else 0
