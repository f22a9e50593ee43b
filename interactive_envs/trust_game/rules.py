"""The rules of the trust game: iterated prisoner's dilemmas with a random end, against one and the same opponent.

Interactive Benchmarks v1, section 2.4 and table 2. Both seats choose at once; after every round the match goes on with
probability delta.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from functools import cached_property, lru_cache
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.multiplayer.game import Game
from interactive_envs.outcome import Outcome
from interactive_envs.parsing import Unreadable
from interactive_envs.trust_game.reading import ACTIONS, ASK, MOVES, TAGS, WORDS, Move, read_move
from interactive_envs.view import View

LARGEST_PAYOFF = 1e6
"""Largest size of a payoff."""
MOST_MATCHES = 100
"""Of an episode."""
SCREENS = ("full", "paper")
"""What a seat is shown of a match: everything, or what the paper's code shows."""
SHOWN = 20
"""Last moves that the paper's screen shows."""


@dataclass(frozen=True)
class Payoffs:
    """What a seat gets in a round, by its own move and the other's.

    Attributes:
        reward: both cooperate (R).
        sucker: it cooperates, the other defects (S).
        temptation: it defects, the other cooperates (T).
        punishment: both defect (P).
    """

    reward: float = 2
    sucker: float = -1
    temptation: float = 3
    punishment: float = 0

    @cached_property
    def table(self) -> Mapping[tuple[str, str], float]:
        """What a pair of moves brings the first of them."""
        pairs = itertools.product(MOVES, MOVES)
        return dict(zip(pairs, (self.reward, self.sucker, self.temptation, self.punishment), strict=True))

    def of(self, own: str, other: str) -> float:
        """What the moves ``own`` and ``other`` bring the first of them."""
        return self.table[own, other]

    def total(self, own: str, other: str) -> float:
        """What the rounds with these moves bring the seat that made the first ones."""
        return sum(map(self.table.__getitem__, zip(own, other, strict=True)))

    @cached_property
    def line(self) -> str:
        """The payoffs as every round shows them."""
        cells = (f"{own}{other} {_number(self.of(own, other))}" for own in MOVES for other in MOVES)
        return f"Your payoffs, your move first: {', '.join(cells)}."


@dataclass(frozen=True)
class TrustView(View):
    """All that one seat may know; no match's last round is among it, nor the other's choice of a round under way.

    Attributes:
        seat: whose view it is.
        match: the match being played, from 1.
        matches: how many there are.
        past: the seat's and the other's moves of the finished matches, e.g. ``(("CC", "CD"),)``.
        own: the seat's moves of the match's finished rounds, e.g. ``CCD``.
        other: the other's.
        round: the round being played, from 1; after the end the last that was begun.
        delta: probability that the match goes on after a round.
        payoffs: what a round brings.
        choice: the seat's move in the round under way, None while it has not chosen.
        over: whether the last match is over.
        forfeited: the seat that forfeited, None where nobody did.
    """

    seat: int
    match: int
    matches: int
    past: tuple[tuple[str, str], ...]
    own: str
    other: str
    round: int
    delta: float
    payoffs: Payoffs
    choice: Move | None
    over: bool
    forfeited: int | None

    @property
    def chosen(self) -> bool:
        """Whether the seat has chosen in the round under way."""
        return self.choice is not None

    @cached_property
    def totals(self) -> tuple[float, float]:
        """What the match has paid the seat and the other."""
        return self.payoffs.total(self.own, self.other), self.payoffs.total(self.other, self.own)

    @property
    def cooperation(self) -> float | None:
        """The seat's share of the match's rounds with C; None before the first is finished."""
        return _share(self.own)

    @property
    def other_cooperation(self) -> float | None:
        """The other's share of the match's rounds with C; None before the first is finished."""
        return _share(self.other)


@dataclass
class TrustState:
    """The matches of one episode, the last of them under way.

    Attributes:
        horizons: rounds that each match lasts, drawn before the first.
        matches: the moves of every match that was begun, a seat each.
        choices: the moves of the round under way, None for a seat that has not chosen.
        totals: what each seat has been paid.
        running: what the match under way has paid each seat.
        forfeited: the seat that forfeited, None where nobody did.
    """

    horizons: tuple[int, ...]
    matches: list[list[str]] = field(default_factory=lambda: [["", ""]])
    choices: list[Move | None] = field(default_factory=lambda: [None, None])
    totals: list[float] = field(default_factory=lambda: [0, 0])
    running: tuple[float, float] = (0, 0)
    forfeited: int | None = None

    @property
    def moves(self) -> list[str]:
        """The moves of the match under way, a seat each."""
        return self.matches[-1]

    @property
    def horizon(self) -> int:
        """Rounds that the match under way lasts."""
        return self.horizons[len(self.matches) - 1]

    @property
    def over(self) -> bool:
        """Whether no move is to come."""
        matches = self.matches
        return self.forfeited is not None or len(matches[-1][0]) >= self.horizons[len(matches) - 1]


class TrustGame(Game[TrustState]):
    """Two seats choose COOPERATE or DEFECT at once, round after round, until chance ends the match.

    A match lasts T rounds with Pr(T = t) = (1 - delta) * delta ** (t - 1), cut off at ``max_rounds`` (v1, eq. 2.3).
    The players know delta and never a length, as in the paper's prompt: a known last round would undo the random
    end. The lengths are drawn first, one number a match, so equal seeds give equal lengths whoever sits where, and a
    larger delta never a shorter match.

    Args:
        delta: probability that the match goes on after a round, at least 0 and below 1.
        max_rounds: rounds after which it ends in any case.
        payoffs: what a seat gets for CC, CD, DC and DD, its own move first; any four numbers up to
            ``LARGEST_PAYOFF`` in size, whether or not they make a dilemma.
        matches: of an episode, all between the same players, at most ``MOST_MATCHES``.
        memory: whether the players see the finished matches; without, every match is a fresh dialogue.
        screen: ``full``; ``paper``: of a match the last ``SHOWN`` moves and no total but one's own.

    ``reset(options={"rounds": n})`` fixes the lengths: a number for all matches, or one each.

    Raises:
        ConfigError: an argument has a value that cannot work.
        UnknownNameError: there is no such screen.
    """

    invalid_policies: ClassVar[Mapping[str, str]] = {
        "forfeit": "you forfeit the game, and no further round is paid",
        "cooperate": "you COOPERATE in this round",
    }
    reset_options = ("rounds",)
    simultaneous = True
    action_tags = TAGS
    action_examples = tuple(ACTIONS.values())
    # Every observation holds all matches, so one exchange back is kept for the reason of an unreadable answer only.
    history = "last:1"
    numeric_actions = 2
    numeric_shape: tuple[int, ...]
    seats = 2

    def __init__(
        self,
        *,
        delta: float = 0.8,
        max_rounds: int = 35,
        payoffs: Sequence[float] = astuple(Payoffs()),
        matches: int = 5,
        memory: bool = True,
        screen: str = "full",
    ) -> None:
        if not _is_number(delta) or not 0 <= delta < 1:
            raise ConfigError(f"delta must be a probability of at least 0 and below 1, got {delta!r}")
        if not _is_whole(max_rounds) or max_rounds < 1:
            raise ConfigError(f"max_rounds must be a whole number of at least 1, got {max_rounds!r}")
        listed = isinstance(payoffs, list | tuple) and len(payoffs) == 4
        if not listed or not all(_is_number(payoff) and abs(payoff) <= LARGEST_PAYOFF for payoff in payoffs):
            raise ConfigError(
                f"payoffs must be four numbers, for CC, CD, DC and DD, of at most {LARGEST_PAYOFF:.0f} in size, "
                f"got {payoffs!r}"
            )
        if not _is_whole(matches) or not 1 <= matches <= MOST_MATCHES:
            raise ConfigError(f"matches must be a whole number from 1 to {MOST_MATCHES}, got {matches!r}")
        if not isinstance(memory, bool):
            raise ConfigError(f"memory must be true or false, got {memory!r}")
        if screen not in SCREENS:
            raise UnknownNameError("screen", str(screen), SCREENS)
        self.delta = delta
        self.max_rounds = max_rounds
        self.payoffs = Payoffs(*payoffs)
        self.matches = int(matches)
        self.memory = memory
        self.screen = screen
        self._visible = self.matches if memory else 1
        self.numeric_shape = (4 * max_rounds * self._visible + _EXTRA,)

    def start(self, rng: np.random.Generator, options: Mapping[str, Any]) -> TrustState:
        """Draw the lengths, or take them from the option ``rounds``.

        Raises:
            ConfigError: ``rounds`` is neither a whole number from 1 to ``max_rounds`` nor a list of one for each match.
        """
        drawn = self.draw_lengths(rng)
        rounds = options.get("rounds", drawn)
        listed = list(rounds) if isinstance(rounds, list | tuple) else [rounds] * self.matches
        if len(listed) != self.matches or not all(_is_whole(n) and 1 <= n <= self.max_rounds for n in listed):
            raise ConfigError(
                f"rounds must be a whole number from 1 to max_rounds={self.max_rounds}, or a list of {self.matches} "
                f"of them, got {rounds!r}"
            )
        return TrustState(tuple(map(int, listed)))

    def draw_lengths(self, rng: np.random.Generator) -> list[int]:
        """The rounds of each match."""
        return [self._horizon(rng) for _ in range(self.matches)]

    def clone(self, state: TrustState) -> TrustState:
        """An independent copy."""
        matches = [list(moves) for moves in state.matches]
        choices, totals = list(state.choices), list(state.totals)
        return TrustState(state.horizons, matches, choices, totals, state.running, state.forfeited)

    def to_move(self, state: TrustState) -> int | None:
        """The first seat that has not chosen."""
        return None if state.over else state.choices.index(None)

    def read(self, state: TrustState, seat: int, text: str) -> Move | Unreadable:
        """Read ``<move>COOPERATE</move>``, a lone COOPERATE, or a sentence that plainly says it."""
        return read_move(text)

    def play(self, state: TrustState, seat: int, move: Move) -> None:
        """Keep the seat's move; when both have chosen, pay the round, and begin the next match where this one ends."""
        state.choices[seat] = move
        first, second = state.choices
        if first is None or second is None:
            return
        moves, table = state.moves, self.payoffs.table
        moves[0] += first
        moves[1] += second
        paid, other_paid = table[first, second], table[second, first]
        state.totals[0] += paid
        state.totals[1] += other_paid
        state.running = state.running[0] + paid, state.running[1] + other_paid
        state.choices = [None, None]
        if state.over and len(state.matches) < len(state.horizons):
            state.matches.append(["", ""])
            state.running = (0, 0)

    def punish(self, state: TrustState, seat: int, policy: str) -> None:
        """``forfeit`` ends all matches, the round under way unpaid; ``cooperate`` plays C, as the paper's code does."""
        if policy not in self.invalid_policies:
            raise UnknownNameError("on_invalid", policy, self.invalid_policies)
        if policy == "cooperate":
            self.play(state, seat, "C")
            return
        state.forfeited = seat
        state.choices = [None, None]

    def returns(self, state: TrustState) -> tuple[float, ...]:
        """The totals of the finished rounds of all matches."""
        return tuple(state.totals)

    def outcomes(self, state: TrustState) -> tuple[Outcome, ...]:
        """Scored, except for a seat that forfeited."""
        return tuple(Outcome.FORFEIT if seat == state.forfeited else Outcome.SCORED for seat in range(self.seats))

    def view(self, state: TrustState, seat: int) -> TrustView:
        """All that the seat may know."""
        moves, over = state.moves, state.over
        own, other = moves[seat], moves[1 - seat]
        past: tuple[tuple[str, str], ...] = ()
        if self.memory and len(state.matches) > 1:
            past = tuple([(moves[seat], moves[1 - seat]) for moves in state.matches[:-1]])
        return TrustView.of(
            seat=seat,
            match=len(past) + 1,
            matches=self._visible,
            past=past,
            own=own,
            other=other,
            round=len(own) + (not over or state.forfeited is not None),
            delta=self.delta,
            payoffs=self.payoffs,
            choice=state.choices[seat],
            over=over,
            forfeited=state.forfeited,
            totals=_turned(state.running, seat),
        )

    def begins_anew(self, view: TrustView) -> bool:
        """Whether the seat meets a fresh match and knows of none before it."""
        return not self.memory and not view.own and not view.over

    def rules(self, view: TrustView) -> str:
        """The game, its payoffs and its end, and how to answer."""
        return _rules(view.payoffs, view.matches, view.delta, self.max_rounds)

    def situation(self, view: TrustView) -> str:
        """The round, delta, payoffs, finished matches, both histories, totals and rates."""
        lines = [self._heading(view)]
        if not view.over:
            lines.append(view.payoffs.line)
        if view.past:
            lines += [_finished(view.payoffs, *moves, number) for number, moves in enumerate(view.past, start=1)]
        if view.own:
            lines.append(self._rounds(view))
        if view.choice is not None:
            lines.append(f"You chose {WORDS[view.choice]}. The other player has not chosen yet.")
        elif not view.over:
            lines.append(ASK)
        return "\n".join(lines)

    def legal_actions(self, view: TrustView) -> list[str]:
        """Both moves, or none where the seat waits."""
        return [] if view.over or view.chosen else list(ACTIONS.values())

    def resample(self, view: TrustView, rng: np.random.Generator) -> TrustState:
        """Draw how long the matches still last and, where the seats before this one have chosen, what.

        Without memory the matches to come are no part of it: nothing that is played now changes them.
        """
        played, order = len(view.own), 1 if view.seat == 0 else -1
        matches = [list(moves[::order]) for moves in (*view.past, (view.own, view.other))]
        left = played
        if not view.over or view.forfeited is not None:
            # The length has no memory: what is left is distributed like a fresh match, cut off at the same place.
            left = min(played + self._horizon(rng), self.max_rounds)
        coming = (self._horizon(rng) for _ in range(view.matches - view.match))
        totals = [sum(itertools.starmap(self.payoffs.total, (moves[::way] for moves in matches))) for way in (1, -1)]
        horizons = (*(len(first) for first, _ in view.past), left, *coming)
        state = TrustState(horizons, matches, totals=totals, running=_turned(view.totals, view.seat))
        state.forfeited = view.forfeited
        if not view.over:
            state.choices[view.seat] = view.choice
            if view.seat == 1 and view.choice is None:
                state.choices[0] = MOVES[int(rng.integers(2))]
        return state

    def secrets(self, state: TrustState, seat: int) -> Sequence[str]:
        """The length of the match under way, in words that no text uses before the end."""
        return (f"{state.horizon} rounds",)

    def record(self, state: TrustState) -> dict[str, Any]:
        """Histories, lengths and payments.

        Keys: ``matches``, each with ``histories`` (a text of C and D a seat), ``payments`` (a pair a round),
        ``totals`` and ``horizon`` (the drawn length); ``totals`` of all matches, ``forfeited`` (a seat or None),
        ``delta``, ``max_rounds``, ``payoffs`` (for CC, CD, DC, DD).
        """
        pay = self.payoffs
        matches = [
            {
                "histories": [first, second],
                "payments": [[pay.of(one, two), pay.of(two, one)] for one, two in zip(first, second, strict=True)],
                "totals": [pay.total(first, second), pay.total(second, first)],
                "horizon": horizon,
            }
            for (first, second), horizon in zip(state.matches, state.horizons, strict=False)
        ]
        return {
            "matches": matches,
            "totals": list(state.totals),
            "forfeited": state.forfeited,
            "delta": self.delta,
            "max_rounds": self.max_rounds,
            "payoffs": list(astuple(pay)),
        }

    def encode(self, view: TrustView) -> NDArray[np.float32]:
        """The View in numbers from 0 to 1.

        First, for every match, ``max_rounds`` each, 1 where: the seat cooperated, it defected, the other cooperated, it
        defected. Then match / ``matches``; round / ``max_rounds``; delta; R, S, T, P as (1 + x / (1 + abs(x))) / 2;
        both totals of the match, 0 for the lowest that can be and 1 for the highest; both cooperation rates, 0 before
        the first round; seat; C chosen; D chosen; over; forfeited by the seat, by the other.
        """
        array = np.zeros(self.numeric_shape, dtype=np.float32)
        marks = array[:-_EXTRA].reshape(view.matches, 4, self.max_rounds)
        for match, histories in enumerate((*view.past, (view.own, view.other))):
            for row, (moves, move) in enumerate(itertools.product(histories, MOVES)):
                marks[match, row, : len(moves)] = [made == move for made in moves]
        payoffs = astuple(view.payoffs)
        worst, best = min(0, *payoffs) * self.max_rounds, max(0, *payoffs) * self.max_rounds
        array[-_EXTRA:] = (
            view.match / view.matches,
            view.round / self.max_rounds,
            view.delta,
            *((1 + payoff / (1 + abs(payoff))) / 2 for payoff in payoffs),
            *((total - worst) / (best - worst) if best > worst else 0.0 for total in view.totals),
            view.cooperation or 0.0,
            view.other_cooperation or 0.0,
            view.seat,
            view.choice == "C",
            view.choice == "D",
            view.over,
            view.forfeited == view.seat,
            view.forfeited == 1 - view.seat,
        )
        return array

    def decode(self, view: TrustView, index: int) -> str:
        """0 cooperates, 1 defects."""
        legal = self.legal_actions(view)
        return legal[index] if 0 <= index < len(legal) else ""

    def _horizon(self, rng: np.random.Generator) -> int:
        """A length by inversion of eq. 2.3: one uniform number, and longer the larger delta is."""
        uniform = 1 - rng.random()  # in (0, 1]
        if self.delta == 0:
            return 1
        return int(min(1 + math.log(uniform) // math.log(self.delta), self.max_rounds))

    def _heading(self, view: TrustView) -> str:
        match = f"match {view.match} of {view.matches}" if view.matches > 1 else ""
        if view.forfeited is not None:
            who = "you" if view.forfeited == view.seat else "the other player"
            where = f"{match}, round {view.round}" if match else f"round {view.round}"
            return f"The game is over: {who} forfeited it in {where}. Neither that round nor any later one is paid."
        if view.over:
            return f"{match.capitalize() or 'The match'} ended after round {view.round}. The game is over."
        now = f"{match.capitalize()}, round {view.round}." if match else f"Round {view.round}."
        return now + _goes_on(view.delta)

    def _rounds(self, view: TrustView) -> str:
        """The finished rounds of the match, as the screen shows them."""
        here = " in this match" if view.matches > 1 else ""
        own, other, (total, other_total) = view.own, view.other, view.totals
        last = f"Last round: you {own[-1]}, the other player {other[-1]}."
        rates = f"Cooperation rates{here}: you {_rate(own)}, the other player {_rate(other)}."
        if self.screen == "paper":
            return (
                f"{last}\nYour last moves: {own[-SHOWN:]}\nThe other player's last moves: {other[-SHOWN:]}\n"
                f"Your total: {_number(total)}.\n{rates}"
            )
        return (
            f"{last}\nYour moves: {own}\nThe other player's moves: {other}\n"
            f"Totals{here}: you {_number(total)}, the other player {_number(other_total)}.\n{rates}"
        )


_EXTRA = 17
"""Numbers in a numeric view besides the histories."""


def _turned(pair: tuple[float, float], seat: int) -> tuple[float, float]:
    """The seats' numbers, those of a seat first; and back."""
    return pair if seat == 0 else (pair[1], pair[0])


@lru_cache
def _rules(pay: Payoffs, matches: int, delta: float, max_rounds: int) -> str:
    """The rules in words."""
    table = "\n".join(
        f"- {you}, {they}: you get {_number(pay.of(own, other))}, the other player gets {_number(pay.of(other, own))}."
        for own, you in (("C", "You COOPERATE"), ("D", "You DEFECT"))
        for other, they in (("C", "the other player COOPERATES"), ("D", "the other player DEFECTS"))
    )
    game, goal = "You play a match of several rounds with one other player.", ""
    if matches > 1:
        game = (
            f"You play {matches} matches of several rounds, all with the same other player. "
            "Both of you can see the finished matches."
        )
        goal = " over all matches"
    return (
        f"{game} In every round, you both choose COOPERATE (C) or DEFECT (D) at the same time. Then both choices "
        f"are shown, and the round is paid:\n{table}\n"
        f"After every round, the match continues with probability {_number(delta)} and ends otherwise. Nobody "
        f"knows in advance which round is the last. No match is longer than {max_rounds} rounds.\n"
        f"Your goal is the highest expected total of your own payoffs{goal}.\n{ASK}"
    )


@lru_cache
def _goes_on(delta: float) -> str:
    return f" After each round, the match continues with probability {_number(delta)}."


@lru_cache(4096)
def _finished(payoffs: Payoffs, own: str, other: str, number: int) -> str:
    """A finished match in one line."""
    total, other_total = _number(payoffs.total(own, other)), _number(payoffs.total(other, own))
    return (
        f"Match {number} ended after round {len(own)}: you {own}, total {total}; "
        f"the other player {other}, total {other_total}."
    )


def _rate(moves: str) -> str:
    return _percent(moves.count("C"), len(moves))


@lru_cache(4096)
def _percent(part: int, whole: int) -> str:
    return f"{part / whole:.0%}"


def _share(moves: str) -> float | None:
    return moves.count("C") / len(moves) if moves else None


def _number(value: float) -> str:
    """A number in as few digits as possible."""
    if type(value) is int and abs(value) < 10**9:
        return str(value)
    return f"{value:.10g}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
