"""Players for the trust game: ten strategies by name, best replies to them, and any of the Axelrod library's."""

from __future__ import annotations

import importlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from interactive_envs.agent import Agent
from interactive_envs.errors import ConfigError, MissingExtraError, UnknownNameError
from interactive_envs.trust_game.best_reply import BestReply, Values, best_reply
from interactive_envs.trust_game.reading import ACTIONS, Move
from interactive_envs.trust_game.rules import TrustView
from interactive_envs.trust_game.strategies import (
    STRATEGIES,
    SUMMARIES,
    Coin,
    Draws,
    GenerousTitForTat,
    Strategy,
    opponent_of,
)


class _TrustPlayer(Agent, ABC):
    """Answers the View with a move."""

    family = "trust"
    reads_text = False

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Keep the seed until the first View tells the seat."""
        self._seed = seed
        self._draws: Draws | None = None
        self._match = 0

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Say the strategy's move.

        Raises:
            ConfigError: the View is of another game.
        """
        view = info.get("view")
        if not isinstance(view, TrustView):
            raise ConfigError(f"agent {self.name!r} plays the trust game only; its info needs a TrustView")
        if self._draws is None:
            self._draws = Draws(self._seed, view.seat)
        if view.match != self._match or info.get("remember") == 0:
            self._match = view.match
            self._begin(view, self._draws)
        return ACTIONS[self._move(view, self._draws)]

    def _begin(self, view: TrustView, draws: Draws) -> None:
        """Prepare for a match."""

    @abstractmethod
    def _move(self, view: TrustView, draws: Draws) -> Move:
        """Choose."""


class _StrategyPlayer(_TrustPlayer):
    """Plays one of the package's strategies."""

    def __init__(self) -> None:
        self._strategy: Strategy = STRATEGIES[self.name]

    def _move(self, view: TrustView, draws: Draws) -> Move:
        return self._strategy(view.own, view.other, draws)


class CoinPlayer(_StrategyPlayer):
    """Cooperates with probability p in every round.

    Args:
        p: the probability.
    """

    name = "coin"

    def __init__(self, *, p: float = Coin.p) -> None:
        self._strategy = Coin(p)


class GenerousTitForTatPlayer(_StrategyPlayer):
    """Tit for tat that lets a defection pass now and then.

    Args:
        generosity: the probability of letting one pass.
    """

    name = "generous-tft"

    def __init__(self, *, generosity: float = GenerousTitForTat.generosity) -> None:
        self._strategy = GenerousTitForTat(generosity)


def _player(name: str, play: FunctionType) -> type[_StrategyPlayer]:
    """Return the player of a strategy without options, in whose words it is described."""
    title = "".join(part.capitalize() for part in play.__name__.split("_"))
    return type(title, (_StrategyPlayer,), {"name": name, "__doc__": play.__doc__, "__module__": __name__})


PLAYERS = {name: _player(name, play) for name, play in STRATEGIES.items() if isinstance(play, FunctionType)}
globals().update({cls.__name__: cls for cls in PLAYERS.values()})  # specs name a class of this module


def _reply(spec: str, view: TrustView, max_rounds: int) -> BestReply:
    """Return the best reply to the player behind a spec.

    Raises:
        ConfigError: it is not known, or the match is longer than that.
    """
    if len(view.own) >= max_rounds:
        raise ConfigError(f"the match has more than {max_rounds} rounds; give the environment's max_rounds in the spec")
    reply = best_reply(spec, view.delta, max_rounds, view.payoffs)
    if reply is None:
        raise ConfigError(f"the best reply to {spec!r} is not known; name one of {', '.join(sorted(SUMMARIES))}")
    return reply


class BestReplyPlayer(_TrustPlayer):
    """Plays the best reply to one strategy, as if it knew that this one sits opposite.

    Args:
        target: spec of the strategy: ``best-reply:tft``.
        max_rounds: the environment's.
    """

    name = "best-reply"

    def __init__(self, target: str, *, max_rounds: int = 35) -> None:
        self._target, self._max_rounds = target, max_rounds

    def _move(self, view: TrustView, draws: Draws) -> Move:
        return _reply(self._target, view, self._max_rounds).values(view.own, view.other).best


class LearnerPlayer(_TrustPlayer):
    """Guesses which of the ten strategies sits opposite by all moves it has seen, and plays the best reply to the mix.

    The strategies are equally likely at first; one in fifty moves of an opponent may be any. A move is worth the mean
    of what it is worth against each strategy, weighted by how likely that one is. It tries nothing out for the sake of
    knowing more.

    Args:
        max_rounds: the environment's.
    """

    name = "learner"
    _ANY = 0.02

    def __init__(self, *, max_rounds: int = 35) -> None:
        self._max_rounds = max_rounds

    def _move(self, view: TrustView, draws: Draws) -> Move:
        worth = np.zeros(2)
        weights = {name: self._likelihood(name, view) for name in SUMMARIES}
        for name, weight in weights.items():
            try:
                values = _reply(name, view, self._max_rounds).values(view.own, view.other)
            except KeyError:  # this one never plays so
                continue
            worth += np.array(values) * weight / max(weights.values())
        return Values(*worth.tolist()).best

    def _likelihood(self, name: str, view: TrustView) -> float:
        """The chance of the other's moves in all matches if it plays a strategy."""
        opponent, total = opponent_of(name), 1.0
        for own, other in (*view.past, (view.own, view.other)):
            for played, move in enumerate(other):
                chance = opponent.chance(other[:played], own[:played]) if opponent else 0.5
                total *= (1 - self._ANY) * (chance if move == "C" else 1 - chance) + self._ANY / 2
        return total


class AxelrodPlayer(_TrustPlayer):
    """A strategy of the Axelrod library, by its name there: ``axelrod:Tit For Tat``.

    It receives the payoffs and, as in the game itself, no length. Strategies that read or change their opponent's code
    or state are refused: there is nobody to read.

    Args:
        target: the strategy's name.

    Raises:
        MissingExtraError: the library is not installed.
        UnknownNameError: it has no such strategy.
        ConfigError: the strategy reads or changes its opponent; while playing: it is not defined for the payoffs.
    """

    name = "axelrod"

    def __init__(self, target: str) -> None:
        library = _library()
        known = {strategy.name: strategy for strategy in library.all_strategies}
        if target not in known:
            raise UnknownNameError("Axelrod strategy", target, known)
        self._class = known[target]
        self._target = target
        # Of the class: the library's classifiers want an instance, and its teams take seconds to build.
        traits = self._class.classifier
        if traits["inspects_source"] or traits["manipulates_source"] or traits["manipulates_state"]:
            raise ConfigError(f"Axelrod strategy {target!r} reads or changes its opponent, which no player can do here")

    def describe(self) -> dict[str, Any]:
        """The strategy and the library's version."""
        return super().describe() | {"strategy": self._target, "axelrod": _library().__version__}

    def _begin(self, view: TrustView, draws: Draws) -> None:
        library, pay = _library(), view.payoffs
        self._actions = {"C": library.Action.C, "D": library.Action.D}
        self._player, self._other = self._class(), library.MockPlayer()
        game = library.Game(r=pay.reward, s=pay.sucker, t=pay.temptation, p=pay.punishment)
        try:
            with np.errstate(all="ignore"):
                self._player.set_match_attributes(length=float("inf"), game=game, noise=0)
        except (ValueError, ArithmeticError) as error:
            raise ConfigError(f"Axelrod strategy {self._target!r} is not defined for these payoffs: {pay}") from error
        self._player.set_seed(int(draws.random() * 2**32))
        self._asked: Any = None  # the library's answer for the round under way; asking twice would change the player

    def _move(self, view: TrustView, draws: Draws) -> Move:
        # The move played may differ from the move returned: a reply that came too late counts as another move.
        for round_ in range(len(self._player.history), len(view.own)):
            self._ask()
            own, other = self._actions[view.own[round_]], self._actions[view.other[round_]]
            self._player.update_history(own, other)
            self._other.update_history(other, own)
            self._asked = None
        return "C" if self._ask() == self._actions["C"] else "D"

    def _ask(self) -> Any:
        if self._asked is None:
            self._asked = self._player.strategy(self._other)
        return self._asked


def _library() -> ModuleType:
    try:
        return importlib.import_module("axelrod")
    except ImportError as error:
        raise MissingExtraError("agent 'axelrod'", "axelrod") from error
