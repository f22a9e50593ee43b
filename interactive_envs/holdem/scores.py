"""Players by which scores of hold'em can be read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from interactive_envs.family import Yardstick
from interactive_envs.holdem.suites import holdem_suite

BIG_BLIND = 100
"""Chips, as :class:`interactive_envs.holdem.env.HoldemEnv` has it."""


def big_blinds_per_100(record: Mapping[str, Any]) -> float:
    """Return what a match's player won without luck, in big blinds per 100 hands.

    All-in boards count with their expectation, and what the cards of flop, turn and river gave is taken off. Its
    expectation is zero whoever plays, so the mean stays what it is (:mod:`interactive_envs.holdem.luck`).

    Args:
        record: of an episode.
    """
    seat, luck = record["seat"], record["luck"]
    chips = sum(hand["adjusted"][seat] - sum(hand["controls"][seat][1:]) for hand in luck)
    return float(100 * chips / BIG_BLIND / len(luck))


YARDSTICKS = (
    Yardstick(
        "Hold'em, the suite: big blinds per 100 hands, luck reduced",
        tuple(holdem_suite()),
        {"chance": "holdem/random", "rule": "holdem/reader", "reference": "holdem/tag"},
        asks=False,
        bounded=False,
        worth=big_blinds_per_100,
        episodes=10,
        abilities=("planning",),
    ),
)
"""Every deal from every seat of a table with opponents of five kinds. A table of calling stations is no measure: they
never bet, so that a random player has nothing to fold to."""
