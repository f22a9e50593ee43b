"""The best reply to an opponent whose strategy is known, and what every other move costs.

A strategy's summary of the two histories is its state. The values of the states follow by dynamic programming over
the rounds of a match that goes on with probability delta and is cut off at ``max_rounds`` (v1, eqs. 2.3 and 2.4):

    Q(t, s, a) = sum over b of P(b | s) * (payoff(a, b) + [t < max_rounds] * delta * V(t + 1, next(s, a, b)))
    V(t, s)    = max over a of Q(t, s, a)

The *regret* of a move is V - Q: the expected payoff that it costs, given the opponent and all that was played. Summed
over the rounds of a match its mean is what a player's policy falls short of the best reply, since the match ends by
chance alone; so neither the drawn length nor the opponent's luck is part of it.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from interactive_envs.trust_game.reading import MOVES, Move
from interactive_envs.trust_game.rules import Payoffs
from interactive_envs.trust_game.strategies import Opponent, opponent_of

LARGEST = 50_000
"""Most states, those of every round counted anew; only ``gradual`` in matches of over 45 rounds has more."""


class Values(NamedTuple):
    """What a round's two moves are worth, all later rounds included.

    Attributes:
        cooperate: the expected payoff of cooperating now and playing best afterwards.
        defect: that of defecting.
    """

    cooperate: float
    defect: float

    @property
    def best(self) -> Move:
        """The move that is worth most, C where both are worth the same."""
        return MOVES[self.defect > self.cooperate]

    def regret(self, move: str) -> float:
        """What a move costs."""
        return max(self) - self[move == "D"]


_State = tuple[str, str]
"""The opponent's moves and the player's, as the opponent's summary shortens them."""


class BestReply:
    """The values of every state that a match against one opponent can reach.

    Args:
        opponent: whose strategy is known.
        delta: probability that the match goes on after a round.
        max_rounds: rounds after which it ends in any case.
        payoffs: what a round brings.

    Raises:
        ValueError: there are more than ``LARGEST`` states.
    """

    def __init__(self, opponent: Opponent, delta: float, max_rounds: int, payoffs: Payoffs) -> None:
        self._opponent = opponent
        layers = self._reach(max_rounds)
        self._values: list[dict[_State, Values]] = [{} for _ in layers]
        later: Mapping[_State, Values] = {}
        for number in reversed(range(len(layers))):
            values = self._values[number]
            for state, chance in layers[number].items():
                worth = []
                for move in MOVES:
                    total = 0.0
                    for reply, weight in zip(MOVES, (chance, 1 - chance), strict=True):
                        if weight:
                            follows = max(later[self._next(state, move, reply)]) if later else 0.0
                            total += weight * (payoffs.of(move, reply) + delta * follows)
                    worth.append(total)
                values[state] = Values(*worth)
            later = values

    @property
    def value(self) -> float:
        """The expected payoff of a match under best play."""
        return max(self._values[0][self._opponent.summary("", "")])

    def values(self, own: str, other: str) -> Values:
        """Return what the moves of the next round are worth.

        Args:
            own: the player's moves of the match so far.
            other: the opponent's.

        Raises:
            KeyError: no such match can be: the opponent plays another strategy.
        """
        return self._values[len(own)][self._states(own, other)[-1]]

    def regrets(self, own: str, other: str) -> list[float]:
        """Return what each of the player's moves cost.

        Raises:
            KeyError: as in :meth:`values`.
        """
        states = self._states(own, other)
        return [values[state].regret(move) for values, state, move in zip(self._values, states, own, strict=False)]

    def _states(self, own: str, other: str) -> list[_State]:
        """Return the state before every round and after the last."""
        states = [self._opponent.summary("", "")]
        for move, reply in zip(own, other, strict=True):
            if self._opponent.chance(*states[-1]) == float(reply == "D"):
                raise KeyError(f"the opponent never plays {reply} here")
            states.append(self._next(states[-1], move, reply))
        return states

    def _next(self, state: _State, move: str, reply: str) -> _State:
        return self._opponent.summary(state[0] + reply, state[1] + move)

    def _reach(self, max_rounds: int) -> list[dict[_State, float]]:
        """The states of each round with the chance that the opponent cooperates."""
        layers: list[dict[_State, float]] = []
        states, count = {self._opponent.summary("", "")}, 0
        for _ in range(max_rounds):
            count += len(states)
            if count > LARGEST:
                raise ValueError(f"the opponent has more than {LARGEST} states")
            layer = {state: self._opponent.chance(*state) for state in states}
            layers.append(layer)
            states = {
                self._next(state, move, reply)
                for state, chance in layer.items()
                for move in MOVES
                for reply, weight in zip(MOVES, (chance, 1 - chance), strict=True)
                if weight
            }
        return layers


@functools.lru_cache(maxsize=32)
def best_reply(spec: str, delta: float, max_rounds: int, payoffs: Payoffs) -> BestReply | None:
    """Return the best reply to the player behind a spec, None where its strategy is not known or too large.

    Args:
        spec: such as ``tft`` or ``coin?p=0.3``.
        delta: probability that the match goes on after a round.
        max_rounds: rounds after which it ends in any case.
        payoffs: what a round brings.
    """
    opponent = opponent_of(spec)
    if opponent is None:
        return None
    try:
        return BestReply(opponent, delta, max_rounds, payoffs)
    except ValueError:
        return None


def regrets_of(record: Mapping[str, Any], seat: int, spec: str) -> list[float] | None:
    """Return what a seat's moves cost it, a number for each match; None where the best reply is not known.

    It is not known, either, where an opponent was too slow, so that another move was played for it.

    Args:
        record: what ``TrustGame.record`` leaves.
        seat: whose moves.
        spec: of the player on the other seat.
    """
    reply = best_reply(spec, record["delta"], record["max_rounds"], Payoffs(*record["payoffs"]))
    if reply is None:
        return None
    try:
        return [sum(reply.regrets(*_turned(match["histories"], seat))) for match in record["matches"]]
    except KeyError:
        return None


def best_of(record: Mapping[str, Any], spec: str) -> float | None:
    """Return what a match against the player behind a spec is worth under best play, None where that is not known."""
    reply = best_reply(spec, record["delta"], record["max_rounds"], Payoffs(*record["payoffs"]))
    return None if reply is None else reply.value


def _turned(histories: Sequence[str], seat: int) -> tuple[str, str]:
    return histories[seat], histories[1 - seat]
