"""Probability: walks between ends, waiting for patterns, hidden bags, full and empty boxes, order of cards."""

from __future__ import annotations

from interactive_envs.mathematics.generators.base import Generator
from interactive_envs.mathematics.generators.probability.bags import Bags
from interactive_envs.mathematics.generators.probability.deck import Deck
from interactive_envs.mathematics.generators.probability.hidden import HIDDEN
from interactive_envs.mathematics.generators.probability.occupancy import Occupancy
from interactive_envs.mathematics.generators.probability.pattern import Pattern
from interactive_envs.mathematics.generators.probability.ruin import Ruin

__all__ = ["GENERATORS", "HIDDEN"]

GENERATORS: tuple[Generator, ...] = (Ruin(), Pattern(), Bags(), Occupancy(), Deck())
"""Seeds of generated problems depend on this order: append a new generator at the end."""
