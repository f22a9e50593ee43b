"""A game's play without the numbers of its moves, to compare games by."""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

import numpy as np

from interactive_envs.novel_games.host.adapter import Program, Table
from interactive_envs.novel_games.probing.common import DEFAULTS, Facts, Settings, load_program, seed_matters

TREE_NODES = 2_000


def canonical(source: str, settings: Settings) -> Facts:
    """Traces of play that do not depend on how moves are numbered, to compare games by."""
    asked = {**DEFAULTS, **settings}
    program = load_program(source, settings)
    rng = np.random.default_rng(7)
    results: Counter[str] = Counter()
    lengths: Counter[int] = Counter()
    turns: dict[int, Counter[int]] = {}
    for game in range(3 * asked["games"]):
        table = program.new(game)
        while table.result is None:
            legal = sorted(table.legal())
            turns.setdefault(table.turns, Counter())[len(legal) if table.seat == 0 else -len(legal)] += 1
            table.play(legal[int(rng.integers(len(legal)))])
        results[str(table.result)] += 1
        lengths[table.turns] += 1
    return {
        "results": dict(results),
        "lengths": sorted(map(list, lengths.items())),
        "turns": [sorted(map(list, turns[turn].items())) for turn in sorted(turns)],
        "trees": _trees(program),
    }


def _trees(program: Program) -> list[list[Any]]:
    """For each depth the number of nodes and a digest of the game's tree as a shape; [] where the seed matters."""
    if program.views or seed_matters(program):
        return []
    level = [program.new(0)]
    paths: list[tuple[int, ...]] = [()]
    nodes: dict[tuple[int, ...], Any] = {(): level[0].seat}
    trees: list[list[Any]] = []
    for _ in range(12):
        following: list[Table] = []
        ways: list[tuple[int, ...]] = []
        for table, path in zip(level, paths, strict=True):
            for rank, action in enumerate(sorted(table.legal())):
                if len(following) > TREE_NODES:
                    return trees
                branch = table.branch(action)
                way = (*path, rank)
                nodes[way] = branch.result or branch.seat
                following.append(branch)
                ways.append(way)
        if not following:
            break
        trees.append([len(nodes), _digest(nodes)])
        level = [table for table in following if table.result is None]
        paths = [way for table, way in zip(following, ways, strict=True) if table.result is None]
    return trees


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
