"""Ten strategies of the trust game as functions of the two histories, and the fast loop that plays them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

from interactive_envs.errors import ConfigError
from interactive_envs.trust_game.rules import MOVES, Move, Payoffs


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
STRATEGIES: dict[str, Strategy] = {}
"""Every strategy by the name of its player; a strategy with options stands here with their defaults."""


def strategy(name: str) -> Callable[[Strategy], Strategy]:
    """Give a strategy its name; ``agents/trust_game.py`` makes a player of each function that has one.

    Args:
        name: the player's, without its family.
    """

    def enter(play: Strategy) -> Strategy:
        STRATEGIES[name] = play
        return play

    return enter


@strategy("tft")
def tit_for_tat(own: str, other: str, draws: Draws) -> Move:
    """Cooperates first, then repeats the other's last move.

    Rapoport; Axelrod 1980.
    """
    return "D" if other[-1:] == "D" else "C"


@strategy("grim")
def grim(own: str, other: str, draws: Draws) -> Move:
    """Cooperates until the other's first defection, then defects for good.

    Friedman 1971.
    """
    return "D" if "D" in other else "C"


@strategy("all-c")
def all_cooperate(own: str, other: str, draws: Draws) -> Move:
    """Always cooperates."""
    return "C"


@strategy("all-d")
def all_defect(own: str, other: str, draws: Draws) -> Move:
    """Always defects."""
    return "D"


@strategy("pavlov")
def pavlov(own: str, other: str, draws: Draws) -> Move:
    """Win-stay, lose-shift: cooperates first and whenever both made the same move.

    Nowak & Sigmund 1993.
    """
    return "C" if own[-1:] == other[-1:] else "D"


@strategy("suspicious-tft")
def suspicious_tit_for_tat(own: str, other: str, draws: Draws) -> Move:
    """Tit for tat that defects first."""
    return "C" if other[-1:] == "C" else "D"


@strategy("tit-for-two-tats")
def tit_for_two_tats(own: str, other: str, draws: Draws) -> Move:
    """Defects only after two defections in a row.

    Axelrod 1984.
    """
    return "D" if other[-2:] == "DD" else "C"


@strategy("gradual")
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

    def __call__(self, own: str, other: str, draws: Draws) -> Move:
        """Draw only after a defection."""
        return "D" if other[-1:] == "D" and draws.random() >= self.generosity else "C"


STRATEGIES |= {"coin": Coin(), "generous-tft": GenerousTitForTat()}


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
