"""An episode as a language model meets it: messages in, messages out, and one place for its endings and faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any, Literal, TypeAlias, TypeVar

import gymnasium as gym

from interactive_envs.errors import ConfigError, FaultError, IbenchError
from interactive_envs.llm.base import Message
from interactive_envs.making import make

Actions: TypeAlias = Literal["text", "tools"]
"""How a model acts: with tags in its text, or by calling tools."""
UNFINISHED = "unfinished"
"""The outcome of an episode that was left before its end; no environment gives it."""
LONGEST_SILENCE = 100_000
"""Empty messages after which every episode should have ended."""
_PROMPTS: Mapping[Actions, tuple[str, str]] = {
    "text": ("interactive_envs.agents", "player-v1.txt"),
    "tools": ("interactive_envs.training.llm", "tools-v1.txt"),
}
_T = TypeVar("_T")


def system_prompt(actions: Actions = "text") -> str:
    """What every dialogue begins with."""
    package, name = _PROMPTS[actions]
    return (files(package) / "data" / name).read_text(encoding="utf-8").strip()


class Dialogue:
    """One episode of one environment.

    A fault of the environment, of its judge or of an opponent is raised as :class:`FaultError`. From then on there is
    no reward: what was broken must not be learnt from.

    Args:
        env_id: a registered id.
        arguments: of the environment, as ``gym.make`` takes them, ``reward`` and ``probes`` among them.
        actions: how the model acts, which decides the system prompt.

    Attributes:
        env: the environment.
        over: whether the episode has ended.
        outcome: how it ended, :data:`UNFINISHED` where it was left, None before.
        turns: messages of the model so far.
        paid: the rewards so far, added up; see :attr:`reward`.
        broken: what broke the episode, None where nothing did.

    Raises:
        ConfigError: the environment cannot be made.
    """

    def __init__(self, env_id: str, arguments: Mapping[str, Any] | None = None, *, actions: Actions = "text") -> None:
        self.env: gym.Env[Any, Any] = make(env_id, **(arguments or {}))
        self._system = system_prompt(actions)
        self.paid = 0.0
        self.over = False
        self.outcome: str | None = None
        self.turns = 0
        self.broken: FaultError | None = None
        self._counts: dict[str, int] = {}
        self._opening: list[Message] = []

    def begin(self, seed: int, case: str | None = None) -> list[Message]:
        """Start an episode and return the messages that open it: the system's, a probe's preface, the rules.

        Args:
            seed: decides everything but the model's choices.
            case: the case to play, where the environment has a list of cases.

        Raises:
            FaultError: the environment failed.
        """
        self.over, self.outcome, self.broken, self.turns, self.paid = False, None, None, 0, 0.0
        self._counts = {"query": 0, "final": 0, "move": 0, "invalid": 0}
        observation, info = self._guarded(
            lambda: self.env.reset(seed=seed, options=None if case is None else {"case": case})
        )
        system: Message = {"role": "system", "content": self._system}
        self._opening = [system, *info.get("preface", ()), {"role": "user", "content": str(observation)}]
        return list(self._opening)

    def step(self, text: str) -> str:
        """Play a message of the model, and return the next one to it: also at the end, where nobody answers it.

        Raises:
            ConfigError: the episode has ended or was broken; or a probe has the dialogue begun anew, which a text
                that only grows cannot show.
            FaultError: the environment, its judge or an opponent failed.
        """
        if self.over or self.broken:
            raise ConfigError("the episode is over; call begin() for the next one")
        observation, reward, terminated, truncated, info = self._guarded(lambda: self.env.step(text))
        self.turns += 1
        self.paid += float(reward)
        kind = info["kind"] if info["valid"] else "invalid"
        self._counts[kind] = self._counts.get(kind, 0) + 1
        if terminated or truncated:
            self.over, self.outcome = True, str(info["outcome"])
        elif info.get("remember") == 0 and getattr(self.env.unwrapped, "probes", ()):
            raise ConfigError(
                f"the probe {self.env.unwrapped.probes[-1]} begins the dialogue anew, "  # type: ignore[attr-defined]
                "which a growing text cannot; evaluate with it, and train without it"
            )
        return str(observation)

    def leave(self) -> None:
        """End an episode before its end: the rest is played as silence, which costs what the environment says.

        So nobody gains by not finishing. An episode that has ended or was broken stays as it is.

        Raises:
            FaultError: the environment or an opponent failed.
        """
        if self.over or self.broken:
            return
        turns, counts = self.turns, dict(self._counts)
        for _ in range(LONGEST_SILENCE):
            if self.over:
                break
            self.step("")
        self.over, self.outcome, self.turns, self._counts = True, UNFINISHED, turns, counts

    @property
    def reward(self) -> float | None:
        """What the episode has paid so far; None where it was broken."""
        return None if self.broken else self.paid

    @property
    def metrics(self) -> dict[str, float]:
        """Numbers beside the reward: the turns, and the messages of each kind.

        ``query``, ``final`` and ``move`` count what was played, ``invalid`` what was not read; ``unfinished`` is 1
        for an episode that was left.
        """
        return {"turns": self.turns, **self._counts, "unfinished": float(self.outcome == UNFINISHED)}

    def close(self) -> None:
        """Give back what the environment holds."""
        self.env.close()

    def _guarded(self, call: Callable[[], _T]) -> _T:
        try:
            return guarded(call)
        except FaultError as error:
            self.broken = error
            raise


def guarded(call: Callable[[], _T]) -> _T:
    """Call an environment.

    Raises:
        FaultError: it failed, in whatever way.
    """
    try:
        return call()
    except (IbenchError, KeyboardInterrupt):
        raise
    except Exception as error:
        raise FaultError(f"the environment failed: {error!r}") from error
