"""Linear algebra: determinants with a pattern, lamps over two elements, nearest points, walks, nets of resistors."""

from __future__ import annotations

from interactive_envs.mathematics.generators.base import Generator
from interactive_envs.mathematics.generators.linear_algebra.determinant import Determinant
from interactive_envs.mathematics.generators.linear_algebra.hidden import HIDDEN
from interactive_envs.mathematics.generators.linear_algebra.lamps import Lamps
from interactive_envs.mathematics.generators.linear_algebra.nearest import Nearest
from interactive_envs.mathematics.generators.linear_algebra.resistors import Resistors
from interactive_envs.mathematics.generators.linear_algebra.walks import Walks

__all__ = ["GENERATORS", "HIDDEN"]

GENERATORS: tuple[Generator, ...] = (Determinant(), Lamps(), Nearest(), Walks(), Resistors())
"""Seeds of generated problems depend on this order: append a new generator at the end."""
