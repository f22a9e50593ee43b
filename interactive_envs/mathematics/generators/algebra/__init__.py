"""Algebra: roots never found, processes with a limit, telescopes, polynomials through points, functional equations."""

from __future__ import annotations

from interactive_envs.mathematics.generators.algebra.functional import Functional
from interactive_envs.mathematics.generators.algebra.hidden import HIDDEN
from interactive_envs.mathematics.generators.algebra.interpolation import Interpolation
from interactive_envs.mathematics.generators.algebra.roots import Roots
from interactive_envs.mathematics.generators.algebra.telescope import Telescope
from interactive_envs.mathematics.generators.algebra.threshold import Threshold
from interactive_envs.mathematics.generators.base import Generator

__all__ = ["GENERATORS", "HIDDEN"]

GENERATORS: tuple[Generator, ...] = (Roots(), Threshold(), Telescope(), Interpolation(), Functional())
"""Seeds of generated problems depend on this order: append a new generator at the end."""
