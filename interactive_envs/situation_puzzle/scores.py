"""Players by which scores of situation puzzles can be read."""

from __future__ import annotations

from collections.abc import Mapping

from interactive_envs.family import Role, Yardstick

_PLAYERS: Mapping[Role, str] = {
    "chance": "random",
    "no interaction": "situation-puzzle/reference",
    "rule": "situation-puzzle/rule",
    "reference": "situation-puzzle/reference",
}
YARDSTICKS = (
    Yardstick("Situation puzzles, menu, own", (("ibench/SituationPuzzle-v1", {}),), _PLAYERS, episodes=120),
    Yardstick(
        "Situation puzzles, menu, generated",
        (("ibench/SituationPuzzle-v1", {"split": "generated"}),),
        _PLAYERS,
        levels=(1, 2, 3, 4, 5),
        episodes=80,
    ),
)
