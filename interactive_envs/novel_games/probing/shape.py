"""A game's play without the numbers of its moves, to compare games by."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from interactive_envs.novel_games.host.adapter import TOO_LONG, WON, Table
from interactive_envs.novel_games.probing.common import DEFAULTS, Facts, Settings, load_program, seed_matters, visible

GAMES = 600
"""Random games by which two games are compared."""
TREE_MOVES, DEEPEST = 12_000, 12
"""Moves that are tried for a tree at most, and levels."""
_OTHERS = {WON[0]: WON[1], WON[1]: WON[0]}


class Choices:
    """A game as its choices alone, so that it is the same whoever begins and however a player passes.

    Seats and results are counted from who chooses first. A move without another one beside it is made at once.

    Args:
        game: it has ``seat``, ``result``, ``legal()``, ``play(move)``, and for trees ``branch(move)`` and ``key()``, as
            tables have; it is used up.
        most: moves after which it is too long, those made at once included.
    """

    def __init__(self, game: Any, most: int) -> None:
        self.game, self._left = game, most
        self._go_on()
        self._first: int = game.seat

    def _go_on(self) -> None:
        while self._left and self.game.result is None:
            self._moves: list[Any] = sorted(self.game.legal())
            if len(self._moves) != 1:
                return
            self.game.play(self._moves[0])
            self._left -= 1
        self._moves = []

    @property
    def seat(self) -> int:
        """0 if who chose first is to move."""
        return int(self.game.seat) ^ self._first

    @property
    def result(self) -> str | None:
        """As tables have it; ``first`` is who chose first."""
        if self.game.result is None:
            return None if self._left else TOO_LONG
        result = str(self.game.result)
        return _OTHERS.get(result, result) if self._first else result

    def legal(self) -> list[Any]:
        """The moves in order, two at least; none after the end."""
        return self._moves

    def play(self, move: Any) -> None:
        """Make a move, and all that have to follow it."""
        self.game.play(move)
        self._left -= 1
        self._go_on()

    def branch(self, move: Any) -> Choices:
        """A copy in which a move is made."""
        other = object.__new__(Choices)
        other.game, other._left, other._first = self.game.branch(move), self._left - 1, self._first
        other._go_on()
        return other

    def key(self) -> Any:
        """Equal for positions from which play goes on alike."""
        return self.game.key(), self._left


def canonical(source: str, settings: Settings) -> Facts:
    """Traces of play that do not depend on how moves are numbered, to compare games by."""
    asked = {**DEFAULTS, **settings}
    program = load_program(source, settings)
    most = asked["max_turns"]
    shape = [] if program.views or seed_matters(program) else [[*level] for level in trees(program.new(0), most)]
    return {
        **played(program.new, GAMES, most),
        "trees": shape,
        "most": most,
        "open": _shows_the_first_choice(Choices(program.new(0), most)),
    }


def _shows_the_first_choice(start: Choices) -> bool:
    """Whether who chooses next sees what the first player chose; else both may choose at once."""
    after = [one for one in map(start.branch, start.legal()) if one.result is None]
    if any(one.seat == start.seat for one in after):
        return True
    tables: list[Table] = [one.game for one in after]
    return len({repr(one.seen(one.seat)) if one.program.views else visible(one) for one in tables}) > 1


def played(new: Callable[[int], Any], games: int, most: int) -> Facts:
    """How random games go: their results, their lengths, and how many moves there are choice by choice.

    Args:
        new: makes a game from a seed, see :class:`Choices`.
        games: how many.
        most: moves after which one is too long.
    """
    rng = np.random.default_rng(7)
    results: Counter[str] = Counter()
    lengths: Counter[int] = Counter()
    turns: dict[int, Counter[int]] = {}
    for seed in range(games):
        game, turn = Choices(new(seed), most), 0
        while game.result is None:
            legal = game.legal()
            turns.setdefault(turn, Counter())[len(legal) if game.seat == 0 else -len(legal)] += 1
            game.play(legal[int(rng.integers(len(legal)))])
            turn += 1
        results[game.result] += 1
        lengths[turn] += 1
    return {
        "results": dict(results),
        "lengths": sorted(map(list, lengths.items())),
        "turns": [sorted(map(list, turns[turn].items())) for turn in sorted(turns)],
    }


def trees(start: Any, most: int, tried: int = TREE_MOVES) -> Iterator[tuple[int, str, int]]:
    """For each depth the ways to begin, a digest of the game's tree to there as a shape, and how many games end in it.

    Ways of all lengths to there are counted, that of no move included. Equal positions are looked at once, and counted
    as often as they are reached.

    Args:
        start: a game of which nothing is drawn, see :class:`Choices`.
        most: moves after which it is too long.
        tried: moves that are made at most.
    """
    first = Choices(start, most)
    levels: list[list[tuple[str | int, list[int]]]] = []  # of each position its end or seat, and what follows it
    level, ways = [first], [1]
    nodes, ends, made = 1, 0, 0
    for _ in range(DEEPEST):
        made += sum(len(game.legal()) for game in level)
        if made > tried:
            return
        numbers: dict[Any, int] = {}
        following: list[Choices] = []
        reached: list[int] = []
        branches: list[tuple[str | int, list[int]]] = []
        for game, times in zip(level, ways, strict=True):
            after: list[int] = []
            for move in game.legal():
                branch = game.branch(move)
                number = numbers.setdefault(branch.result or (branch.seat, branch.key()), len(following))
                if number == len(following):
                    following.append(branch)
                    reached.append(0)
                reached[number] += times
                after.append(number)
            branches.append((game.result or game.seat, after))
        if not following:
            return
        levels.append(branches)
        level, ways = following, reached
        nodes += sum(ways)
        ends += sum(times for game, times in zip(level, ways, strict=True) if game.result)
        yield nodes, _digest(levels, [game.result or game.seat for game in level]), ends


def _digest(levels: Sequence[Sequence[tuple[str | int, Sequence[int]]]], last: Sequence[str | int]) -> str:
    """A hash of a tree in which the order of branches does not count."""
    below = [f"{at}()" for at in last]
    for level in reversed(levels):
        hashed = [hashlib.sha256(text.encode()).hexdigest()[:16] for text in below]
        below = [f"{at}({','.join(sorted(hashed[number] for number in after))})" for at, after in level]
    return hashlib.sha256(below[0].encode()).hexdigest()[:16]


def distance(one: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    """How far two games' traces are apart, from 0 to 1: the mean of :func:`gaps`."""
    return sum(gaps(one, other)) / 3


def gaps(one: Mapping[str, Any], other: Mapping[str, Any]) -> tuple[float, float, float]:
    """How far two games' results, lengths, and legal moves turn by turn are apart, each from 0 to 1."""
    results = _gap(sorted(traced["results"].items()) for traced in (one, other))
    lengths = _gap(traced["lengths"] for traced in (one, other))
    turns, weights = [], []
    for mine, theirs in zip(one["turns"], other["turns"], strict=False):
        turns.append(_gap((mine, theirs)))
        weights.append(sum(count for _, count in mine) + sum(count for _, count in theirs))
    moves = sum(gap * weight for gap, weight in zip(turns, weights, strict=True)) / max(1, sum(weights))
    return results, lengths, float(moves)


def _gap(columns: Iterable[Iterable[Any]]) -> float:
    """The greatest difference between two distributions' cumulated shares; values in order, each with its count."""
    one, other = (dict(map(tuple, column)) for column in columns)
    totals = sum(one.values()), sum(other.values())
    gap = shares = 0.0
    for value in sorted({*one, *other}):
        shares += one.get(value, 0) / totals[0] - other.get(value, 0) / totals[1]
        gap = max(gap, abs(shares))
    return gap
