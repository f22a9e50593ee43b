"""Problems on arrangements, shares, paths, pavings and necklaces."""

from __future__ import annotations

from interactive_envs.mathematics.generators.base import Generator
from interactive_envs.mathematics.generators.combinatorics.hidden import HIDDEN
from interactive_envs.mathematics.generators.combinatorics.necklaces import Necklaces
from interactive_envs.mathematics.generators.combinatorics.paths import Paths
from interactive_envs.mathematics.generators.combinatorics.pavings import Pavings
from interactive_envs.mathematics.generators.combinatorics.rows import Rows
from interactive_envs.mathematics.generators.combinatorics.shares import Shares

__all__ = ["GENERATORS", "HIDDEN"]

GENERATORS: tuple[Generator, ...] = (Rows(), Shares(), Paths(), Pavings(), Necklaces())
"""Seeds of generated problems depend on this order: append a new generator at the end."""
