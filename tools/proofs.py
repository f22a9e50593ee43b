"""Proves every query game at every level by computing all of its answer table, and writes down what came out.

    python -m tools.proofs [--structure NAME] [--workers N]

Exact, no sampling: every hidden state is played by the reference player, the random player's chance is one in the
number of answers. A game whose answer table has not changed is not computed again. The run may be interrupted: what is
done is kept.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence

import click
import numpy as np
from tqdm import tqdm

from interactive_envs.query_games import games, solver
from interactive_envs.query_games.base import LEVELS, Codes, Level
from interactive_envs.query_games.proofs import FOLDER, Proof, of_structure
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.workers import Processes

BUDGET = 1.5
"""Times the reference player's 95th percentile."""


def fingerprint(level: Level) -> str:
    """Of all that decides a level's proof: 16 digits."""
    digest = hashlib.sha256()
    for array in (level.table, level.opening, level.right, level.weights):
        digest.update(str(array.shape).encode())
        digest.update(np.ascontiguousarray(array, dtype=np.int64).tobytes())
    return digest.hexdigest()[:16]


def prove(level: Level, known: Proof | None = None) -> Proof:
    """Settle one game at one level; a known proof of the same table is returned as it is."""
    sha256 = fingerprint(level)
    if known is not None and known.sha256 == sha256:
        return known
    weights = level.weights / level.weights.sum()
    solution = solver.solve(level)
    turns_95 = _percentile(solution.turns, weights, 0.95)
    budget = math.ceil(BUDGET * turns_95)
    openings = [np.flatnonzero(level.opening == code) for code in np.unique(level.opening)]
    masses = [np.bincount(level.right[rows], weights[rows]) for rows in openings]
    return Proof(
        sha256=sha256,
        states=len(level.world),
        queries=len(level.queries),
        answers=len(level.answers),
        bits=_rounded(sum(mass.sum() * solver.entropy(mass) for mass in masses)),
        guess=_rounded(sum(mass.max() for mass in masses)),
        decided=_rounded(weights[decided(level)].sum()),
        overruled=_rounded(weights[level.modes != np.arange(len(level.world))].sum()) if _has_causes(level) else 0.0,
        turns=_rounded(weights @ solution.turns),
        turns_95=turns_95,
        budget=budget,
        reference=_rounded(weights[solution.right & (solution.turns <= budget)].sum()),
        random=_rounded(1 / len(level.answers)),
    )


def decided(level: Level) -> Codes:
    """Per state, whether all legal queries together decide its right answer.

    In an abductive game: whether one of the states that look the same is more probable than each of the others.
    """
    if not _has_causes(level):
        pairs = np.unique(np.column_stack([level.classes, level.right]), axis=0)[:, 0]
        return np.asarray(np.bincount(pairs)[level.classes] == 1)
    best = level.weights == level.weights[level.modes]
    return np.asarray(np.bincount(level.classes, best)[level.classes] == 1)


def invariant(level: Level) -> str:
    """Equal for two levels that differ in the order and names of states, queries, replies and answers only.

    A query that says nothing, or the same as another one, changes nothing.
    """
    columns = partitions(level.table)
    singles = sorted((_sizes(column), _classes(column, level.right)) for column in columns.T)
    top = int(columns.max(initial=0)) + 1
    joint = [_count(columns[:, [i]] * top + columns[:, i + 1 :]) for i in range(columns.shape[1] - 1)]
    pairs = np.sort(np.concatenate(joint)) if joint else np.zeros(0, dtype=np.int64)
    content = [singles, pairs.tolist(), _sizes(level.right), _sizes(level.opening), sorted(level.weights.tolist())]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]


def partitions(table: Codes) -> Codes:
    """What the queries of a table tell apart, once each: the codes in the order in which they occur."""
    columns = []
    for column in table.T:
        _, first, codes = np.unique(column, return_index=True, return_inverse=True)
        if len(first) > 1:
            columns.append(np.argsort(np.argsort(first))[codes.reshape(-1)])
    return np.unique(np.array(columns, dtype=np.int64).reshape(len(columns), len(table)), axis=0).T


def _sizes(codes: Codes) -> list[int]:
    return sorted(np.unique(codes, return_counts=True)[1].tolist())


def _classes(first: Codes, second: Codes) -> int:
    return len(np.unique(np.column_stack([first, second]), axis=0))


def _count(columns: Codes) -> Codes:
    """Different values in each column."""
    ordered = np.sort(columns, axis=0)
    return np.asarray((np.diff(ordered, axis=0) != 0).sum(axis=0) + 1)


def _has_causes(level: Level) -> bool:
    return level.game.mode == "abductive"


def _percentile(values: Codes, weights: Codes, share: float) -> int:
    order = np.argsort(values, kind="stable")
    reached = np.searchsorted(np.cumsum(weights[order]), share - 1e-12)
    return int(values[order][min(int(reached), len(values) - 1)])


def _rounded(value: float) -> float:
    return round(float(value), 4)


def _prove_game(name: str, known: Sequence[Proof]) -> list[Proof]:
    game = games.find(name)
    return [prove(game.level(level), known[level - 1] if known else None) for level in LEVELS]


def _proved(names: Sequence[str], workers: int) -> Iterator[tuple[str, list[Proof]]]:
    known = {name: of_structure(name.partition("/")[0]).get(name.partition("/")[2], ()) for name in names}
    with Processes(workers) as pool:
        waiting = {pool.submit(_prove_game, name, known[name]): name for name in names}
        for done in concurrent.futures.as_completed(waiting):
            yield waiting[done], done.result()


def _write(structure: str, proofs: Mapping[str, Sequence[Proof]]) -> None:
    fields = [field.name for field in dataclasses.fields(Proof)]
    rows = {game: [list(dataclasses.astuple(proof)) for proof in proofs[game]] for game in sorted(proofs)}
    lines = ",\n".join(f" {json.dumps(game)}: {json.dumps(row)}" for game, row in rows.items())
    FOLDER.mkdir(exist_ok=True)
    text = f'{{"fields": {json.dumps(fields)}, "games": {{\n{lines}\n}}}}\n'
    write_atomically(FOLDER / f"{structure}.json", text)


@click.command()
@click.option("--structure", "structures", multiple=True, type=click.Choice(games.STRUCTURES), help="Default: all.")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1), help="Processes.")
def main(structures: Sequence[str], workers: int) -> None:
    """Prove every game at every level; what was proved of an unchanged table is kept."""
    for structure in structures or games.STRUCTURES:
        names = [name for name in games.every() if name.startswith(f"{structure}/")]
        proofs = {game: list(rows) for game, rows in of_structure(structure).items() if f"{structure}/{game}" in names}
        for name, rows in tqdm(_proved(names, workers), structure, len(names), unit="game"):
            proofs[name.partition("/")[2]] = rows
            _write(structure, proofs)


if __name__ == "__main__":
    main()
