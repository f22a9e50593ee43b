"""The committed table of every environment, family, agent, judge and probe: reading it imports none of them.

``catalog.json`` is generated from the classes and cards themselves by ``make catalog``; a test compares. Its
``templates`` say by class what most ids of the class have; the line of an id names its class, ``entry_point``, and what
it has otherwise.
"""

from __future__ import annotations

import functools
import importlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interactive_envs.catalog import foreign
from interactive_envs.errors import UnknownNameError
from interactive_envs.family import Family

PATH = Path(__file__).with_name("catalog.json")


@functools.cache
def load() -> dict[str, Any]:
    """The whole catalog: ``units``, ``families``, ``agents``, ``judges`` and ``probes``."""
    content: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
    templates = content.pop("templates")
    # The union keeps the template's order of keys, so that an id reads as if it were written out.
    content["units"] = {env_id: templates[unit["entry_point"]] | unit for env_id, unit in content["units"].items()}
    return content


def ids() -> list[str]:
    """Every registered id, then those that other packages declare or that were asked for."""
    return list(dict.fromkeys((*load()["units"], *foreign.table("environments"))))


def entry(env_id: str) -> dict[str, Any]:
    """What the catalog holds of an id.

    Raises:
        UnknownNameError: the id is not registered.
    """
    units = load()["units"]
    if env_id not in units:
        units |= foreign.entries(env_id)  # kept: reports look at the units that were played
    if env_id not in units:
        raise UnknownNameError("environment", env_id, units)
    return dict(units[env_id])


def table(kind: str) -> Mapping[str, str]:
    """``agents``, ``judges`` or ``probes``: name to ``module:Class``; probes the innermost first."""
    return {name: entry["entry_point"] for name, entry in load()[kind].items()} | foreign.table(kind)


@functools.cache
def families() -> Mapping[str, Family]:
    """The cards of all families by name."""
    return {
        name: Family(**card | {"prefixes": tuple(card.get("prefixes", ()))})
        for name, card in load()["families"].items()
    } | foreign.families()


def family(name: str) -> Family:
    """The card of a family.

    Args:
        name: of the card, or ``family`` of a unit.

    Raises:
        UnknownNameError: there is no such family.
    """
    cards = families()
    by_unit = {unit: card for card in cards.values() for unit in card.units}
    found = cards.get(name) or by_unit.get(name)
    if found is None and any(unit["family"] == name for unit in load()["units"].values()):
        return Family(name)  # of another package, without a card
    if found is None:
        raise UnknownNameError("family", name, [*cards, *by_unit])
    return found


def attribute(entry_point: str) -> Any:
    """What an entry point ``module:name`` of the catalog or a card names, imported now."""
    module, _, name = entry_point.partition(":")
    return getattr(importlib.import_module(module), name)
