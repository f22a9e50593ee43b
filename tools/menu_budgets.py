"""Lets the reference player play situation puzzles by menu, and writes down what it needs; budgets come from there.

    python -m tools.menu_budgets

The package's own puzzles are all played. Of generated ones ``PUZZLES`` a difficulty are, with every explanation as the
right one, as each is as likely.
"""

from __future__ import annotations

import dataclasses
import json
import math
from pathlib import Path

import click

from interactive_envs.situation_puzzle import budgets, puzzles
from interactive_envs.situation_puzzle.budgets import ALL, Needed
from interactive_envs.situation_puzzle.generator import LEVELS, generate
from interactive_envs.system.disk import write_atomically

PUZZLES = 200
FILE = Path(budgets.__file__).parent / "data" / "budgets.json"


def own() -> dict[str, Needed]:
    """What the package's own puzzles need, by difficulty."""
    listed = puzzles.load()
    rounds = {puzzle.id: budgets.measure([puzzle]) for puzzle in listed}
    found = {}
    for difficulty in (None, *sorted({puzzle.difficulty for puzzle in listed if puzzle.difficulty})):
        ids = [puzzle.id for puzzle in listed if difficulty in (None, puzzle.difficulty)]
        found[str(difficulty or ALL)] = budgets.needed([needed for name in ids for needed in rounds[name]], len(ids))
    return found


def generated(count: int = PUZZLES) -> dict[str, Needed]:
    """What generated puzzles need, by difficulty; in ``all`` every difficulty has the same weight."""
    rounds = {
        level: budgets.measure((generate(seed, level) for seed in range(count)), every_world=True) for level in LEVELS
    }
    # Puzzles with more explanations were played more often.
    shared = math.lcm(*(level.explanations for level in LEVELS.values()))
    whole = [needed for level, found in rounds.items() for needed in found * (shared // LEVELS[level].explanations)]
    by_level = {str(level): budgets.needed(found, count) for level, found in rounds.items()}
    return {ALL: budgets.needed(whole, count * len(LEVELS)), **by_level}


@click.command(help=__doc__)
def main() -> None:
    """Compute and write."""
    content = {"own": own(), "generated": generated()}
    plain = {
        split: {level: dataclasses.asdict(entry) for level, entry in entries.items()}
        for split, entries in content.items()
    }
    write_atomically(FILE, json.dumps(plain, indent=1) + "\n")
    for split, entries in content.items():
        for level, entry in entries.items():
            click.echo(f"{split:9} {level:>3}  median {entry.median:g}, 95 % {entry.percentile}, budget {entry.budget}")


if __name__ == "__main__":
    main()
