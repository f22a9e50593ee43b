"""Players by which scores of novel games can be read."""

from __future__ import annotations

import itertools

from interactive_envs.family import Yardstick

OPPONENT = "mcts?simulations=50&temperature=1"
"""Searches as much as between the rule player and the reference, and errs: it draws its moves by visits."""
_GAMES = (
    "anvil-clock",
    "crossed-dials",
    "dictated-steps",
    "ember-isles",
    "heron-and-minnows",
    "lane-levy",
    "melting-shove",
    "odd-lanterns",
    "residue-fold",
    "sum-shy",
    "timberfall",
    "turnstile-runs",
    "unequal-heirs",
    "wandering-pivot",
)
"""All of ours without chance or secrets, in which a score is skill alone."""
YARDSTICKS = (
    Yardstick(
        "Novel games without chance or secrets, from both seats, against a search that errs",
        tuple(
            (f"ibench/Game-{name}-v1", {"opponents": OPPONENT, "seat": seat})
            for name, seat in itertools.product(_GAMES, (0, 1))
        ),
        {"chance": "random", "rule": "mcts?simulations=20", "reference": "mcts"},
        asks=False,
        bounded=False,
        episodes=8,
        abilities=("planning",),
    ),
)
"""Nobody plays ``exact``: tried at the start of nine of these games, `minimax` proved the best move in one, Heron and
Minnows, with the states it may look at."""
