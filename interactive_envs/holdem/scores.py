"""Players by which scores of hold'em can be read."""

from __future__ import annotations

from interactive_envs.family import Yardstick

YARDSTICKS = (
    Yardstick(
        "Hold'em, chips won against a calling station",
        (("ibench/Holdem-v1", {"opponents": "holdem/call-station"}),),
        {"chance": "holdem/random", "rule": "holdem/call-station", "reference": "holdem/tag"},
        asks=False,
        bounded=False,
        episodes=30,
    ),
)
