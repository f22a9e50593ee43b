"""The suite of hold'em: every deal from every seat of a table with opponents of five kinds."""

from __future__ import annotations

from interactive_envs.reporting.suites import Choice, Suite

OPPONENTS = ("tag", "tag?looseness=0.4&aggression=0.9", "habit", "call-station", "holdem/random")
"""From the seat after the player's on."""


def holdem_suite() -> Choice:
    """Choose all six seats: the same seed deals the same cards, so that the luck of the deal cancels."""
    return [("ibench/Holdem-v1", {"seat": seat, "opponents": list(OPPONENTS)}) for seat in range(len(OPPONENTS) + 1)]


HOLDEM = Suite(holdem_suite, episodes=4)
