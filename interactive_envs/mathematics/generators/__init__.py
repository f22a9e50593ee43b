"""All generators of problems, by name."""

from __future__ import annotations

import functools
import importlib

from interactive_envs.mathematics.generators.base import Generator

FIELDS = (
    *("number_theory", "combinatorics", "encodings"),
    *("algebra", "geometry", "probability", "linear_algebra"),
)
"""Modules; each lists its own in ``GENERATORS``, a tuple of instances."""


@functools.cache
def every() -> dict[str, Generator]:
    """All generators by name; their modules are imported at the first call."""
    found = {}
    for name in FIELDS:
        module = importlib.import_module(f"interactive_envs.mathematics.generators.{name}")
        found.update({generator.name: generator for generator in module.GENERATORS})
    return found
