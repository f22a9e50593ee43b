"""A game for several seats as a Gymnasium environment: one seat is played, agents sit on the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np

from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.catalog.unit import Unit
from interactive_envs.errors import ConfigError, IbenchError
from interactive_envs.judges.base import JudgeRequest, Verdict
from interactive_envs.llm.calls import ModelCall
from interactive_envs.multiplayer.arrays import SeatArrays
from interactive_envs.multiplayer.game import Game
from interactive_envs.multiplayer.match import MAX_ACTION, Match
from interactive_envs.multiplayer.play import play_out, reset_info, seat_info
from interactive_envs.seeds import GameSeeds, game_seeds
from interactive_envs.spaces import TextObservation, TextSpace

MAX_OBSERVATION = 100_000
"""Longest observation, in characters."""
MAX_DEALS = 1000
"""Episodes that are drawn until the single seat has something to decide."""


class SeatGame(gym.Env[str, str]):
    """A game for several seats seen from one of them; agents of this package sit on the others.

    Observation: the rules first, then whenever the seat is to act what it may know, in words. ``TextSpace``.
    Action: a move as text. An unreadable or illegal one is asked for again ``retries`` times; then ``on_invalid``.
    Reward: what the seat was paid since its last action.
    Ends: terminated when the game is over; never truncated.
    Info: ``valid``, ``reason``, ``illegal`` (the move could be read, and is not legal), ``kind`` (``move``, ``retry``,
        ``punished``), ``view``, ``message_range``, ``action_tags``, ``legal_actions`` where there are at most 256, for
        players that are programs; ``legal`` where it is ``hidden`` from the text; at reset also ``history`` and
        ``action_examples``; at the end ``outcome`` and ``turns``, the seat's actions that were no retries.

    Args:
        game: the pure rules.
        opponents: a spec for all other seats, or a list with one for each in order from the seat after ours on: they
            keep their places around the table whichever seat is played.
        seat: which seat is played.
        retries: unreadable texts a decision that are asked for again.
        on_invalid: what happens after them, one of the game's ``invalid_policies``.
        render_mode: None or ``ansi``.

    Raises:
        ConfigError: an argument has a value that cannot work.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}  # type: ignore[misc]
    unit: ClassVar[Unit]

    def __init__(
        self,
        game: Game[Any],
        *,
        opponents: str | Sequence[str],
        seat: int = 0,
        retries: int = 1,
        on_invalid: str | None = None,
        render_mode: str | None = None,
    ) -> None:
        if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < game.seats:
            raise ConfigError(f"seat must be a whole number from 0 to {game.seats - 1}, got {seat!r}")
        if render_mode not in (None, "ansi"):
            raise ConfigError(f"render_mode must be None or 'ansi', got {render_mode!r}")
        self.game = game
        self.seat = seat
        self.render_mode = render_mode
        self.opponents = _specs(opponents, game.seats - 1)
        self._constructors = self._resolved()  # an unknown name fails here, not at the first reset
        self._match = Match(game, retries=retries, on_invalid=on_invalid)
        self._players: dict[int, _Opponent] = {}
        self._calls: list[ModelCall] = []
        self._paid = 0.0
        self._script: Mapping[str, Any] | None = None
        self.deals = 0
        """Episodes drawn by the last reset; all but one ended before the seat could act."""
        self._pending: str | None = None
        self.observation_space = TextSpace(MAX_OBSERVATION)
        self.action_space = TextSpace(MAX_ACTION, examples=game.action_examples)

    @property
    def task(self) -> Game[Any]:
        """The rules, under the name that the numeric view looks for."""
        return self.game

    @property
    def retries(self) -> int:
        """Unreadable texts a decision that are asked for again."""
        return self._match.retries

    @property
    def on_invalid(self) -> str:
        """What happens after them."""
        return self._match.on_invalid

    @property
    def cases(self) -> tuple[str, ...] | None:
        """None: episodes are drawn without end."""
        return None

    @property
    def asks_judge(self) -> bool:
        """Whether a judge decides anything here."""
        return False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """Start an episode and play to the seat's first turn.

        An episode that ends before the seat has anything to decide is drawn again (everybody folds to the big blind);
        PettingZoo's views play those, too.

        Args:
            seed: decides everything that is not a model's choice.
            options: what the game's ``reset_options`` name.

        Raises:
            ConfigError: the seat never has anything to decide.
        """
        super().reset(seed=seed)
        for self.deals in range(1, MAX_DEALS + 1):
            seeds = game_seeds(self.np_random, self.game.seats)
            if self._script is not None and self.deals < self._script["deals"]:
                continue
            self._deal(seeds, options)
            if self._match.to_move is not None:
                break
        else:
            raise ConfigError(
                f"seat {self.seat} had nothing to decide in {MAX_DEALS} episodes; change the opponents or the options "
                "of reset, or play all seats (PettingZoo)"
            )
        self._paid = 0.0
        return self.observe(), reset_info(self._match, self.seat)

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play a text and everybody else's until the seat is to act again."""
        self.submit(action)
        return self.resolve()

    def submit(self, action: str) -> JudgeRequest | None:
        """Take an action; nothing here needs a judge."""
        if not isinstance(action, str):
            raise TypeError(f"an action is a str, got {type(action).__name__}: {action!r}")
        if not self._match.started or self._match.to_move is None:
            raise gym.error.ResetNeeded("no episode is being played; call reset() first")
        self._pending = action
        return None

    def resolve(self, verdict: Verdict | None = None) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Play the submitted action."""
        if self._pending is None:
            raise gym.error.ResetNeeded("there is no submitted action; call submit(action) first")
        text, self._pending = self._pending, None
        played = self._match.act(text)
        play_out(self._match, self._players)
        paid = float(self.game.returns(self._match.state)[self.seat])
        reward, self._paid = paid - self._paid, paid
        over, info = self._match.to_move is None, seat_info(self._match, self.seat, played)
        if over:
            info["turns"] = sum(text.seat == self.seat and text.kind != "retry" for text in self._match.texts)
        return self.observe(), reward, over, False, info

    def observe(self, seat: int | None = None) -> TextObservation:
        """Return the messages to a seat since its own last action; calling it changes nothing."""
        return TextObservation(self._match.observe(self.seat if seat is None else seat))

    def view(self, seat: int | None = None) -> Any:
        """All that a seat may know."""
        return self._match.view(self.seat if seat is None else seat)

    def view_text(self, seat: int | None = None) -> str:
        """A seat's View as one text, for players that keep no history."""
        return self._match.view_text(self.seat if seat is None else seat)

    def secrets(self) -> Sequence[str]:
        """Texts that must not reach the player before the end; for checks, not for players."""
        return self.game.secrets(self._match.state, self.seat)

    def legal_actions(self) -> list[str] | None:
        """Every legal text action, None where there is no short list."""
        return self.game.legal_actions(self.view())

    def record(self) -> dict[str, Any]:
        """The whole episode as JSON values, secrets included: the game's own record, and every seat's texts."""
        names = ("seat", "text", "kind", "reason")
        texts = [
            {name: getattr(played, name) for name in names} | ({"illegal": True} if played.illegal else {})
            for played in self._match.texts
        ]
        return {"seat": self.seat, "deals": self.deals, "texts": texts, "game": self.game.record(self._match.state)}

    def resample(self, view: Any, rng: np.random.Generator) -> None:
        """Continue from a state drawn among those that look the same: what search may do, and no more.

        Raises:
            ConfigError: the game cannot draw one.
        """
        # Hands that were over before this seat could act are paid with its first step.
        owed = float(self.game.returns(self._match.state)[self.seat]) - self._paid
        self._match.replace(self.game.resample(view, rng))
        # A View without a memory leaves open what was earned before; what follows is paid from there.
        self._paid = float(self.game.returns(self._match.state)[self.seat]) - owed

    def render(self) -> str | None:
        """The View as text, with ``render_mode="ansi"``."""
        return self.view_text() if self.render_mode == "ansi" else None

    def introduce(self) -> dict[str, Any]:
        """The info that a player is reset with, of some episode, asking nobody: opponents may cost money."""
        self._match.begin(GameSeeds(0))
        return reset_info(self._match, self.seat)

    def arrays(self, count: int) -> SeatArrays:
        """So many matches of this seat side by side, see :class:`interactive_envs.multiplayer.vector.VectorSeat`.

        Raises:
            ConfigError: the game or its opponents cannot be played so.
        """
        raise ConfigError(f"{type(self).__name__} cannot be played as arrays; use vectorization_mode='sync' or 'async'")

    def side_by_side(self, games: int, *, most: float) -> Any:
        """So many matches of all seats in lockstep, as an arena of :mod:`interactive_envs.training`.

        Args:
            games: how many matches.
            most: what pays 1.

        Returns:
            None where matches are played one by one.
        """
        return None

    def drain_calls(self) -> list[ModelCall]:
        """The model calls that opponents made since the last drain; whoever limits the cost must count them."""
        calls = list(self._calls)
        self._calls.clear()
        return calls

    def close(self) -> None:
        """Close the opponents."""
        self._close_agents()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_constructors"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        self._constructors = self._resolved()

    def _resolved(self) -> list[Callable[[], Agent]]:
        return [resolve_agent(spec, family=self.unit.family) for spec in self.opponents]

    def follow(self, record: Mapping[str, Any]) -> None:
        """Let the other seats play the texts of a record (see :meth:`record`), whoever they were, from then on."""
        self._script = record

    def _deal(self, seeds: GameSeeds, options: Mapping[str, Any] | None) -> None:
        """Begin an episode and play to the seat's first turn."""
        self._match.begin(seeds, options)
        self._close_agents()
        others = [(self.seat + place) % self.game.seats for place in range(1, self.game.seats)]
        for seat, construct in zip(others, self._constructors, strict=True):
            agent = construct() if self._script is None else _Scripted(self._script, seat)
            self._players[seat] = _Opponent(agent, self._calls)
            agent.reset(seed=seeds.players[seat], info=reset_info(self._match, seat))
        self._pending = None
        play_out(self._match, self._players)

    def _close_agents(self) -> None:
        for player in self._players.values():
            player.agent.close()
        self._players = {}


class _Opponent:
    """An agent on another seat; its own exception is a bug to mend, no fault of the environment.

    Args:
        agent: who plays.
        calls: to which its model calls are added.
    """

    def __init__(self, agent: Agent, calls: list[ModelCall]) -> None:
        self.agent, self._calls = agent, calls
        self.reads_text, self.reads_view = agent.reads_text, agent.reads_view

    @property
    def wants_view_text(self) -> bool:
        return self.agent.wants_view_text

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        try:
            return self.agent.act(observation, info)
        except IbenchError:
            raise
        except Exception as error:
            raise ConfigError(f"opponent {self.agent.name or type(self.agent).__name__!r} failed: {error!r}") from error
        finally:
            self._calls += self.agent.drain_calls()

    def finish(self, observation: str, reward: float, info: Mapping[str, Any]) -> None:
        self.agent.finish(observation, reward, info)


class _Scripted(Agent):
    """Plays a seat's texts of a record again."""

    def __init__(self, record: Mapping[str, Any], seat: int) -> None:
        self._texts = [entry["text"] for entry in reversed(record["texts"]) if entry["seat"] == seat]

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """The next of its texts.

        Raises:
            ConfigError: there is none: the record belongs to another game.
        """
        if not self._texts:
            raise ConfigError("the record is over before the game: it was played with other rules")
        return str(self._texts.pop())


def _specs(opponents: str | Sequence[str], count: int) -> tuple[str, ...]:
    if isinstance(opponents, str):
        return (opponents,) * count
    if not isinstance(opponents, Sequence) or not all(isinstance(spec, str) for spec in opponents):
        raise ConfigError(f"opponents must be a spec or a list of specs, got {opponents!r}")
    if len(opponents) != count:
        raise ConfigError(f"opponents must name {count} players, one for each other seat, got {len(opponents)}")
    return tuple(opponents)
