"""The committed table of every environment, agent and judge: reading it imports no family.

``catalog.json`` is generated from the classes themselves by ``make catalog``; a test compares.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interactive_envs.errors import UnknownNameError

PATH = Path(__file__).with_name("catalog.json")


@functools.cache
def load() -> dict[str, Any]:
    """The whole catalog: ``units``, ``agents`` and ``judges``."""
    return json.loads(PATH.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


def ids() -> list[str]:
    """Every registered id."""
    return list(load()["units"])


def entry(env_id: str) -> dict[str, Any]:
    """What the catalog holds of an id.

    Raises:
        UnknownNameError: the id is not registered.
    """
    units = load()["units"]
    if env_id not in units:
        raise UnknownNameError("environment", env_id, units)
    return dict(units[env_id])


def table(kind: str) -> Mapping[str, str]:
    """``agents`` or ``judges``: name to ``module:Class``."""
    return {name: entry["entry_point"] for name, entry in load()[kind].items()}
