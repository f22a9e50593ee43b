"""Labelled requests to measure a judge by: the suites that the families' cards name, and a user's files."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from interactive_envs import catalog
from interactive_envs.catalog.read import attribute
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.judges.labelled import Item


def suites() -> dict[str, str]:
    """Every suite by name: a function without arguments, as ``module:name``, that yields items."""
    return {name: entry for card in catalog.families().values() for name, entry in card.labelled.items()}


def items(suite: str, without: Collection[str] = ()) -> list[Item]:
    """The items of a suite.

    Args:
        suite: one of :func:`suites`.
        without: ids of cases to leave out, such as those that a judge was tuned on.

    Raises:
        UnknownNameError: there is no such suite.
    """
    known = suites()
    if suite not in known:
        raise UnknownNameError("suite", suite, known)
    return [item for item in attribute(known[suite])() if item.case not in without]


def read_items(path: Path) -> list[Item]:
    """The items of a user's file, read by the family whose card says how.

    Raises:
        DatasetError: a line cannot be used; the message names file, line and field.
        ConfigError: the file cannot be opened, or no family reads such files.
    """
    reader = next((card.labels for card in catalog.families().values() if card.labels is not None), None)
    if reader is None:
        raise ConfigError(f"no family reads files of labelled requests such as {path}")
    found: list[Item] = attribute(reader)(path)
    return found
