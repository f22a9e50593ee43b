"""What good play of a game comes to: by its exact solution where it is small, otherwise by searches in both seats."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interactive_envs.novel_games.rules import GeneratedGame
from interactive_envs.reporting.estimates import wilson
from interactive_envs.training.ladders import head_to_head

SEARCH = "mcts?simulations=32&temperature=0.5"
GAMES = 16
"""Of search against random moves, half of them in each seat, and as many of search against itself."""
LEAST = 0.5
"""Share of its games against random moves that search must win, at the lower end of a 95 % interval."""
MOST = 0.8
"""Share of the decided games of search against itself that one seat may win, at the lower end of the interval."""


def probe(folder: Path, exact: Mapping[str, Any]) -> dict[str, Any]:
    """How a game is played well.

    Args:
        folder: of a game that passed its check; its code runs in the sandbox.
        exact: what the check's exact solution came to.

    Returns:
        ``method``: ``exact`` with ``states`` and ``value`` (to the first seat, from -1 to 1), or ``search`` with what
        search won: ``games``, ``against_random``, ``first`` and ``second`` (against itself, by seat).
    """
    if exact.get("solved"):
        return {"method": "exact", "states": exact["states"], "value": round(float(exact["value"]), 4)}
    game = GeneratedGame(str(folder))
    random = head_to_head(game, (SEARCH, "random"), GAMES)
    itself = head_to_head(game, (SEARCH, SEARCH), GAMES, alternate=False)
    second = itself.reverse.wins
    return {"method": "search", "games": GAMES, "against_random": random.wins, "first": itself.wins, "second": second}


def faults(found: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What speaks against a game, pairs of a kind and a sentence."""
    if found["method"] == "exact":
        return []
    games, won, seats = found["games"], found["against_random"], (found["first"], found["second"])
    reasons = []
    if (wilson(won, games).low or 0) <= LEAST:
        reasons.append(("luck", f"search wins {won} of {games} games against random moves: play hardly matters"))
    decided = sum(seats)
    if not decided:
        reasons.append(("draws", f"none of {games} games of search against itself is decided"))
    elif (wilson(max(seats), decided).low or 0) > MOST:
        which = "first" if seats[0] > seats[1] else "second"
        words = f"of {decided} decided games of search against itself the {which} seat wins {max(seats)}"
        reasons.append(("seat", words))
    return reasons
