"""Problems on remainders, powers, factorials, divisors and coins."""

from __future__ import annotations

from interactive_envs.mathematics.generators.base import Generator
from interactive_envs.mathematics.generators.number_theory.coins import Coins
from interactive_envs.mathematics.generators.number_theory.divisors import Divisors
from interactive_envs.mathematics.generators.number_theory.hidden import HIDDEN
from interactive_envs.mathematics.generators.number_theory.remainders import Remainders
from interactive_envs.mathematics.generators.number_theory.towers import Towers
from interactive_envs.mathematics.generators.number_theory.zeros import Zeros

__all__ = ["GENERATORS", "HIDDEN"]

GENERATORS: tuple[Generator, ...] = (Remainders(), Towers(), Zeros(), Divisors(), Coins())
"""Seeds of generated problems depend on this order: append a new generator at the end."""
