"""What was proved of every query game at every level, as committed with the package; budgets come from here.

``python -m tools.proofs`` (or ``make proofs``) computes it again.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from pathlib import Path

from interactive_envs.errors import ConfigError

FOLDER = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Proof:
    """One game at one level. All shares and means are over the hidden states, weighted as probable as they are.

    Attributes:
        sha256: of the answer table, the right answers and the weights, 16 digits.
        states: hidden states.
        queries: legal queries.
        answers: answers that some state has.
        bits: about the right answer before the first query, given the opening fact.
        guess: share of right answers of a player that reasons perfectly and asks nothing.
        decided: share of the states whose right answer all legal queries together decide; 1 is what is wanted.
        overruled: share of the states that are not the most probable among those that look the same to every query.
        turns: mean of the reference player's queries, with its answer.
        turns_95: 95th percentile of the same.
        budget: 1.5 times that, rounded up.
        reference: share that the reference player answers right within the budget.
        random: share that the random player answers right.
    """

    sha256: str
    states: int
    queries: int
    answers: int
    bits: float
    guess: float
    decided: float
    overruled: float
    turns: float
    turns_95: int
    budget: int
    reference: float
    random: float


@functools.cache
def of_structure(name: str) -> dict[str, tuple[Proof, ...]]:
    """The proofs of a structure's games, levels 1 to 5 of each, by ``mode/name``."""
    path = FOLDER / f"{name}.json"
    if not path.exists():
        return {}
    content = json.loads(path.read_text(encoding="utf-8"))
    fields = content["fields"]
    return {
        game: tuple(Proof(**dict(zip(fields, row, strict=True))) for row in rows)
        for game, rows in content["games"].items()
    }


def of_game(name: str, difficulty: int) -> Proof:
    """What was proved of a game ``structure/mode/name`` at a level.

    Raises:
        ConfigError: it was not proved yet.
    """
    if ":" in name:
        raise ConfigError(f"the query game {name} is not of this package and has no proof; give its budget as a number")
    structure, _, rest = name.partition("/")
    found = of_structure(structure).get(rest)
    if found is None:
        raise ConfigError(f"the query game {name!r} is not proved; run: make proofs")
    return found[difficulty - 1]
