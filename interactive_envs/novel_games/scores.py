"""Players by which scores of novel games can be read."""

from __future__ import annotations

from interactive_envs.family import Yardstick

_SOLVED = ("sum-shy", "residue-fold", "turnstile-runs")
YARDSTICKS = (
    Yardstick(
        "Novel games that are solved, against the trained opponent",
        tuple((f"ibench/Game-{name}-v1", {"opponents": "rung"}) for name in _SOLVED),
        {"chance": "random", "rule": "mcts?simulations=8", "reference": "mcts", "exact": "minimax"},
        asks=False,
        bounded=False,
        episodes=20,
    ),
)
