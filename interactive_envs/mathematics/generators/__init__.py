"""All generators of problems: one folder per field, one module per generator."""

from __future__ import annotations

import functools
from types import ModuleType

from interactive_envs.mathematics.generators.base import Generator


@functools.cache
def load_generators() -> dict[str, Generator]:
    """Return all generators by name; the first call imports their modules.

    Seeds of generated problems depend on the order.
    """
    return {generator.name: generator for field in fields() for generator in field.GENERATORS}


def fields() -> tuple[ModuleType, ...]:
    """Return the packages of the fields, imported now, in the order on which seeds depend."""
    from interactive_envs.mathematics.generators import (
        algebra,
        combinatorics,
        encodings,
        geometry,
        linear_algebra,
        number_theory,
        probability,
    )

    return (number_theory, combinatorics, encodings, algebra, geometry, probability, linear_algebra)
