"""Steps an environment through the wrappers around it, with the judge asked in between its two halves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import gymnasium as gym

from interactive_envs.agent import Agent
from interactive_envs.dialogue.handover import Handover, handover_of
from interactive_envs.errors import ConfigError, FaultError, IbenchError
from interactive_envs.judges.base import JudgeRequest, Verdict, ask
from interactive_envs.outcome import Outcome
from interactive_envs.specs import add_options

Stepped: TypeAlias = tuple[str, float, bool, bool, dict[str, Any]]
Decide: TypeAlias = Callable[[JudgeRequest], Verdict]

_INFO = {"kind": str, "valid": bool, "reason": (str, type(None))}
"""What every info of a step says."""
_GYMNASIUM = ("OrderEnforcing", "PassiveEnvChecker")
"""Put around every environment by ``gym.make``; they change nothing."""


def guarded(call: Callable[[], Any]) -> Any:
    """Call the environment: an exception of its own is a fault of infrastructure, not of the player.

    Raises:
        FaultError: the environment failed.
    """
    try:
        return call()
    except (IbenchError, KeyboardInterrupt):
        raise
    except Exception as error:
        raise FaultError(f"the environment failed: {error!r}") from error


class Judged(gym.Wrapper[Any, Any, Any, Any]):
    """The innermost wrapper of a run: ``step`` submits the action, asks for the verdict, and resolves.

    Attributes:
        decide: gives the verdicts; a runner counts what they cost, a replay reads them off a record.
        request: what the judge was asked by the last step, None where the rules decided.
        verdict: its reply.
        steps: how often the environment was stepped for one action of the player.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        super().__init__(env)
        self.decide: Decide | None = None
        self.request: JudgeRequest | None = None
        self.verdict: Verdict | None = None
        self.steps = 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Reset the environment.

        Raises:
            FaultError: it failed.
        """
        return guarded(lambda: self.env.reset(seed=seed, options=options))  # type: ignore[no-any-return]

    def step(self, action: Any) -> Stepped:
        """Step the environment in its two halves.

        Raises:
            FaultError: the environment or the judge failed.
            ConfigError: a wrapper above gave it no text, or stepped it twice for one action.
        """
        self.steps += 1
        if self.steps > 1:
            raise ConfigError(
                "a wrapper stepped the environment twice for one action; a record holds one step an action"
            )
        if not isinstance(action, str):
            raise ConfigError(f"a wrapper gave the environment a {type(action).__name__} as its action, not a text")
        below: Any = self.unwrapped
        self.request = guarded(lambda: below.submit(action))
        if self.request is not None:
            self.verdict = self.decide(self.request) if self.decide else ask(below.judge, self.request)
        return guarded(lambda: below.resolve(self.verdict))  # type: ignore[no-any-return]


class Stack:
    """An environment with the wrappers around it, as runs and replays step it.

    Args:
        env: the environment, text view, wrapped or not. A :class:`Judged` is put below its wrappers.

    Attributes:
        base: the environment itself.
        judged: the wrapper in which it is stepped.
    """

    def __init__(self, env: gym.Env[Any, Any]) -> None:
        self.base: Any = env.unwrapped
        layers = list(_layers(env))
        found = next((layer for layer in layers if isinstance(layer, Judged)), None)
        self.judged = found or Judged(self.base)
        if found is None and layers:
            layers[-1].env = self.judged
        self._top: gym.Env[Any, Any] = env if layers else self.judged
        self.wrappers = tuple(_name(layer) for layer in reversed(layers) if _is_own(layer))
        """Specs of the user's wrappers, the innermost first, with the arguments that they tell of themselves."""
        self._rewards = 0.0

    def reset(self, seed: int, case: str | None) -> tuple[str, dict[str, Any]]:
        """Start an episode; a ``case`` is played by its id.

        Raises:
            FaultError: the environment failed.
            ConfigError: a wrapper failed, or gives what no text player can play.
        """
        options = {"case": case} if case else None
        observation, info = self._call(lambda: self._top.reset(seed=seed, options=options))
        self._rewards = 0.0
        if self.wrappers:
            self._check("observation", observation, str)
            self._check("info", info, dict)
        return observation, info

    def step(self, action: str, decide: Decide | None = None) -> Stepped:
        """Play one action through the wrappers; ``decide`` gives the verdict where one is needed.

        Where a wrapper ends the episode before the environment does, the info's ``outcome`` is ``timeout`` if it is
        truncated, else ``success`` or ``failure`` by the sign of the return, unless the wrapper says one.

        Raises:
            FaultError: the environment or the judge failed.
            ConfigError: a wrapper failed, or gives what no record can hold.
        """
        judged = self.judged
        judged.decide, judged.request, judged.verdict, judged.steps = decide, None, None, 0
        stepped = self._call(lambda: self._top.step(action))
        if not self.wrappers:
            return stepped  # type: ignore[no-any-return]
        self._check("step", stepped, tuple)
        if len(stepped) != 5:
            raise ConfigError(f"{self._named} returned {len(stepped)} values from step; Gymnasium's step returns 5")
        observation, reward, terminated, truncated, info = stepped
        self._check("observation", observation, str)
        self._check("info", info, dict)
        for name, kind in _INFO.items():
            self._check(f"info[{name!r}]", info.get(name, self), kind)
        try:
            reward = float(reward)
        except (TypeError, ValueError):
            reward = math.nan
        if not math.isfinite(reward):
            raise ConfigError(f"{self._named} gave the reward {stepped[1]!r}, which is no finite number")
        self._rewards += reward
        if terminated or truncated:
            info = self._ending(info, bool(terminated))
        return observation, reward, bool(terminated), bool(truncated), info

    def view_text(self) -> str:
        """The view as one text, for players that keep no history."""
        return str(self._call(lambda: self._top.get_wrapper_attr("view_text")()))

    def told(self, agent: Agent) -> dict[str, Any]:
        """What the info of a player has beyond the environment's, because the player wants it.

        Raises:
            ConfigError: it needs a handover, and there is nothing to conclude or a wrapper stands in between.
        """
        text = {"view_text": self.view_text()} if agent.wants_view_text else {}
        return text | ({"handover": self.handover(f"agent {agent.name!r}")} if agent.wants_handover else {})

    def handover(self, who: str) -> Handover:
        """The handover of the running dialogue; ``who`` needs it.

        Raises:
            ConfigError: there is nothing to conclude, or a wrapper stands in between.
        """
        if self.wrappers:
            raise ConfigError(
                f"{who} cannot look through {self._named}, which may change messages and actions; leave it out"
            )
        return handover_of(self.base, who)

    @property
    def _named(self) -> str:
        return f"wrapper {', '.join(self.wrappers)}" if self.wrappers else "the environment"

    def _call(self, call: Callable[[], Any]) -> Any:
        """Call the outermost wrapper: what it raises is a bug to mend, no play and no fault of infrastructure."""
        try:
            return call()
        except (IbenchError, KeyboardInterrupt):
            raise
        except Exception as error:
            if not self.wrappers:
                raise FaultError(f"the environment failed: {error!r}") from error
            raise ConfigError(f"{self._named} failed: {error!r}") from error

    def _check(self, what: str, value: Any, kind: Any) -> None:
        if not isinstance(value, kind):
            got = "none" if value is self else f"a {type(value).__name__}"
            wanted = " or ".join(one.__name__ for one in (kind if isinstance(kind, tuple) else (kind,)))
            raise ConfigError(f"{self._named} gave {got} as {what}, where a text player needs a {wanted}")

    def _ending(self, info: dict[str, Any], terminated: bool) -> dict[str, Any]:
        outcome: Any = info.get("outcome")
        if outcome is None:
            won = Outcome.SUCCESS if self._rewards > 0 else Outcome.FAILURE
            outcome = won if terminated else Outcome.TIMEOUT
        if outcome not in tuple(Outcome):
            raise ConfigError(f"{self._named} gave the outcome {outcome!r}; it is one of {', '.join(Outcome)}")
        return info | {"outcome": str(outcome)}


def _layers(env: gym.Env[Any, Any]) -> Iterator[gym.Wrapper[Any, Any, Any, Any]]:
    """The wrappers, the outermost first."""
    while isinstance(env, gym.Wrapper):
        yield env
        env = env.env


def _is_own(layer: gym.Wrapper[Any, Any, Any, Any]) -> bool:
    cls = type(layer)
    ours = cls.__module__.startswith("interactive_envs.") or (
        cls.__module__.startswith("gymnasium.") and cls.__name__ in _GYMNASIUM
    )
    return not ours


def _name(layer: gym.Wrapper[Any, Any, Any, Any]) -> str:
    """``module:Class`` and, where the wrapper keeps them (``RecordConstructorArgs``), its arguments."""
    cls = type(layer)
    kept: Mapping[str, Any] = getattr(layer, "_saved_kwargs", {})
    try:
        return add_options(f"{cls.__module__}:{cls.__qualname__}", kept)
    except ConfigError:  # an argument is no JSON value
        return f"{cls.__module__}:{cls.__qualname__}"
