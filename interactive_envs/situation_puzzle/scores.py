"""Players by which scores of situation puzzles can be read."""

from __future__ import annotations

from collections.abc import Mapping

from interactive_envs.family import Ability, Role, Yardstick

_PLAYERS: Mapping[Role, str] = {
    "chance": "random",
    "no interaction": "situation-puzzle/reader",
    "rule": "situation-puzzle/rule",
    "reference": "situation-puzzle/reader",
    "exact": "situation-puzzle/reference",
}
"""The player named ``reference`` reads every label, and the budget follows from what it needs: it is the ceiling.
Levels are calibrated on ``reader``, which misreads some."""
_TAKES: tuple[Ability, ...] = ("asking", "inferring")
YARDSTICKS = (
    Yardstick(
        "Situation puzzles, menu, own",
        (("ibench/SituationPuzzle-v1", {}),),
        _PLAYERS,
        episodes=480,
        abilities=_TAKES,
    ),
    Yardstick(
        "Situation puzzles, menu, generated",
        (("ibench/SituationPuzzle-v1", {"split": "generated"}),),
        _PLAYERS,
        levels=(1, 2, 3, 4, 5),
        episodes=200,
        abilities=_TAKES,
    ),
)
