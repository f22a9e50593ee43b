"""Ten strategies of the trust game as functions of the two histories, and the fast loop that plays them.

Every strategy knows the current match only: it begins each match anew.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from interactive_envs.errors import ConfigError
from interactive_envs.specs import parse_spec
from interactive_envs.trust_game.reading import MOVES, Move
from interactive_envs.trust_game.rules import Payoffs


class Draws:
    """The random numbers of the player in a seat; its seed None gives others each time."""

    def __init__(self, seed: int | None, seat: int) -> None:
        self._seed = seed
        self._seat = seat
        self._random: Random | None = None

    def random(self) -> float:
        """A number from [0, 1)."""
        if self._random is None:  # seeding takes as long as half a match, and most strategies never draw
            # By text: the two seats and the environment share the episode's seed, and need streams of their own.
            seed = None if self._seed is None else f"trust game, seat {self._seat}, {self._seed}"
            self._random = Random(seed)  # noqa: S311 - a game, no secret
        return self._random.random()


Strategy: TypeAlias = Callable[[str, str, Draws], Move]
"""The next move from the own moves, the other's moves and the player's random numbers."""
Summary: TypeAlias = Callable[[str, str], tuple[str, str]]
"""Shortens the own and the other's moves to two histories after which a strategy plays the same for ever."""
STRATEGIES: dict[str, Strategy] = {}
"""Every strategy by the name of its player; a strategy with options stands here with their defaults."""
SUMMARIES: dict[str, Summary] = {}
"""The state of those strategies that are known to have few: the best reply to them can be computed."""


def strategy(name: str, summary: Summary | None = None) -> Callable[[Strategy], Strategy]:
    """Give a strategy its name; ``agents/trust_game.py`` makes a player of each function that has one.

    Args:
        name: the player's, without its family.
        summary: shortens histories to what the strategy remembers of them; None where that is not known.
    """

    def enter(play: Strategy) -> Strategy:
        STRATEGIES[name] = play
        if summary:
            SUMMARIES[name] = summary
        return play

    return enter


def last(rounds: int) -> Summary:
    """Return the summary of a strategy that looks at the last rounds only."""

    def shorten(own: str, other: str) -> tuple[str, str]:
        return (own[-rounds:], other[-rounds:]) if rounds else ("", "")

    return shorten


def _summary_of_grim(own: str, other: str) -> tuple[str, str]:
    return ("C", "D") if "D" in other else ("", "")


def _summary_of_gradual(own: str, other: str) -> tuple[str, str]:
    """Keep how many defections there were before and since the last punishment began, and how far it is."""
    body = own.rstrip("C")
    if not body or len(own) - len(body) >= 2:  # neither punishing nor calming down
        count = other.count("D")
        return ("C" * count, "D" * count) if other[-1:] != "C" or not count else ("C" * (count + 1), "D" * count + "C")
    start = len(body.rstrip("D"))
    before, since = other.count("D", 0, start), other.count("D", start)
    return "C" * before + own[start:], "D" * (before + since) + "C" * (len(own) - start - since)


@strategy("tft", last(1))
def tit_for_tat(own: str, other: str, draws: Draws) -> Move:
    """Cooperates first, then repeats the other's last move.

    Rapoport; Axelrod 1980.
    """
    return "D" if other[-1:] == "D" else "C"


@strategy("grim", _summary_of_grim)
def grim(own: str, other: str, draws: Draws) -> Move:
    """Cooperates until the other's first defection, then defects for good.

    Friedman 1971.
    """
    return "D" if "D" in other else "C"


@strategy("all-c", last(0))
def all_cooperate(own: str, other: str, draws: Draws) -> Move:
    """Always cooperates."""
    return "C"


@strategy("all-d", last(0))
def all_defect(own: str, other: str, draws: Draws) -> Move:
    """Always defects."""
    return "D"


@strategy("pavlov", last(1))
def pavlov(own: str, other: str, draws: Draws) -> Move:
    """Win-stay, lose-shift: cooperates first and whenever both made the same move.

    Nowak & Sigmund 1993.
    """
    return "C" if own[-1:] == other[-1:] else "D"


@strategy("suspicious-tft", last(1))
def suspicious_tit_for_tat(own: str, other: str, draws: Draws) -> Move:
    """Tit for tat that defects first."""
    return "C" if other[-1:] == "C" else "D"


@strategy("tit-for-two-tats", last(2))
def tit_for_two_tats(own: str, other: str, draws: Draws) -> Move:
    """Defects only after two defections in a row.

    Axelrod 1984.
    """
    return "D" if other[-2:] == "DD" else "C"


@strategy("gradual", _summary_of_gradual)
def gradual(own: str, other: str, draws: Draws) -> Move:
    """Answers each defection with as many as the other has made, then cooperates twice.

    It cooperates twice whatever happens. After Beaufils, Delahaye & Mathieu (1997), in the version that counts the
    defections made while it punishes or calms down as well (Axelrod library: Gradual).
    """
    before = own.rstrip("D")
    if before != own:
        # Two cooperations part any two punishments, so the last run of D is one punishment.
        return "D" if len(own) - len(before) < other.count("D", 0, len(before)) else "C"
    if "D" in own[-2:]:
        return "C"
    return "D" if other[-1:] == "D" else "C"


def _check_probability(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ConfigError(f"{name} must be a probability from 0 to 1, got {value!r}")


@dataclass(frozen=True)
class Coin:
    """Cooperates with probability p in every round.

    Raises:
        ConfigError: p is no probability.
    """

    p: float = 0.5

    def __post_init__(self) -> None:
        _check_probability("p", self.p)

    def chance(self, own: str, other: str) -> float:
        """The probability of cooperating."""
        return self.p

    def __call__(self, own: str, other: str, draws: Draws) -> Move:
        """Draw."""
        return "C" if draws.random() < self.p else "D"


@dataclass(frozen=True)
class GenerousTitForTat:
    """Tit for tat that lets a defection pass with probability ``generosity``.

    The default is the most that defectors cannot exploit at the paper's payoffs,
    min(1 - (T - R) / (R - S), (R - P) / (T - P)) (Nowak & Sigmund 1992).

    Raises:
        ConfigError: ``generosity`` is no probability.
    """

    generosity: float = 2 / 3

    def __post_init__(self) -> None:
        _check_probability("generosity", self.generosity)

    def chance(self, own: str, other: str) -> float:
        """The probability of cooperating."""
        return self.generosity if other[-1:] == "D" else 1.0

    def __call__(self, own: str, other: str, draws: Draws) -> Move:
        """Draw only after a defection."""
        return "D" if other[-1:] == "D" and draws.random() >= self.generosity else "C"


STRATEGIES |= {"coin": Coin(), "generous-tft": GenerousTitForTat()}
SUMMARIES |= {"coin": last(0), "generous-tft": last(1)}


@dataclass(frozen=True)
class Opponent:
    """A strategy that is known exactly: what it remembers, and how it then plays."""

    play: Strategy
    summary: Summary

    def chance(self, own: str, other: str) -> float:
        """The probability that it cooperates after its own moves and the other's."""
        if isinstance(self.play, Coin | GenerousTitForTat):
            return self.play.chance(own, other)
        return float(self.play(own, other, Draws(0, 0)) == "C")


def strategy_of(spec: str) -> Strategy | None:
    """Return the strategy that the player behind a spec follows, None where it is none of the package's."""
    found = _named(spec)
    return found[1] if found else None


def opponent_of(spec: str) -> Opponent | None:
    """Return the strategy behind a player's spec, None where it is not known exactly.

    >>> opponent_of("coin?p=0.25").chance("", "")
    0.25
    >>> opponent_of("llm:openai/gpt-5-mini") is None
    True
    """
    found = _named("coin" if spec == "random" else spec)  # both draw among the moves
    return Opponent(found[1], SUMMARIES[found[0]]) if found and found[0] in SUMMARIES else None


def _named(spec: str) -> tuple[str, Strategy] | None:
    """A strategy and its name."""
    try:
        parsed = parse_spec(spec)
        name = parsed.name.removeprefix("trust/")
        if name not in STRATEGIES or parsed.target is not None:
            return None
        play = STRATEGIES[name]
        if isinstance(play, Coin | GenerousTitForTat):
            return name, dataclasses.replace(play, **parsed.options)
        return None if parsed.options else (name, play)
    except (ConfigError, TypeError):  # no player can have this spec
        return None


@dataclass(frozen=True)
class PlayedMatch:
    """A match of two strategies: moves and totals, a seat each."""

    moves: tuple[str, str]
    totals: tuple[float, float]


def play_match(
    first: Strategy,
    second: Strategy,
    rounds: int,
    *,
    payoffs: Payoffs = Payoffs(),  # noqa: B008 - frozen
    seeds: tuple[int | None, int | None] = (0, 0),
) -> PlayedMatch:
    """Play two strategies against each other without texts and views.

    Args:
        first: seat 0.
        second: seat 1.
        rounds: how many.
        payoffs: what a round brings.
        seeds: what the two agents would get in ``reset``; with the same ones the environment's path makes the same
            moves.
    """
    paid = {(move, reply): (payoffs.of(move, reply), payoffs.of(reply, move)) for move in MOVES for reply in MOVES}
    draws, other_draws = Draws(seeds[0], 0), Draws(seeds[1], 1)
    one = two = ""
    total: float = 0
    other_total: float = 0
    for _ in range(rounds):
        move, reply = first(one, two, draws), second(two, one, other_draws)
        one += move
        two += reply
        gain, other_gain = paid[move, reply]
        total += gain
        other_total += other_gain
    return PlayedMatch((one, two), (total, other_total))
