"""The factories behind ``gym.make`` and ``pettingzoo.make``: class, arguments, probes, view."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import gymnasium as gym

from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.dialogue.probe import Probe, read_probes
from interactive_envs.dialogue.vector import VectorDialogue
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.multiplayer.single_seat import SeatGame
from interactive_envs.multiplayer.vector import VectorSeat
from interactive_envs.plain import PlainEnv
from interactive_envs.registration import checked, environment_class
from interactive_envs.specs import parse_spec, resolve
from interactive_envs.wrappers.numeric import NumericView

VIEWS = ("text", "numeric")
REWARDS = {"information": "interactive_envs.wrappers.information:InformationReward"}
"""Rewards besides the environment's own, ``outcome``."""


def make(
    env_id: str,
    *,
    view: Literal["text", "numeric"] = "text",
    probes: str | Probe | Sequence[str | Probe] = (),
    wrappers: str | Sequence[str] = (),
    reward: str = "outcome",
    **arguments: Any,
) -> gym.Env[Any, Any]:
    """The factory behind ``gym.make``: class, checked arguments, probes, reward, view, then wrappers.

    Args:
        env_id: a registered id.
        view: ``text``, or ``numeric`` for the Box/Discrete twin.
        probes: probes or their specs, ``name?option=value``, the innermost first; a single one may be given alone.
        wrappers: specs of Gymnasium wrappers of your own, ``module:Class?option=value``, the innermost first; a single
            one may be given alone.
        reward: ``outcome``, the environment's own; or ``information``, the bits gained about the right answer, with
            options such as ``information?round_cost=0.1``, see :mod:`interactive_envs.wrappers.information`.
        arguments: the environment's own, besides those the id fixes; ``preset="paper"`` gives the published protocol,
            which arguments beside it change.

    Raises:
        UnknownNameError: the id or an argument is unknown; the message names the nearest.
        ConfigError: an argument has a value that cannot work.
    """
    if view not in VIEWS:
        raise UnknownNameError("view", str(view), VIEWS)
    cls, given = environment_class(env_id), checked(env_id, arguments)
    found = read_probes(probes)
    if found:
        if not (isinstance(cls, type) and issubclass(cls, DialogueEnv)):
            raise ConfigError(f"probe {found[0].name!r} needs a dialogue environment, not {cls.__name__}")
        given["probes"] = found
    env: gym.Env[Any, Any] = cls(**given)
    env = env.unwrapped if hasattr(env.unwrapped, "submit") else PlainEnv(env, env_id)
    if reward != "outcome":
        env = _rewarded(env, reward)
    if view == "numeric":
        env = NumericView(env)
    for spec in [wrappers] if isinstance(wrappers, str) else wrappers:
        env = resolve_wrapper(spec)(env)
    return env


def resolve_wrapper(spec: str) -> Callable[[gym.Env[Any, Any]], gym.Wrapper[Any, Any, Any, Any]]:
    """What puts the wrapper that ``spec`` names around an environment, e.g. ``my_module:Hint?every=3``.

    Raises:
        ConfigError: the spec cannot be used; the message says why.
    """
    base: type[gym.Wrapper[Any, Any, Any, Any]] = gym.Wrapper
    return resolve("wrapper", spec, {}, base, leading=1)


def _rewarded(env: gym.Env[Any, Any], spec: str) -> gym.Env[Any, Any]:
    name = parse_spec(spec).name if isinstance(spec, str) else spec
    if name not in REWARDS:
        raise UnknownNameError("reward", str(name), ("outcome", *REWARDS))
    options = spec.partition("?")[2]
    return resolve_wrapper(f"{REWARDS[name]}{'?' if options else ''}{options}")(env)


def make_vector(env_id: str, *, num_envs: int = 1, **arguments: Any) -> VectorDialogue | VectorSeat:
    """The factory behind ``gym.make_vec(…, vectorization_mode="vector_entry_point")``: many numeric twins as arrays.

    Args:
        env_id: of an environment whose episodes can be played as arrays: menus of situation puzzles, query games,
            hold'em and the trust game against players that decide for many tables at once.
        num_envs: how many.
        arguments: as :func:`make`; ``view`` is ``numeric``, and may be left out.

    Raises:
        ConfigError: its episodes cannot be played as arrays.
    """
    for name, only in (("view", "numeric"), ("reward", "outcome"), ("wrappers", ())):
        given = arguments.pop(name, only)
        if given != only:
            raise ConfigError(f"{name}={given!r} cannot be played as arrays; use vectorization_mode='sync'")
    env = make(env_id, **arguments)
    seat = env.unwrapped
    return VectorSeat(seat, num_envs) if isinstance(seat, SeatGame) else VectorDialogue(env, num_envs)


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
    from interactive_envs.multiplayer import pettingzoo  # only now: who plays one seat needs no PettingZoo

    return getattr(pettingzoo, name)(env, numeric=view == "numeric")
