"""The rules of the trust game: an iterated prisoner's dilemma with a random end.

Interactive Benchmarks v1, section 2.4 and table 2. Both seats choose at once; after every round the match goes on with
probability delta.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.multiplayer.game import Game
from interactive_envs.outcome import Outcome
from interactive_envs.parsing import Unreadable, read_action, strip_thinking
from interactive_envs.view import View

Move: TypeAlias = Literal["C", "D"]
MOVES: tuple[Move, Move] = ("C", "D")
WORDS: Mapping[Move, str] = {"C": "COOPERATE", "D": "DEFECT"}
ACTIONS: Mapping[Move, str] = {move: f"<move>{word}</move>" for move, word in WORDS.items()}
LARGEST_PAYOFF = 1e6
"""Largest size of a payoff."""

_ASK = "Answer <move>COOPERATE</move> or <move>DEFECT</move>."


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

    def of(self, own: str, other: str) -> float:
        """What the moves ``own`` and ``other`` bring the first of them."""
        if own == "C":
            return self.reward if other == "C" else self.sucker
        return self.temptation if other == "C" else self.punishment


@dataclass(frozen=True)
class TrustView(View):
    """All that one seat may know; the last round is not among it, nor the other's choice of a round under way.

    Attributes:
        seat: whose view it is.
        own: the seat's moves of the finished rounds, e.g. ``CCD``.
        other: the other's.
        round: the round being played, from 1; after the end the last that was begun.
        delta: probability that the match goes on after a round.
        payoffs: what a round brings.
        total: what the seat has been paid.
        other_total: what the other has been paid.
        choice: the seat's move in the round under way, None while it has not chosen.
        over: whether the match is over.
        forfeited: the seat that forfeited the match, None where nobody did.
    """

    seat: int
    own: str
    other: str
    round: int
    delta: float
    payoffs: Payoffs
    total: float
    other_total: float
    choice: Move | None
    over: bool
    forfeited: int | None

    @property
    def chosen(self) -> bool:
        """Whether the seat has chosen in the round under way."""
        return self.choice is not None

    @property
    def cooperation(self) -> float | None:
        """The seat's share of rounds with C; None before the first is finished."""
        return _share(self.own)

    @property
    def other_cooperation(self) -> float | None:
        """The other's share of rounds with C; None before the first is finished."""
        return _share(self.other)


@dataclass
class TrustState:
    """One match under way.

    Attributes:
        horizon: rounds it lasts, drawn before the first.
        moves: the moves of the finished rounds, a seat each.
        choices: the moves of the round under way, None for a seat that has not chosen.
        totals: what each seat has been paid.
        forfeited: the seat that forfeited, None where nobody did.
    """

    horizon: int
    moves: list[str] = field(default_factory=lambda: ["", ""])
    choices: list[Move | None] = field(default_factory=lambda: [None, None])
    totals: list[float] = field(default_factory=lambda: [0, 0])
    forfeited: int | None = None

    @property
    def over(self) -> bool:
        """Whether no move is to come."""
        return self.forfeited is not None or len(self.moves[0]) >= self.horizon


class TrustGame(Game[TrustState]):
    """Two seats choose COOPERATE or DEFECT at once, round after round, until chance ends the match.

    A match lasts T rounds with Pr(T = t) = (1 - delta) * delta ** (t - 1), cut off at ``max_rounds`` (v1, eq. 2.3).
    The players know delta and never a length, as in the paper's prompt: a known last round would undo the random
    end. The length is one number drawn first, so equal seeds give equal lengths whoever sits where, and a larger delta
    never a shorter match.

    Args:
        delta: probability that the match goes on after a round, at least 0 and below 1.
        max_rounds: rounds after which it ends in any case.
        payoffs: what a seat gets for CC, CD, DC and DD, its own move first; any four numbers up to
            ``LARGEST_PAYOFF`` in size, whether or not they make a dilemma.

    ``reset(options={"rounds": n})`` fixes the length.

    Raises:
        ConfigError: an argument has a value that cannot work.
    """

    invalid_policies = ("forfeit", "cooperate")
    reset_options = ("rounds",)
    simultaneous = True
    action_examples = tuple(ACTIONS.values())
    # Every observation holds the whole game, so one exchange back is kept for the reason of an unreadable answer only.
    history = "last:1"
    numeric_actions = 2
    seats = 2

    def __init__(
        self, *, delta: float = 0.8, max_rounds: int = 35, payoffs: Sequence[float] = astuple(Payoffs())
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
        self.delta = delta
        self.max_rounds = max_rounds
        self.payoffs = Payoffs(*payoffs)
        self.numeric_shape = (4 * max_rounds + _EXTRA,)

    def start(self, rng: np.random.Generator, options: Mapping[str, Any]) -> TrustState:
        """Draw the length, or take it from the option ``rounds``.

        Raises:
            ConfigError: ``rounds`` is no whole number from 1 to ``max_rounds``.
        """
        drawn = self._horizon(rng)
        rounds = options.get("rounds", drawn)
        if not _is_whole(rounds) or not 1 <= rounds <= self.max_rounds:
            raise ConfigError(f"rounds must be a whole number from 1 to max_rounds={self.max_rounds}, got {rounds!r}")
        return TrustState(int(rounds))

    def clone(self, state: TrustState) -> TrustState:
        """An independent copy."""
        return TrustState(
            state.horizon, list(state.moves), list(state.choices), list(state.totals), forfeited=state.forfeited
        )

    def to_move(self, state: TrustState) -> int | None:
        """The first seat that has not chosen."""
        return None if state.over else state.choices.index(None)

    def read(self, state: TrustState, seat: int, text: str) -> Move | Unreadable:
        """Read ``<move>COOPERATE</move>``, a lone COOPERATE, or a sentence that plainly says it.

        A word is lone where it is all there is in a line; the letters C and D stand for the words where they are all
        there is in the message. A text that names both moves is unreadable unless a tag says which, and so is a
        sentence that denies, doubts or tells of another's move: asking again costs little, a misread move the round.
        """
        plain = strip_thinking(text)
        if _TAG.search(plain):
            action = read_action(text, self.action_tags)
            if isinstance(action, Unreadable):
                return action
            plain = action.body
        return _declared(plain)

    def play(self, state: TrustState, seat: int, move: Move) -> None:
        """Keep the seat's move; when both have chosen, pay the round."""
        state.choices[seat] = move
        first, second = state.choices
        if first is None or second is None:
            return
        state.moves[0] += first
        state.moves[1] += second
        state.totals[0] += self.payoffs.of(first, second)
        state.totals[1] += self.payoffs.of(second, first)
        state.choices = [None, None]

    def punish(self, state: TrustState, seat: int, policy: str) -> None:
        """``forfeit`` ends the match, the round under way unpaid; ``cooperate`` plays C, as the paper's code does."""
        if policy not in self.invalid_policies:
            raise UnknownNameError("on_invalid", policy, self.invalid_policies)
        if policy == "cooperate":
            self.play(state, seat, "C")
            return
        state.forfeited = seat
        state.choices = [None, None]

    def returns(self, state: TrustState) -> tuple[float, ...]:
        """The totals of the finished rounds."""
        return tuple(state.totals)

    def outcomes(self, state: TrustState) -> tuple[Outcome, ...]:
        """Scored, except for a seat that forfeited."""
        return tuple(Outcome.FORFEIT if seat == state.forfeited else Outcome.SCORED for seat in range(self.seats))

    def view(self, state: TrustState, seat: int) -> TrustView:
        """All that the seat may know."""
        own, other = state.moves[seat], state.moves[1 - seat]
        begun = len(own) + (not state.over or state.forfeited is not None)
        return TrustView(
            seat=seat,
            own=own,
            other=other,
            round=begun,
            delta=self.delta,
            payoffs=self.payoffs,
            total=state.totals[seat],
            other_total=state.totals[1 - seat],
            choice=state.choices[seat],
            over=state.over,
            forfeited=state.forfeited,
        )

    def rules(self, view: TrustView) -> str:
        """The game, its payoffs and its end, and how to answer."""
        pay = view.payoffs
        table = "\n".join(
            f"- {you}, {they}: you get {_number(pay.of(own, other))}, the other {_number(pay.of(other, own))}"
            for own, you in (("C", "You COOPERATE"), ("D", "You DEFECT"))
            for other, they in (("C", "the other COOPERATES"), ("D", "the other DEFECTS"))
        )
        return (
            "You play a trust game with one other player. In every round you both choose COOPERATE (C) or DEFECT (D) "
            f"at the same time; then both choices are shown and paid:\n{table}\n"
            f"After every round the match goes on with probability {_number(view.delta)} and ends otherwise. Nobody "
            "is told beforehand which round is the last; a very long match is cut off.\n"
            f"Your goal is the highest expected total of your own payoffs.\n{_ASK} Give nothing else."
        )

    def situation(self, view: TrustView) -> str:
        """The round, delta, payoffs, both histories, totals and rates."""
        lines = [self._heading(view)]
        if not view.over:
            cells = (f"{own}{other} {_number(view.payoffs.of(own, other))}" for own in MOVES for other in MOVES)
            lines.append(f"Your payoffs, your move first: {', '.join(cells)}.")
        if view.own:
            lines += [
                f"Last round: you {view.own[-1]}, the other {view.other[-1]}.",
                f"Your moves: {view.own}",
                f"The other's moves: {view.other}",
                f"Totals: you {_number(view.total)}, the other {_number(view.other_total)}.",
                f"Cooperation rates: you {view.cooperation:.0%}, the other {view.other_cooperation:.0%}.",
            ]
        if view.choice is not None:
            lines.append(f"You chose {WORDS[view.choice]}; the other has yet to choose.")
        elif not view.over:
            lines.append(_ASK)
        return "\n".join(lines)

    def legal_actions(self, view: TrustView) -> list[str]:
        """Both moves, or none where the seat waits."""
        return [] if view.over or view.chosen else list(ACTIONS.values())

    def resample(self, view: TrustView, rng: np.random.Generator) -> TrustState:
        """Draw how long the match still lasts and, where the seats before this one have chosen, what."""
        played = len(view.own)
        order = 1 if view.seat == 0 else -1
        state = TrustState(
            horizon=played,
            moves=[view.own, view.other][::order],
            totals=[view.total, view.other_total][::order],
            forfeited=view.forfeited,
        )
        if not view.over or view.forfeited is not None:
            # The length has no memory: what is left is distributed like a fresh match, cut off at the same place.
            state.horizon = min(played + self._horizon(rng), self.max_rounds)
        if not view.over:
            state.choices[view.seat] = view.choice
            if view.seat == 1 and view.choice is None:
                state.choices[0] = MOVES[int(rng.integers(2))]
        return state

    def secrets(self, state: TrustState, seat: int) -> Sequence[str]:
        """The length, in words that no text uses before the end."""
        return (f"{state.horizon} rounds",)

    def record(self, state: TrustState) -> dict[str, Any]:
        """Histories, length and payments.

        Keys: ``histories`` (a text of C and D a seat), ``payments`` (a pair a round), ``totals``, ``horizon`` (the
        drawn length), ``forfeited`` (a seat or None), ``delta``, ``max_rounds``, ``payoffs`` (for CC, CD, DC, DD).
        """
        pay, (first, second) = self.payoffs, state.moves
        return {
            "histories": [first, second],
            "payments": [[pay.of(one, two), pay.of(two, one)] for one, two in zip(first, second, strict=True)],
            "totals": list(state.totals),
            "horizon": state.horizon,
            "forfeited": state.forfeited,
            "delta": self.delta,
            "max_rounds": self.max_rounds,
            "payoffs": list(astuple(pay)),
        }

    def encode(self, view: TrustView) -> NDArray[np.float32]:
        """The View in numbers from 0 to 1.

        First, ``max_rounds`` each, 1 where: the seat cooperated, it defected, the other cooperated, it defected. Then
        round / ``max_rounds``; delta; R, S, T, P as (1 + x / (1 + abs(x))) / 2; both totals, 0 for the lowest
        that can be and 1 for the highest; both cooperation rates, 0 before the first round; seat; C chosen; D chosen;
        over; forfeited by the seat, by the other.
        """
        array = np.zeros(self.numeric_shape or (), dtype=np.float32)
        played = len(view.own)
        marks = array[: 4 * self.max_rounds].reshape(4, self.max_rounds)
        for row, (moves, move) in enumerate((moves, move) for moves in (view.own, view.other) for move in MOVES):
            marks[row, :played] = [made == move for made in moves]
        payoffs = astuple(view.payoffs)
        worst, best = min(0, *payoffs) * self.max_rounds, max(0, *payoffs) * self.max_rounds
        totals = (view.total, view.other_total)
        array[4 * self.max_rounds :] = (
            view.round / self.max_rounds,
            view.delta,
            *((1 + payoff / (1 + abs(payoff))) / 2 for payoff in payoffs),
            *((total - worst) / (best - worst) if best > worst else 0.0 for total in totals),
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
        if view.forfeited is not None:
            who = "you" if view.forfeited == view.seat else "the other player"
            return f"The match is over: {who} forfeited it in round {view.round}, which is not paid."
        if view.over:
            return f"The match is over after round {view.round}."
        return f"Round {view.round}. After it the match goes on with probability {_number(view.delta)}."


_EXTRA = 16
"""Numbers in a numeric view besides the histories."""

# ASCII, for otherwise a long s (U+017F) is an s.
_TAG = re.compile(r"<move>", re.IGNORECASE | re.ASCII)
# No dot after a single letter: "i.e. defect" is one sentence.
_SENTENCE_END = re.compile(r"(?<!\b[a-z])\.|[!?;<>\n]|,(?=\s?i\b)", re.IGNORECASE | re.ASCII)
_WORD = re.compile(r"[^\W_]+")
_ASKED = re.compile(r"(?:cooperat|defect)[a-z]{0,5}[^\w<>]{0,5}\?", re.IGNORECASE | re.ASCII)
_BEFORE = frozenset(
    """
    a action am answer and but choice choose d decide decided decision final go going hence here i is it let ll m me
    move my now ok okay output play response round s shall so still the therefore this thus to us we will yes
    """.split()
)
_AFTER = frozenset(
    """
    again and as at because by for from given here hoping in it now on once since so still then this thus to too until
    with
    """.split()
)
_DOUBT = frozenset(
    """
    against avoid avoiding but cannot cant could dont either except hardly if instead may maybe might neither never no
    nor not or otherwise perhaps rather refrain refuse refusing should stop t though unless unlikely wont would
    """.split()
)


def _declared(text: str) -> Move | Unreadable:
    """The one move that a text without tags declares."""
    words = _WORD.findall(text.lower())
    if words in (["c"], ["d"]):
        return MOVES[words == ["d"]]
    named: list[Move] = [move for move, stem in zip(MOVES, ("cooperat", "defect"), strict=True) if _any(stem, words)]
    if not named:
        return Unreadable(f"I found no move. {_ASK}")
    if len(named) > 1:
        return Unreadable(f"The text names both moves. {_ASK}")
    word = WORDS[named[0]].lower()
    if any(_WORD.findall(line.lower()) == [word] and "?" not in line for line in text.splitlines()):
        return named[0]
    doubtful = _DOUBT.intersection(words) or _ASKED.search(text)
    if doubtful or not any(_says(_WORD.findall(part.lower()), word) for part in _SENTENCE_END.split(text)):
        return Unreadable(f"I cannot tell whether {WORDS[named[0]]} is your move. {_ASK}")
    return named[0]


def _any(stem: str, words: Sequence[str]) -> bool:
    return any(stem in word for word in words)


def _says(words: Sequence[str], word: str) -> bool:
    """Whether a sentence has the word with only neutral words before it and nothing that could turn it after it."""
    if word not in words:
        return False
    at = words.index(word)
    after = words[at + 1 : at + 2]
    neutral = all(before in _BEFORE or before.isdecimal() for before in words[:at])
    return neutral and (not after or after[0] in _AFTER or after[0] == word)


def _share(moves: str) -> float | None:
    return moves.count("C") / len(moves) if moves else None


def _number(value: float) -> str:
    """A number in as few digits as possible."""
    return f"{value:.10g}"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)
