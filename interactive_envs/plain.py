"""A plain Gymnasium environment of texts, of whatever package, as runs, replays and reports step it."""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import gymnasium as gym

from interactive_envs.errors import ConfigError
from interactive_envs.judges.base import JudgeRequest, Verdict
from interactive_envs.llm.calls import ModelCall
from interactive_envs.outcome import Outcome
from interactive_envs.spaces import TextObservation, TextSpace
from interactive_envs.view import View

MAX_UNREADABLE = 3
"""Actions in a row that are outside the action space, after which the episode ends with ``format_error``."""
MAX_OBSERVATION = 200_000
"""Characters; messages of this adapter need not be in the environment's own space."""
EXAMPLES = 8
"""Samples of the action space that a player without a list of legal actions is given."""


@dataclass(frozen=True)
class PlainView(View):
    """What the player may know.

    Attributes:
        message: the last observation.
        turns: actions so far.
    """

    message: str
    turns: int


@dataclass(frozen=True)
class PlainTask:
    """What a record says of an environment of which nothing but its id is known."""

    env_id: str
    sandboxed: bool = False

    def data_sha256(self) -> str:
        """Hash of the id: an environment without declared data has none that could change."""
        return hashlib.sha256(self.env_id.encode()).hexdigest()


class PlainEnv(gym.Env[str, str]):
    """Adds to an environment what players and records of this package need.

    Observation: the environment's.
    Action: a text; one outside the action space is not handed on, and three in a row end the episode.
    Reward: the environment's.
    Ends: as the environment does, or with ``format_error``.
    Info: the environment's, ``legal_actions`` among them where it lists them; and ``kind`` (``move`` or ``invalid``),
        ``valid``, ``reason``, ``view``, ``message_range``, ``action_tags``; at reset ``action_examples``, samples of
        the action space, unless it says some; at the end ``turns`` and ``outcome``: the environment's own where it
        says one, else ``success`` or ``failure`` by whether the return is above 0, and ``timeout`` where it was
        truncated.

    Args:
        env: a Gymnasium environment, with its wrappers.
        env_id: what records call it.

    Raises:
        ConfigError: its observations or actions are no texts.

    Source: that of the environment.

    Version history: v0, first release.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 - declared so by Gymnasium
    opponents: tuple[str, ...] = ()
    probes: tuple[str, ...] = ()
    cases: tuple[str, ...] | None = None
    asks_judge = False

    def __init__(self, env: gym.Env[Any, Any], env_id: str) -> None:
        for what, space in (("observation", env.observation_space), ("action", env.action_space)):
            if not isinstance(space, gym.spaces.Text | TextSpace):
                raise ConfigError(
                    f"{env_id} has {space} as its {what} space; a text player needs gymnasium.spaces.Text"
                )
        self.env = env
        self.observation_space, self.action_space = TextSpace(MAX_OBSERVATION), env.action_space
        self.render_mode = env.render_mode
        self.task = PlainTask(env_id)
        self._message = ""
        self._messages = self._turns = self._unreadable = 0
        self._return = 0.0
        self._over = True
        self._pending: str | None = None
        self._legal: list[str] | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start an episode."""
        super().reset(seed=seed)
        observation, info = self.env.reset(seed=seed, options=options)
        self._messages = self._turns = self._unreadable = 0
        self._return, self._over, self._pending = 0.0, False, None
        if "action_examples" not in info:
            space = copy.deepcopy(self.action_space)  # whoever samples the environment's own draws what it did before
            space.seed(int(self.np_random.integers(2**31)))
            info = info | {"action_examples": tuple(space.sample() for _ in range(EXAMPLES))}
        text = self._send(observation)
        self._keep_legal(info)
        return text, info | self._info(None)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Submit and resolve."""
        self.submit(action)
        return self.resolve()

    def submit(self, action: str) -> JudgeRequest | None:
        """Take an action; no judge is needed."""
        if not isinstance(action, str):
            raise TypeError(f"an action is a str, got {type(action).__name__}: {action!r}")
        if self._over:
            raise gym.error.ResetNeeded("no episode is being played; call reset() first")
        self._pending = action
        return None

    def resolve(self, verdict: Verdict | None = None) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play the submitted action."""
        if self._pending is None:
            raise gym.error.ResetNeeded("there is no submitted action; call submit(action) first")
        text, self._pending = self._pending, None
        fitting = next((one for one in (text, text.strip()) if one in self.action_space), None)
        self._turns += 1
        if fitting is None:
            return self._refuse()
        self._unreadable = 0
        observation, reward, terminated, truncated, info = self.env.step(fitting)
        self._return += float(reward)
        self._over = bool(terminated or truncated)
        self._keep_legal(info)
        text = self._send(observation)
        info = info | self._info(None)
        if self._over:
            info |= {"outcome": self._outcome(info, bool(terminated)), "turns": self._turns}
        return text, float(reward), bool(terminated), bool(truncated), info

    def view(self, seat: int = 0) -> PlainView:
        """All that the player may know."""
        return PlainView(self._message, self._turns)

    def view_text(self, seat: int = 0) -> str:
        """The last observation."""
        return self._message

    def observe(self, seat: int = 0) -> TextObservation:
        """The last observation; calling it changes nothing."""
        return TextObservation(self._message)

    def legal_actions(self) -> list[str] | None:
        """What the environment's last info says, None where it says nothing."""
        return [] if self._over else self._legal

    def introduce(self) -> dict[str, Any]:
        """The info that a player is reset with."""
        return self.reset(seed=0)[1]

    def drain_calls(self) -> list[ModelCall]:
        """Model calls of other players: there are none that are known of."""
        return []

    def record(self) -> None:
        """What a record says beyond the steps: nothing."""

    def secrets(self) -> Sequence[str]:
        """Texts that must not reach the player: none are known."""
        return ()

    def render(self) -> Any:
        """The environment's own rendering."""
        return self.env.render()

    def close(self) -> None:
        """Close the environment."""
        self.env.close()

    def _refuse(self) -> tuple[str, float, bool, bool, dict[str, Any]]:
        self._unreadable += 1
        self._over = self._unreadable == MAX_UNREADABLE
        reason = f"The message is not in the action space {self.action_space}."
        text = self._send(f"Not read: {reason}")
        info = self._info(reason)
        if self._over:
            info |= {"outcome": Outcome.FORMAT_ERROR.value, "turns": self._turns}
        return text, 0.0, self._over, False, info

    def _keep_legal(self, info: dict[str, Any]) -> None:
        listed = info.get("legal_actions")
        self._legal = None if listed is None else [str(action) for action in listed]

    def _send(self, observation: Any) -> TextObservation:
        if not isinstance(observation, str):
            raise ConfigError(f"{self.task.env_id} gave a {type(observation).__name__} as its observation, not a text")
        self._message = str(observation)
        self._messages += 1
        return self.observe()

    def _info(self, reason: str | None) -> dict[str, Any]:
        return {
            "kind": "move" if reason is None else "invalid",
            "valid": reason is None,
            "reason": reason,
            "view": self.view(),
            "message_range": (self._messages - 1, self._messages),
            "action_tags": (),
        }

    def _outcome(self, info: dict[str, Any], terminated: bool) -> str:
        given = info.get("outcome")
        if given is None:
            won = Outcome.SUCCESS if self._return > 0 else Outcome.FAILURE
            return (won if terminated else Outcome.TIMEOUT).value
        if given not in tuple(Outcome):
            raise ConfigError(f"{self.task.env_id} gave the outcome {given!r}; it is one of {', '.join(Outcome)}")
        return str(given)
