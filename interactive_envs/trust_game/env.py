"""The trust game as a Gymnasium environment; PettingZoo's views are made from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from interactive_envs.catalog.unit import Unit
from interactive_envs.errors import ConfigError
from interactive_envs.multiplayer.single_seat import SeatGame
from interactive_envs.seeds import NOT_KEY
from interactive_envs.trust_game.arrays import TrustSeat
from interactive_envs.trust_game.best_reply import best_of, regrets_of
from interactive_envs.trust_game.rules import TrustGame
from interactive_envs.trust_game.strategies import STRATEGIES, strategy_of

PAPER = {
    "delta": 0.8,
    "max_rounds": 35,
    "payoffs": [2, -1, 3, 0],
    "matches": 5,
    "memory": False,
    "screen": "paper",
    "on_invalid": "cooperate",
}
"""The paper's run: five repeats, of which the players remember none; its seed was 1234."""


class TrustGameEnv(SeatGame):
    """Cooperate or defect in matches whose end nobody knows (Interactive Benchmarks v1, section 2.4).

    An episode is several matches against the same opponent. The opponent is part of the env key, so the lengths are
    drawn anew for every opponent and episode; both seats, and all players who meet that opponent, share them.

    Observation: payoffs, delta, the round, totals, histories and cooperation rates, in words. ``TextSpace``.
    Action: ``<move>COOPERATE</move>`` or ``<move>DEFECT</move>``, or the word alone.
    Reward: the payoff of each round.
    Ends: terminated after the last round of the last match (``scored``), which no seat knows before, or when a seat's
        text could not be read twice (``forfeit`` for that seat; the rounds so far count).
    Info: as :class:`interactive_envs.multiplayer.single_seat.SeatGame` says.
    Version history: v0, first release; v1, an episode is five matches with memory, and records have the regret.

    Args:
        delta: probability that a match goes on after a round.
        max_rounds: rounds after which a match ends in any case.
        payoffs: what a seat gets for CC, CD, DC and DD, its own move first.
        matches: of an episode.
        memory: whether the players see the finished matches; without, every match begins a fresh dialogue.
        screen: ``full``, or ``paper`` for what the paper's code shows: the last 20 moves, one's own total alone.
        opponents: a spec for the other seat, e.g. ``tft`` or ``llm:openai/gpt-5-mini``.
        seat: 0 or 1.
        retries: unreadable texts a round that are asked for again.
        on_invalid: ``forfeit``, or ``cooperate`` as the paper's code does.
        render_mode: None or ``ansi``.
    """

    game: TrustGame
    unit: ClassVar[Unit] = Unit(
        id="ibench/TrustGame-v1",
        family="trust",
        variants=(
            {},
            {"opponents": "coin?p=0.5", "seat": 1, "on_invalid": "cooperate"},
            {"delta": 0.5, "max_rounds": 10, "payoffs": [3, 0, 5, 1], "matches": 1, "retries": 0},
            PAPER,
        ),
        views=("text", "numeric", "aec", "parallel"),
        numeric_variants=(0, 1, 2, 3),
        references=(None, None, None, None),
        presets={"paper": PAPER},
        reward_range=(-175.0, 525.0),
        not_key=tuple(name for name in NOT_KEY if name != "opponents"),
        sources=("Interactive Benchmarks v1, section 2.4", "Interactive Benchmarks v2"),
    )

    def __init__(
        self,
        *,
        delta: float = 0.8,
        max_rounds: int = 35,
        payoffs: Sequence[float] = (2, -1, 3, 0),
        matches: int = 5,
        memory: bool = True,
        screen: str = "full",
        opponents: str | Sequence[str] = "tft",
        seat: int = 0,
        retries: int = 1,
        on_invalid: str = "forfeit",
        render_mode: str | None = None,
    ) -> None:
        super().__init__(
            TrustGame(
                delta=delta, max_rounds=max_rounds, payoffs=payoffs, matches=matches, memory=memory, screen=screen
            ),
            opponents=opponents,
            seat=seat,
            retries=retries,
            on_invalid=on_invalid,
            render_mode=render_mode,
        )

    def arrays(self, count: int) -> TrustSeat:
        """So many games side by side, against a strategy of the package."""
        (opponent,) = self.opponents
        strategy = strategy_of(opponent)
        if strategy is None:
            raise ConfigError(
                f"opponent {opponent!r} cannot be played as arrays, which takes one of {', '.join(STRATEGIES)}; "
                "use vectorization_mode='sync' or 'async'"
            )
        return TrustSeat(self.game, count, self.seat, strategy, self.on_invalid)

    def record(self) -> dict[str, Any]:
        """The episode; the game's part also holds what is known of the best reply to the opponent.

        Keys: ``regrets``, what the seat's moves cost in each match, and ``best``, the expected payoff of a match under
        best play; both None where the opponent's strategy is not known.
        """
        record = super().record()
        (opponent,), game = self.opponents, record["game"]
        known = {"regrets": regrets_of(game, self.seat, opponent), "best": best_of(game, opponent)}
        return record | {"game": game | known}
