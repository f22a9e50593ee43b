"""Registers every id of the catalog with Gymnasium and PettingZoo, importing no family, and makes environments."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, Literal

import gymnasium as gym
import pettingzoo
from gymnasium.envs.registration import EnvSpec
from pettingzoo.env_registry import registration as pettingzoo_registry

from interactive_envs import catalog
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.seeds import env_key
from interactive_envs.system import own_modules

APIS: tuple[Literal["aec", "parallel"], ...] = ("aec", "parallel")
"""PettingZoo's; a unit that has one names it among its views."""


def register_all() -> None:
    """Register the catalog's ids; calling it again changes nothing."""
    for env_id in catalog.load()["units"]:
        if env_id not in gym.registry:
            # gym.register looks through all ids for each new one: half of what importing this package took
            kwargs = {"env_id": env_id}
            vector = "interactive_envs.making:make_vector" if "numeric" in catalog.entry(env_id)["views"] else None
            gym.registry[env_id] = EnvSpec(
                env_id, "interactive_envs.making:make", vector_entry_point=vector, kwargs=kwargs
            )
        for api in (api for api in APIS if api in catalog.entry(env_id)["views"]):
            if env_id not in getattr(pettingzoo_registry, f"{api}_registry"):
                entry_point = f"interactive_envs.making:make_{api}"
                pettingzoo.register(api, env_id, entry_point=entry_point, kwargs={"env_id": env_id})


def environment_class(env_id: str) -> Any:
    """The class behind an id, or for one that Gymnasium makes the function that makes it."""
    module, _, name = catalog.entry(env_id)["entry_point"].partition(":")
    return own_modules.load("environment", module, name) or getattr(importlib.import_module(module), name)


def checked(env_id: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that an id's class is called with: those it fixes, those of a preset, then the given ones.

    ``probes``, ``wrappers`` and ``preset``, which every id takes, may be among them.

    Raises:
        UnknownNameError: an argument or the preset is unknown.
        ConfigError: an argument is fixed by the id.
    """
    entry = catalog.entry(env_id)
    fixed = entry["arguments"]
    preset, arguments = arguments.get("preset"), {name: arguments[name] for name in arguments if name != "preset"}
    presets = {None: {}, "default": {}, **entry["presets"]}
    if preset not in presets:
        raise UnknownNameError(f"preset of {env_id}:", str(preset), [name for name in presets if name])
    for name, value in arguments.items():
        if name in fixed and value != fixed[name]:
            raise ConfigError(f"{env_id} fixes {name}={fixed[name]!r}; leave it out")
        if name not in entry["defaults"] and name not in fixed and name not in ("probes", "wrappers"):
            raise UnknownNameError(f"argument of {env_id}:", name, [n for n in entry["defaults"] if n not in fixed])
    return {**fixed, **presets[preset], **arguments}


def all_arguments(env_id: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Every argument that an id leaves open, as it is in force: given, of a preset, or the default.

    Raises:
        UnknownNameError, ConfigError: as :func:`checked`.
    """
    entry = catalog.entry(env_id)
    given = checked(env_id, arguments)
    return {**entry["defaults"], **{name: value for name, value in given.items() if name not in entry["arguments"]}}


def key_of(env_id: str, arguments: Mapping[str, Any]) -> str:
    """The env key of an id with arguments: those at their default, and wrappers, do not change the game.

    Raises:
        UnknownNameError, ConfigError: as :func:`checked`.
    """
    entry = catalog.entry(env_id)
    given = checked(env_id, arguments)
    changed = {name: value for name, value in given.items() if value != entry["defaults"].get(name)}
    return env_key(env_id, changed, (*entry["not_key"], "wrappers"))
