"""Players by which scores of the trust game can be read: against each of some strategies the best reply is known."""

from __future__ import annotations

from interactive_envs.family import Yardstick

YARDSTICKS = tuple(
    Yardstick(
        f"Trust game against {name}, points",
        (("ibench/TrustGame-v1", {"opponents": f"trust/{name}"}),),
        {"chance": "trust/coin?p=0.5", "reference": "trust/learner", "exact": f"trust/best-reply:{name}"},
        asks=False,
        bounded=False,
        episodes=30,
    )
    for name in ("grim", "pavlov", "tit-for-two-tats", "suspicious-tft")
)
"""An unconditional defector or cooperator is no measure: a coin earns as much against it as a reasoner."""
