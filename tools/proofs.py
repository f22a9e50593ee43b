"""Proves every query game at every level by computing all of its answer table, and writes down what came out.

    python -m tools.proofs [--structure NAME] [--workers N]

A game whose answer table has not changed is not computed again. The run may be interrupted: what is
done is kept.
"""

from __future__ import annotations

import concurrent.futures
import dataclasses
import json
from collections.abc import Iterator, Mapping, Sequence

import click
from tqdm import tqdm

from interactive_envs.query_games import games, made
from interactive_envs.query_games.base import LEVELS
from interactive_envs.query_games.proofs import FOLDER, Proof, of_structure
from interactive_envs.query_games.proving import prove
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.workers import Processes

PARTS = (*games.STRUCTURES, games.MADE)


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
@click.option("--structure", "structures", multiple=True, type=click.Choice(PARTS), help="Default: all.")
@click.option("--workers", default=2, show_default=True, type=click.IntRange(1), help="Processes.")
def main(structures: Sequence[str], workers: int) -> None:
    """Prove every game at every level; what was proved of an unchanged table is kept."""
    every = [*games.every(), *(f"{games.MADE}/{name}" for name in made.names())]
    for structure in structures or PARTS:
        names = [name for name in every if name.startswith(f"{structure}/")]
        proofs = {game: list(rows) for game, rows in of_structure(structure).items() if f"{structure}/{game}" in names}
        for name, rows in tqdm(_proved(names, workers), structure, len(names), unit="game"):
            proofs[name.partition("/")[2]] = rows
            _write(structure, proofs)


if __name__ == "__main__":
    main()
