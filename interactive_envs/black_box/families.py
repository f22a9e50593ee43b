"""Every family of black boxes, by its name."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Iterator

from interactive_envs.black_box import made
from interactive_envs.black_box.base import FAMILIES, Entry, Family
from interactive_envs.black_box.numeric.fields import Numbers
from interactive_envs.errors import UnknownNameError
from interactive_envs.specs import own_object

RANDOM = "random"
"""What a generated box is called."""
BASELINE = "12@1"
"""ORACLE's setting of the boxes that qualify."""


@functools.cache
def family(name: str) -> Family:
    """A family; only its own module is imported.

    Args:
        name: one of ``FAMILIES``, or ``module:NAME`` for a :class:`Family` of the user's own.

    Raises:
        UnknownNameError: there is no such family.
        ConfigError: the user's own cannot be imported.
    """
    if ":" in name:
        return own_object("family of black boxes", name, Family)
    if name not in FAMILIES:
        raise UnknownNameError("family of black boxes", name, FAMILIES)
    found: Family = importlib.import_module(f"interactive_envs.black_box.{name}.boxes").FAMILY
    return found


@functools.cache
def numbers(name: str) -> Numbers:
    """What a family declares for numeric twins; a family of the user's own has twins of boxes with menus alone.

    Args:
        name: as of :func:`family`.
    """
    if name not in FAMILIES:
        return Numbers()
    found: Numbers = importlib.import_module(f"interactive_envs.black_box.{name}.fields").NUMBERS
    return found


def entry(name: str, box: str) -> Entry:
    """A fixed box by its family's name and its own; made ones are ``made-NAME``, or a folder's absolute path.

    Raises:
        UnknownNameError: there is no such box.
    """
    if made.is_made(box):
        return made.entry(name, box)
    boxes = family(name).boxes
    if box not in boxes:
        raise UnknownNameError(f"{name} box", box, [*boxes, RANDOM])
    return boxes[box]


def every() -> Iterator[tuple[Family, str]]:
    """Each family with the names of its boxes, the generated one last."""
    for name in FAMILIES:
        for box in (*family(name).boxes, RANDOM):
            yield family(name), box


def setting_of(declared: Family, box: str, difficulty: int = 1) -> str:
    """The setting, turn@shot, of a box where none is given."""
    if box == RANDOM:
        return declared.levels[difficulty - 1] if declared.levels else declared.setting
    return (None if made.is_made(box) else declared.boxes[box].setting) or declared.setting
