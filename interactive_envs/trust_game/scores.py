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
        abilities=("planning", "revising"),
    )
    for name in ("suspicious-tft", "coin", "all-d")
)
"""Against the others the order is not strict: `learner` plays the best reply to `grim`, `pavlov` and `tft` at once, and
never finds out by itself what `all-c`, `tit-for-two-tats` and `generous-tft` let pass."""
