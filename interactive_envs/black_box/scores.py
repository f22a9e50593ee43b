"""Players by which scores of black boxes can be read."""

from __future__ import annotations

from interactive_envs.family import Yardstick

_FAMILIES = ("circuit", "program", "cipher", "mechanics", "puzzle", "strategy")
YARDSTICKS = tuple(
    Yardstick(
        f"Black boxes, {family}",
        ((f"ibench/BlackBox-{family}-random-v1", {}),),
        {
            "chance": f"{family}/random",
            "no interaction": f"{family}/reference",
            "reference": f"{family}/reference",
        },
        levels=(1, 2, 3, 4, 5),
        episodes=20,
    )
    for family in _FAMILIES
)
