"""Players by which scores of mathematics can be read."""

from __future__ import annotations

from interactive_envs.family import Yardstick

YARDSTICKS = (
    Yardstick(
        "Mathematics, generated",
        (("ibench/Math-v1", {"split": "generated"}),),
        {
            "chance": "random",
            "no interaction": "math/reference",
            "rule": "math/trial",
            "reference": "math/reference",
        },
        levels=(1, 2, 3, 4, 5),
        episodes=60,
        abilities=("asking", "computing"),
    ),
)
