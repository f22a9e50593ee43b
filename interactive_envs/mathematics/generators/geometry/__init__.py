"""Geometry: lattice polygons, shortest ways on surfaces, crossing wires, triangles."""

from __future__ import annotations

from interactive_envs.mathematics.generators.base import Generator
from interactive_envs.mathematics.generators.geometry.hidden import HIDDEN
from interactive_envs.mathematics.generators.geometry.lattice import Lattice
from interactive_envs.mathematics.generators.geometry.surface import Surface
from interactive_envs.mathematics.generators.geometry.triangle import Triangle
from interactive_envs.mathematics.generators.geometry.wires import Wires

__all__ = ["GENERATORS", "HIDDEN"]

GENERATORS: tuple[Generator, ...] = (Lattice(), Surface(), Wires(), Triangle())
"""Seeds of generated problems depend on this order: append a new generator at the end."""
