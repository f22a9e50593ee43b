"""Computes the exact optimum of every fixed strategy at every length, and writes it down.

    python -m tools.strategy_proofs

Exact fractions by dynamic programming over all play; the scores of strategies are measured against them. Beside
each stands what a player earns who makes any legal move, all equally likely, as a part of it.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any, cast

from interactive_envs.black_box.strategy import boxes as strategy
from interactive_envs.black_box.strategy.games import Game, Left
from interactive_envs.black_box.strategy.plan import Opponent, optimum
from interactive_envs.system.disk import write_atomically

FILE = Path(strategy.__file__).parent / "data" / "strategy_optima.json"


def proofs(lengths: slice = slice(None)) -> dict[str, dict[str, dict[str, Any]]]:
    """By box and some or all of its lengths: the optimum as a fraction, the random player's part to six decimals."""
    found: dict[str, dict[str, dict[str, Any]]] = {}
    for name, entry in strategy.BOXES.items():
        box = cast("strategy.Match", entry.make())  # all of the family are
        found[name] = {}
        for length in box.game.lengths[lengths]:
            best = optimum(box.game, box.opponent, length)
            random = by_chance(box.game, box.opponent, length) / float(best)
            found[name][str(length)] = {"optimum": str(best), "random": round(random, 6)}
    return found


def by_chance(game: Game, opponent: Opponent, length: int) -> float:
    """The expected points of a player who makes any legal move, all equally likely."""

    @functools.cache
    def worth(to_go: int, state: Any, left: Left) -> float:
        if not to_go:
            return 0.0
        odds, legal, total = opponent.odds(state), game.legal(left), 0.0
        for mine in legal:
            noticed = opponent.notices(state, mine)
            for theirs, weight in odds:
                later = worth(to_go - 1, opponent.after(state, noticed, theirs), game.after(left, mine, theirs))
                total += weight * (game.points(mine, theirs) + later)
        return total / len(legal) / sum(weight for _, weight in odds)

    return worth(length, opponent.begin(length), game.start(length))


def main() -> None:
    """Write the file."""
    write_atomically(FILE, json.dumps(proofs(), indent=1) + "\n")


if __name__ == "__main__":
    main()
