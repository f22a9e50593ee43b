"""One seat of many trust games as arrays, against a strategy of the package."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple

import numpy as np
from numpy.typing import NDArray

from interactive_envs.multiplayer.arrays import Ints, SeatArrays
from interactive_envs.outcome import Outcome
from interactive_envs.seeds import GameSeeds
from interactive_envs.trust_game.reading import MOVES
from interactive_envs.trust_game.rules import TrustGame
from interactive_envs.trust_game.strategies import Draws, Strategy


class TrustSeat(SeatArrays):
    """See :class:`interactive_envs.multiplayer.arrays.SeatArrays`; an action is a place in ``MOVES``.

    Args:
        game: the rules.
        count: of games.
        seat: ours.
        opponent: what sits on the other seat.
        on_invalid: ``forfeit`` or ``cooperate``.
    """

    def __init__(self, game: TrustGame, count: int, seat: int, opponent: Strategy, on_invalid: str) -> None:
        self._game, self._seat, self._opponent, self._forfeits = game, seat, opponent, on_invalid == "forfeit"
        self.masks, self.over = np.zeros((count, len(MOVES)), np.int8), np.ones(count, np.bool_)
        self.paid = np.zeros(count)
        self._forfeited = np.zeros(count, np.bool_)
        self._horizons = np.zeros((count, game.matches), np.int64)
        self._match, self._round = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self._totals, self._cooperated = np.zeros((count, 2)), np.zeros((count, 2), np.int64)
        self._own, self._other = [""] * count, [""] * count
        self._draws = [Draws(None, 0)] * count
        pay = game.payoffs
        self._pay = np.array([[(pay.of(own, other), pay.of(other, own)) for other in MOVES] for own in MOVES], float)
        size, self._visible = game.numeric_shape[0], game.matches if game.memory else 1
        self._views = np.zeros((count, size), np.float32)
        marks = self._views[:, : 4 * game.max_rounds * self._visible]
        self._marks = marks.reshape(count, self._visible, 4, game.max_rounds)  # a view
        self._numbers = self._views[:, marks.shape[1] :]
        payoffs = astuple(pay)
        self._numbers[:, 2], self._numbers[:, 11] = game.delta, seat
        self._numbers[:, 3:7] = [(1 + payoff / (1 + abs(payoff))) / 2 for payoff in payoffs]
        self._worst, self._best = min(0, *payoffs) * game.max_rounds, max(0, *payoffs) * game.max_rounds

    def begin(self, rows: Ints, seeds: Sequence[GameSeeds]) -> None:
        """Draw the lengths."""
        for row, seed in zip(rows.tolist(), seeds, strict=True):
            self._horizons[row] = self._game.draw_lengths(np.random.default_rng(seed.game))
            self._draws[row] = Draws(seed.players[1 - self._seat], 1 - self._seat)
        self.paid[rows], self._match[rows] = 0, 0
        self.over[rows] = self._forfeited[rows] = False
        self._marks[rows] = 0
        self._begin_match(rows)
        self._look(rows)

    def play(self, rows: Ints, actions: Ints) -> None:
        """Play a round."""
        own, other, choose, draws = self._own, self._other, self._opponent, self._draws
        answers = []
        for row, action in zip(rows.tolist(), actions.tolist(), strict=True):
            reply = choose(other[row], own[row], draws[row])
            own[row] += MOVES[action]
            other[row] += reply
            answers.append(MOVES.index(reply))
        replies = np.array(answers, np.int64)
        paid = self._pay[actions, replies]
        self._totals[rows] += paid
        self.paid[rows] += paid[:, 0]
        self._cooperated[rows] += 1 - np.stack([actions, replies], axis=1)
        match, round_ = self._match[rows], self._round[rows]
        shown = np.minimum(match, self._visible - 1)
        self._marks[rows, shown, actions, round_] = self._marks[rows, shown, 2 + replies, round_] = 1
        self._round[rows] += 1
        ended = self._round[rows] >= self._horizons[rows, match]
        last = match + 1 == self._game.matches
        self.over[rows] = ended & last
        following = rows[ended & ~last]
        self._match[following] += 1
        if not self._game.memory:
            self._marks[following] = 0
        self._begin_match(following)
        self._look(rows)

    def punish(self, rows: Ints) -> None:
        """Forfeit, or cooperate."""
        if self._forfeits and len(rows):
            self.over[rows] = self._forfeited[rows] = True
            self._look(rows)
        elif len(rows):
            self.play(rows, np.zeros(len(rows), np.int64))

    def observe(self) -> NDArray[np.float32]:
        """What the seat sees in all games."""
        return self._views.copy()

    def outcomes(self, rows: Ints) -> list[str]:
        """Scored or forfeited."""
        forfeited = self._forfeited[rows].tolist()
        return [(Outcome.FORFEIT if lost else Outcome.SCORED).value for lost in forfeited]

    def _begin_match(self, rows: Ints) -> None:
        for row in rows.tolist():
            self._own[row] = self._other[row] = ""
        self._round[rows], self._totals[rows], self._cooperated[rows] = 0, 0, 0

    def _look(self, rows: Ints) -> None:
        """What :meth:`interactive_envs.trust_game.rules.TrustGame.encode` writes after the histories."""
        over, lost, round_, numbers = self.over[rows], self._forfeited[rows], self._round[rows], self._numbers
        self.masks[rows] = ~over[:, None]
        numbers[rows, 0] = (1 + np.minimum(self._match[rows], self._visible - 1)) / self._visible
        numbers[rows, 1] = (round_ + (~over | lost)) / self._game.max_rounds
        if self._best > self._worst:
            numbers[rows, 7:9] = (self._totals[rows] - self._worst) / (self._best - self._worst)
        numbers[rows, 9:11] = self._cooperated[rows] / np.maximum(round_, 1)[:, None]
        numbers[rows, 14], numbers[rows, 15] = over, lost
