"""A game's play without the numbers of its moves, to compare games by."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from interactive_envs.novel_games.host.adapter import TOO_LONG
from interactive_envs.novel_games.probing.common import DEFAULTS, Facts, Settings, load_program, seed_matters

TREE_NODES, DEEPEST = 2_000, 12
"""Nodes of a level at most, and levels."""


def canonical(source: str, settings: Settings) -> Facts:
    """Traces of play that do not depend on how moves are numbered, to compare games by."""
    asked = {**DEFAULTS, **settings}
    program = load_program(source, settings)
    most = asked["max_turns"]
    shape = [] if program.views or seed_matters(program) else [[*level] for level in trees(program.new(0))]
    return {**played(program.new, 3 * asked["games"], most), "trees": shape, "most": most}


def played(new: Callable[[int], Any], games: int, most: int) -> Facts:
    """How random games go: their results, their lengths, and how many moves are legal turn by turn.

    Args:
        new: makes a game from a seed: it has ``seat``, ``result``, ``legal()`` and ``play(move)``, as tables have.
        games: how many.
        most: moves after which one is too long.
    """
    rng = np.random.default_rng(7)
    results: Counter[str] = Counter()
    lengths: Counter[int] = Counter()
    turns: dict[int, Counter[int]] = {}
    for game in range(games):
        table, turn = new(game), 0
        while table.result is None and turn < most:
            legal = sorted(table.legal())
            turns.setdefault(turn, Counter())[len(legal) if table.seat == 0 else -len(legal)] += 1
            table.play(legal[int(rng.integers(len(legal)))])
            turn += 1
        results[table.result or TOO_LONG] += 1
        lengths[turn] += 1
    return {
        "results": dict(results),
        "lengths": sorted(map(list, lengths.items())),
        "turns": [sorted(map(list, turns[turn].items())) for turn in sorted(turns)],
    }


def trees(start: Any) -> Iterator[tuple[int, str, int]]:
    """For each depth the number of nodes, a digest of the game's tree as a shape, and how many games end in it.

    Args:
        start: a game of which nothing is drawn; it also has ``branch(move)``.
    """
    level = [start]
    paths: list[tuple[int, ...]] = [()]
    nodes: dict[tuple[int, ...], Any] = {(): level[0].seat}
    ends = 0
    for _ in range(DEEPEST):
        following: list[Any] = []
        ways: list[tuple[int, ...]] = []
        for table, path in zip(level, paths, strict=True):
            for rank, action in enumerate(sorted(table.legal())):
                if len(following) > TREE_NODES:
                    return
                branch = table.branch(action)
                way = (*path, rank)
                nodes[way] = branch.result or branch.seat
                following.append(branch)
                ways.append(way)
        if not following:
            return
        ends += sum(table.result is not None for table in following)
        yield len(nodes), _digest(nodes), ends
        level = [table for table in following if table.result is None]
        paths = [way for table, way in zip(following, ways, strict=True) if table.result is None]


def _digest(nodes: dict[tuple[int, ...], Any]) -> str:
    """A hash of a tree in which the order of branches does not count."""
    below: dict[tuple[int, ...], list[str]] = {}
    for path in sorted(nodes, key=len, reverse=True):
        text = f"{nodes[path]}({','.join(sorted(below.pop(path, [])))})"
        digest = hashlib.sha256(text.encode()).hexdigest()[:16]
        if not path:
            return digest
        below.setdefault(path[:-1], []).append(digest)
    return ""


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
