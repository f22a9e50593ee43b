"""Players by which scores of black boxes can be read."""

from __future__ import annotations

from collections.abc import Mapping

from interactive_envs.family import Ability, Yardstick

_ABILITIES: Mapping[str, tuple[Ability, ...]] = {
    "circuit": ("asking", "inferring"),
    "program": ("asking", "inferring", "computing"),
    "cipher": ("asking", "inferring"),
    "mechanics": ("asking", "inferring", "computing"),
    "puzzle": ("asking", "inferring"),
    "strategy": ("inferring", "planning"),
}
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
        abilities=_ABILITIES[family],
    )
    for family in _ABILITIES
)
