"""Environments, families, players, judges and probes of other packages, found when they are first asked for.

An environment of another package is named in one of three ways, everywhere that an id of this one is:

``module:Class``
    a class with a ``unit`` (:class:`~interactive_envs.catalog.unit.Unit`), or any ``gymnasium.Env`` of texts.
``namespace/Name-v0``, ``module:namespace/Name-v0``
    an id registered with Gymnasium; the module, which registers it, is imported first.
an id of an entry point
    of a distribution that declares ``[project.entry-points.interactive_envs]``.

Such an entry point names a module that costs little to import, since it holds names alone, all of them optional::

    ENVIRONMENTS = {"mine/Guess-v0": "mine.guess:GuessEnv"}     # id: class; the id is that of one of its units
    AGENTS = {"mine/half": "mine.players:Half"}                 # name of a player: class
    JUDGES = {"strict": "mine.judges:Strict"}
    PROBES = {"echo": "mine.probes:Echo"}
    FAMILIES = [Family("mine", suites={...})]                   # cards
"""

from __future__ import annotations

import functools
import importlib
import math
import warnings
from collections.abc import Iterable
from importlib.metadata import entry_points
from typing import Any

from interactive_envs.catalog.declared import entry_of
from interactive_envs.catalog.unit import Unit
from interactive_envs.errors import ConfigError
from interactive_envs.family import Family
from interactive_envs.seeds import NOT_KEY
from interactive_envs.system import own_modules

GROUP = "interactive_envs"
"""The group of entry points that other distributions declare."""
MAKE = "gymnasium:make"
"""Entry point of an environment that Gymnasium makes; its arguments are fixed by the id."""
_BY_GYMNASIUM = {"disable_env_checker": True}


@functools.cache
def packages() -> tuple[Any, ...]:
    """The modules that entry points name; one that cannot be imported is left out, with a warning."""
    found = []
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        try:
            found.append(point.load())
        except Exception as error:  # whatever a package of somebody else's raises when it is imported
            warnings.warn(f"entry point {point.name} ({point.value}) is left out: {error!r}", stacklevel=2)
    return tuple(found)


def table(kind: str) -> dict[str, str]:
    """``environments``, ``agents``, ``judges`` or ``probes`` of other packages: name to ``module:Class``."""
    found: dict[str, str] = {}
    for package in packages():
        found |= dict(getattr(package, kind.upper(), {}))
    return found


def families() -> dict[str, Family]:
    """The cards of other packages by name."""
    cards: Iterable[Family] = (card for package in packages() for card in getattr(package, "FAMILIES", ()))
    return {card.name: card for card in cards}


def entries(env_id: str) -> dict[str, dict[str, Any]]:
    """What the catalog would hold of an id of another package, and of the other ids of its class.

    Args:
        env_id: named in one of the ways above.

    Returns:
        An entry by id, ``env_id`` among them; {} where there is none.

    Raises:
        ConfigError: it was found, and cannot be used; the message says why.
    """
    declared = table("environments").get(env_id)
    if declared is not None:
        return _of_class(env_id, _load(declared))
    module, colon, name = env_id.partition(":")
    if colon and "/" not in name:
        cls = own_modules.load("environment", module, name)
        if cls is None and name.isidentifier():
            raise own_modules.missing("environment", module, name)
        return {} if cls is None else _of_class(env_id, cls)
    if colon and not own_modules.find(module):
        return {}
    return _of_gymnasium(env_id)


def _load(entry_point: str) -> Any:
    module, _, name = entry_point.partition(":")
    try:
        return getattr(importlib.import_module(module), name)
    except Exception as error:  # whatever a module of somebody else's raises when it is imported
        raise ConfigError(f"environment {entry_point} cannot be imported: {error!r}") from error


def _of_class(env_id: str, cls: Any) -> dict[str, dict[str, Any]]:
    """The entries of a class's units, the one that is asked for under its id, too."""
    _check_is_env(env_id, cls)
    units: list[Unit] = [cls.unit] if "unit" in vars(cls) else list(cls.units()) if "units" in vars(cls) else []
    found = {unit.id: _entry(cls, unit) for unit in units}
    if env_id in found:
        return found
    if len(found) > 1:
        raise ConfigError(f"{env_id} has several units: {', '.join(found)}; name one in ENVIRONMENTS of an entry point")
    wanted = next(iter(found.values())) if found else _entry(cls, Unit(env_id, ""))
    return found | {env_id: wanted}


def _of_gymnasium(env_id: str) -> dict[str, dict[str, Any]]:
    """The entry of an id that is registered with Gymnasium; {} where none is."""
    import gymnasium as gym

    module, colon, name = env_id.rpartition(":")
    if colon:
        try:
            importlib.import_module(module)
        except Exception as error:  # as above
            raise ConfigError(f"environment {env_id}: {module} cannot be imported: {error!r}") from error
    spec = gym.registry.get(name)
    if spec is None or spec.entry_point is None or name.startswith("ibench/"):
        return {}
    point = spec.entry_point
    cls: Any = gym.envs.registration.load_env_creator(point) if isinstance(point, str) else point
    unit = getattr(cls, "unit", None)
    unit = unit if isinstance(unit, Unit) else Unit(env_id, "")
    entry = _entry(cls, unit)
    fixed = {"id": env_id, **_BY_GYMNASIUM}
    kept = {key: value for key, value in entry["defaults"].items() if key not in fixed} | dict(spec.kwargs)
    entry |= {"entry_point": MAKE, "arguments": fixed, "defaults": kept, "not_key": (*entry["not_key"], *fixed)}
    return {env_id: entry}


def _entry(cls: Any, unit: Unit) -> dict[str, Any]:
    """The entry of a unit of somebody else's.

    Raises:
        ConfigError: the class cannot be constructed.
    """
    try:
        entry = entry_of(cls, unit)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"{cls!r} cannot be constructed: {error}") from None
    if not unit.family:  # a plain environment, which does not declare its range of returns
        entry["reward_range"] = (-math.inf, math.inf)
    return entry | {"not_key": tuple(dict.fromkeys((*unit.not_key, *NOT_KEY)))}


def _check_is_env(env_id: str, cls: Any) -> None:
    import gymnasium as gym

    if not (isinstance(cls, type) and issubclass(cls, gym.Env)):
        raise ConfigError(f"environment {env_id} is no class derived from gymnasium.Env")
