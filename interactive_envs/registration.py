"""Registers every id of the catalog with Gymnasium and PettingZoo, importing no family, and makes environments."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import gymnasium as gym
import pettingzoo
from pettingzoo.env_registry import registration as pettingzoo_registry

from interactive_envs import catalog
from interactive_envs.errors import ConfigError, UnknownNameError

VIEWS = ("text", "numeric")
APIS: tuple[Literal["aec", "parallel"], ...] = ("aec", "parallel")
"""PettingZoo's; a unit that has one names it among its views."""


def register_all() -> None:
    """Register the catalog's ids; calling it again changes nothing."""
    for env_id in catalog.ids():
        if env_id not in gym.registry:
            gym.register(env_id, entry_point="interactive_envs.registration:make", kwargs={"env_id": env_id})
        for api in (api for api in APIS if api in catalog.unit(env_id)["views"]):
            if env_id not in getattr(pettingzoo_registry, f"{api}_registry"):
                entry_point = f"interactive_envs.registration:make_{api}"
                pettingzoo.register(api, env_id, entry_point=entry_point, kwargs={"env_id": env_id})


def make(
    env_id: str,
    *,
    view: Literal["text", "numeric"] = "text",
    probes: str | Sequence[str] = (),
    **arguments: Any,
) -> gym.Env[Any, Any]:
    """The factory behind ``gym.make``: import the class, check the arguments, apply the probes, then the view.

    Args:
        env_id: a registered id.
        view: ``text``, or ``numeric`` for the Box/Discrete twin.
        probes: specs of probes, ``name?option=value``, the innermost first; a single one may be given alone.
        arguments: the environment's own, besides those the id fixes.

    Raises:
        UnknownNameError: the id or an argument is unknown; the message names the nearest.
        ConfigError: an argument has a value that cannot work.
    """
    if view not in VIEWS:
        raise UnknownNameError("view", str(view), VIEWS)
    env: gym.Env[Any, Any] = environment_class(env_id)(**checked(env_id, arguments))
    if probes:
        env = importlib.import_module("interactive_envs.wrappers.probe").wrap(env, probes)
    if view == "text":
        return env
    wrapper = importlib.import_module("interactive_envs.wrappers.numeric").NumericView
    return wrapper(env)  # type: ignore[no-any-return]


def make_aec(env_id: str, **arguments: Any) -> Any:
    """The factory behind ``pettingzoo.make("aec", …)``: every seat acts in turn; arguments as in :func:`make`.

    ``opponents`` and ``seat`` belong to the single-seat view.
    """
    return _make_for_all("AECGame", env_id, arguments)


def make_parallel(env_id: str, **arguments: Any) -> Any:
    """The factory behind ``pettingzoo.make("parallel", …)``: all seats act at once; arguments as in :func:`make`."""
    return _make_for_all("ParallelGame", env_id, arguments)


def _make_for_all(name: str, env_id: str, arguments: Mapping[str, Any]) -> Any:
    taken = next((argument for argument in ("opponents", "seat") if argument in arguments), None)
    if taken:
        raise ConfigError(f"{taken} belongs to the single-seat view, gym.make; here every seat is played")
    given = dict(arguments)
    view = given.pop("view", "text")
    if view not in VIEWS:
        raise UnknownNameError("view", str(view), VIEWS)
    env = make(env_id, **given)
    module = importlib.import_module("interactive_envs.multiplayer")
    return getattr(module, name)(env, numeric=view == "numeric")


def environment_class(env_id: str) -> Any:
    """The class behind an id."""
    module, _, name = catalog.unit(env_id)["entry_point"].partition(":")
    return getattr(importlib.import_module(module), name)


def checked(env_id: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments an id's class is called with: those it fixes, then the given ones; ``probes`` may be among them.

    Raises:
        UnknownNameError: an argument is unknown.
        ConfigError: an argument is fixed by the id.
    """
    entry = catalog.unit(env_id)
    fixed = entry["arguments"]
    for name, value in arguments.items():
        if name in fixed and value != fixed[name]:
            raise ConfigError(f"{env_id} fixes {name}={fixed[name]!r}; leave it out")
        if name not in entry["defaults"] and name not in fixed and name != "probes":
            raise UnknownNameError(f"argument of {env_id}:", name, [n for n in entry["defaults"] if n not in fixed])
    return {**fixed, **arguments}
