"""A game shown three ways: turn by turn and all at once (PettingZoo), and from one seat (Gymnasium).

The three share one :class:`interactive_envs.multiplayer.match.Match`. Texts, arrays and masks are functions of the acting seat's
View and built for that seat only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from interactive_envs.agent import Agent, resolve_agent
from interactive_envs.catalog.unit import Unit
from interactive_envs.errors import ConfigError, IbenchError
from interactive_envs.judges.base import JudgeRequest, Verdict
from interactive_envs.llm.calls import ModelCall
from interactive_envs.multiplayer.game import Game
from interactive_envs.multiplayer.match import MAX_ACTION, Match, Played
from interactive_envs.spaces import TextObservation, TextSpace

MAX_OBSERVATION = 100_000
"""Longest observation, in characters."""
MAX_DEALS = 1000
"""Episodes that are drawn until the single seat has something to decide."""
MAX_LISTED_ACTIONS = 256
"""Most legal actions that an info lists."""


class SeatGame(gym.Env[str, str]):
    """A game for several seats seen from one of them; agents of this package sit on the others.

    Observation: the rules first, then whenever the seat is to act what it may know, in words. ``TextSpace``.
    Action: a move as text. An unreadable or illegal one is asked for again ``retries`` times; then ``on_invalid``.
    Reward: what the seat was paid since its last action.
    Ends: terminated when the game is over; never truncated.
    Info: ``valid``, ``reason``, ``kind`` (``move``, ``retry``, ``punished``), ``view``, ``message_range``,
        ``action_tags``, ``legal_actions`` where there are at most 256; at reset also ``history`` and
        ``action_examples``; at the end ``outcome`` and ``turns``, the seat's actions that were no retries.

    Args:
        game: the pure rules.
        opponents: a spec for all other seats, or a list with one for each, in the order of the seats.
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
        self._agents: dict[int, Agent] = {}
        self._calls: list[ModelCall] = []
        self._texts: list[Played] = []
        self._own: dict[int, Played] = {}
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

        An episode that ends before the seat has anything to decide is drawn anew (everybody folds to the big blind);
        PettingZoo's views play those, too.

        Args:
            seed: decides everything that is not a model's choice.
            options: what the game's ``reset_options`` name.

        Raises:
            ConfigError: the seat never has anything to decide.
        """
        super().reset(seed=seed)
        for self.deals in range(1, MAX_DEALS + 1):
            drawn = [int(number) for number in self.np_random.integers(2**63, size=1 + self.game.seats)]
            if self._script is not None and self.deals < self._script["deals"]:
                continue
            self._deal(drawn, options)
            if self._match.to_move is not None:
                break
        else:
            raise ConfigError(
                f"seat {self.seat} had nothing to decide in {MAX_DEALS} episodes; change the opponents or the options "
                "of reset, or play all seats (PettingZoo)"
            )
        self._paid = 0.0
        return self.observe(), info_of(self._match, self.seat, None) | self._beginning()

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
        own = self._act(self.seat, text)
        self._others_play()
        paid = self.game.returns(self._match.state)[self.seat]
        reward, self._paid = paid - self._paid, paid
        over, info = self._match.to_move is None, info_of(self._match, self.seat, own)
        if over:
            info["turns"] = sum(played.seat == self.seat and played.kind != "retry" for played in self._texts)
        return self.observe(), reward, over, False, info

    def observe(self, seat: int | None = None) -> TextObservation:
        """What a seat is told since its own last action; calling it changes nothing."""
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
        texts = [{"seat": p.seat, "text": p.text, "kind": p.kind, "reason": p.reason} for p in self._texts]
        return {"seat": self.seat, "deals": self.deals, "texts": texts, "game": self.game.record(self._match.state)}

    def resample(self, view: Any, rng: np.random.Generator) -> None:
        """Continue from a state drawn among those that look the same: what search may do, and no more.

        Raises:
            ConfigError: the game cannot draw one.
        """
        self._match.replace(self.game.resample(view, rng))

    def render(self) -> str | None:
        """The View as text, with ``render_mode="ansi"``."""
        return self.view_text() if self.render_mode == "ansi" else None

    def introduce(self) -> dict[str, Any]:
        """The info that a player is reset with, of some episode, asking nobody: opponents may cost money."""
        self._match.start(np.random.default_rng(0))
        return info_of(self._match, self.seat, None) | self._beginning()

    def drain_calls(self) -> list[ModelCall]:
        """The model calls that opponents made since the last drain; whoever limits the cost must count them."""
        calls, self._calls = self._calls, []
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
        return [resolve_agent(spec, self.unit.id) for spec in self.opponents]

    def follow(self, record: Mapping[str, Any]) -> None:
        """Let the other seats say what they said in a record (see :meth:`record`), whoever they were, from then on."""
        self._script = record

    def _deal(self, drawn: Sequence[int], options: Mapping[str, Any] | None) -> None:
        """Begin an episode and play to the seat's first turn.

        Args:
            drawn: the seed of the game, then of each seat's agent.
            options: what the game's ``reset_options`` name.
        """
        self._match.start(np.random.default_rng(drawn[0]), options)
        self._close_agents()
        others = [seat for seat in range(self.game.seats) if seat != self.seat]
        for seat, construct in zip(others, self._constructors, strict=True):
            agent = self._agents[seat] = construct() if self._script is None else _Scripted(self._script, seat)
            agent.reset(seed=drawn[1 + seat], info=info_of(self._match, seat, None) | self._beginning())
        self._texts, self._own, self._pending = [], {}, None
        self._others_play()

    def _act(self, seat: int, text: str) -> Played:
        played = self._own[seat] = self._match.act(text)
        self._texts.append(played)
        return played

    def _others_play(self) -> None:
        """Let the other seats act until it is this seat's turn or the episode is over."""
        while (seat := self._match.to_move) is not None and seat != self.seat:
            info = info_of(self._match, seat, self._own.get(seat))
            if self._agents[seat].wants_view_text:
                info["view_text"] = self._match.view_text(seat)
            self._act(seat, self._asked(seat, info))
        if self._match.to_move is None:
            returns = self.game.returns(self._match.state)
            for seat, agent in self._agents.items():
                agent.finish(self._match.observe(seat), returns[seat], info_of(self._match, seat, self._own.get(seat)))

    def _asked(self, seat: int, info: dict[str, Any]) -> str:
        """What an opponent says; its own exception is a bug to mend, no fault of the environment."""
        agent = self._agents[seat]
        try:
            return agent.act(self._match.observe(seat), info)
        except IbenchError:
            raise
        except Exception as error:
            raise ConfigError(f"opponent {agent.name or type(agent).__name__!r} failed: {error!r}") from error
        finally:
            self._calls += agent.drain_calls()

    def _beginning(self) -> dict[str, Any]:
        return {"history": self.game.history, "action_examples": self.game.action_examples}

    def _close_agents(self) -> None:
        for agent in self._agents.values():
            agent.close()
        self._agents = {}


class _Scripted(Agent):
    """Says again what a seat said in a record."""

    def __init__(self, record: Mapping[str, Any], seat: int) -> None:
        self._texts = [said["text"] for said in reversed(record["texts"]) if said["seat"] == seat]

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """The next of its texts.

        Raises:
            ConfigError: there is none: the record belongs to another game.
        """
        if not self._texts:
            raise ConfigError("the record is over before the game: it was played with other rules")
        return str(self._texts.pop())


def action_mask(game: Game[Any], view: Any) -> NDArray[np.int8]:
    """1 where a numeric action may be played, int8 of the action space's size."""
    count = game.numeric_actions or 0
    return np.fromiter((game.decode(view, index) != "" for index in range(count)), dtype=np.int8, count=count)


def _specs(opponents: str | Sequence[str], count: int) -> tuple[str, ...]:
    if isinstance(opponents, str):
        return (opponents,) * count
    if not isinstance(opponents, Sequence) or not all(isinstance(spec, str) for spec in opponents):
        raise ConfigError(f"opponents must be a spec or a list of specs, got {opponents!r}")
    if len(opponents) != count:
        raise ConfigError(f"opponents must name {count} players, one for each other seat, got {len(opponents)}")
    return tuple(opponents)


def info_of(match: Match[Any], seat: int, own: Played | None) -> dict[str, Any]:
    """What goes with a seat's observation; ``own`` is what became of its last text."""
    game = match.game
    view = match.view(seat)
    info: dict[str, Any] = {
        "valid": own is None or own.valid,
        "reason": own.reason if own else None,
        "kind": own.kind if own else "move",
        "view": view,
        "message_range": match.messages(seat),
        "action_tags": game.action_tags,
    }
    legal = game.legal_actions(view)
    if legal is not None and len(legal) <= MAX_LISTED_ACTIONS:
        info["legal_actions"] = legal
    if match.to_move is None:
        info["outcome"] = game.outcomes(match.state)[seat].value
    return info
