"""Games for several seats as PettingZoo environments: every seat in turn, or all at once."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.utils import seeding
from pettingzoo import AECEnv, ParallelEnv

from interactive_envs.errors import ConfigError
from interactive_envs.multiplayer.game import Game
from interactive_envs.multiplayer.match import MAX_ACTION, Match, Played
from interactive_envs.multiplayer.play import action_mask, seat_info
from interactive_envs.multiplayer.single_seat import MAX_OBSERVATION, SeatGame
from interactive_envs.spaces import TextObservation, TextSpace

_CHECKERS_OPTION = "options"
"""``pettingzoo.test.api_test`` passes a reset option of this name and wants it taken."""


class _Shared:
    """What both PettingZoo views have: the :attr:`match`, the agents' names and spaces, and the seed."""

    def __init__(self, env: SeatGame, *, numeric: bool = False) -> None:
        self.game = env.game
        self.render_mode = env.render_mode
        self.metadata = {
            "name": env.unit.id.removeprefix("ibench/").replace("-", "_"),
            "render_modes": ["ansi"],
            "render_fps": 1,
            "is_parallelizable": env.game.simultaneous,
        }
        self.agents: list[str] = []
        self.possible_agents = [f"player_{seat}" for seat in range(env.game.seats)]
        self.match = Match(env.game, retries=env.retries, on_invalid=env.on_invalid)
        self._numeric = numeric
        self._seat = {name: seat for seat, name in enumerate(self.possible_agents)}
        self.observation_spaces = {name: _observation_space(env.game, numeric) for name in self.possible_agents}
        self.action_spaces = {name: _action_space(env.game, numeric) for name in self.possible_agents}
        self._rng: np.random.Generator | None = None

    def observation_space(self, agent: str) -> Any:
        """``TextSpace``, or the numeric twin's Box."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """``TextSpace``, or the numeric twin's Discrete."""
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Any:
        """Return the messages to an agent since its own last action; calling it changes nothing."""
        if self._numeric:
            return self.game.encode(self.view(agent))
        return TextObservation(self.match.observe(self._seat[agent]))

    def view(self, agent: str) -> Any:
        """All that an agent may know."""
        return self.match.view(self._seat[agent])

    def view_text(self, agent: str) -> str:
        """An agent's View as one text, rules included."""
        return self.match.view_text(self._seat[agent])

    def record(self) -> dict[str, Any]:
        """The whole episode as JSON values, secrets included, for records and replays."""
        return self.game.record(self.match.state)

    def render(self) -> str | None:
        """Every seat's View as text, with ``render_mode="ansi"``."""
        if self.render_mode != "ansi":
            return None
        return "\n\n".join(f"{agent}\n{self.view_text(agent)}" for agent in self.possible_agents)

    def close(self) -> None:
        """Nothing is held."""

    def _start(self, seed: int | None, options: dict[str, Any] | None) -> None:
        if seed is not None or self._rng is None:
            self._rng, _ = seeding.np_random(seed)
        given = {name: value for name, value in (options or {}).items() if name != _CHECKERS_OPTION}
        self.match.begin(self._rng, given)
        self.agents = list(self.possible_agents)
        self._paid = self.game.returns(self.match.state)

    def _act(self, agent: str, action: Any) -> Played:
        return self.match.act(self.game.decode(self.view(agent), int(action)) if self._numeric else action)

    def _info(self, agent: str, played: Played | None) -> dict[str, Any]:
        info = seat_info(self.match, self._seat[agent], played)
        if self._numeric:
            info["action_mask"] = action_mask(self.game, info["view"])
        return info


class AECGame(_Shared, AECEnv):  # type: ignore[misc]  # PettingZoo is not typed
    """A game as PettingZoo's agent-environment cycle: ``player_0`` and so on take turns.

    Observations, actions and what an unreadable one costs are :class:`SeatGame`'s; equal seeds give equal episodes.
    Choices made at once stay hidden until all have chosen. Infos are built for the agent that is to act, and for all
    at the end.

    Args:
        env: the game seen from one seat, whose arguments this takes over.
        numeric: observations are the View as a Box, actions Discrete, with ``action_mask`` in the info.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start an episode."""
        self._start(seed, options)
        # A hand that antes and blinds alone decided is played out, and paid, before anybody acts.
        self.rewards = dict(zip(self.agents, self._paid, strict=True))
        self._cumulative_rewards = dict(self.rewards)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]  # who leaves first where nobody acts
        self._select()

    def step(self, action: Any) -> None:
        """Let the selected agent act; one that is done leaves by ``None``."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._act(agent, action)
        self._cumulative_rewards[agent] = 0.0
        before, self._paid = self._paid, self.game.returns(self.match.state)
        self.rewards = dict(zip(self.possible_agents, map(operator.sub, self._paid, before), strict=True))
        self._accumulate_rewards()
        self._select()

    def _select(self) -> None:
        seat = self.match.to_move
        if seat is None:
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self.agent_selection = self.possible_agents[seat]
        for name in self.agents if seat is None else [self.agent_selection]:
            self.infos[name] = self._info(name, self.match.last[self._seat[name]])


class ParallelGame(_Shared, ParallelEnv):  # type: ignore[misc]
    """A game of simultaneous choices as PettingZoo's parallel environment.

    Where an agent's text cannot be read and is asked for again, the actions of those after it are not played yet:
    their infos say ``waiting``, and all are asked again.

    Args:
        env: the game seen from one seat, whose arguments this takes over.
        numeric: as in :class:`AECGame`.

    Raises:
        ConfigError: the seats take turns.
    """

    def __init__(self, env: SeatGame, *, numeric: bool = False) -> None:
        if not env.game.simultaneous:
            raise ConfigError(f"{env.unit.id}: the seats take turns; make it with the AEC API")
        super().__init__(env, numeric=numeric)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Start an episode."""
        self._start(seed, options)
        return self._messages({})

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Let every agent choose."""
        played: dict[str, Played] = {}
        while (seat := self.match.to_move) is not None and (name := self.possible_agents[seat]) not in played:
            played[name] = self._act(name, actions[name])
        before, self._paid = self._paid, self.game.returns(self.match.state)
        observations, infos = self._messages(played)
        rewards = {name: self._paid[place] - before[place] for name, place in self._seat.items()}
        over = dict.fromkeys(self.agents, self.match.to_move is None)
        truncated = dict.fromkeys(self.agents, False)
        if self.match.to_move is None:
            self.agents = []
        return observations, rewards, over, truncated, infos

    def _messages(self, played: Mapping[str, Played]) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Return every agent's observation and info; ``played`` has what became of this step's texts."""
        infos = {name: self._info(name, played.get(name)) for name in self.agents}
        for name in self.agents:
            infos[name]["waiting"] = bool(played) and name not in played
        return {name: self.observe(name) for name in self.agents}, infos


def _observation_space(game: Game[Any], numeric: bool) -> gym.Space[Any]:
    if not numeric:
        return TextSpace(MAX_OBSERVATION)
    if game.numeric_shape is None:
        raise ConfigError(f"{type(game).__name__} has no numeric view; leave out view='numeric'")
    return Box(0.0, 1.0, game.numeric_shape, np.float32)


def _action_space(game: Game[Any], numeric: bool) -> gym.Space[Any]:
    return Discrete(game.numeric_actions or 1) if numeric else TextSpace(MAX_ACTION, examples=game.action_examples)
