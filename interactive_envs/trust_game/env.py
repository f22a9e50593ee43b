"""The trust game as a Gymnasium environment; PettingZoo's views are made from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from interactive_envs.catalog.unit import Unit
from interactive_envs.multiplayer.single_seat import SeatGame
from interactive_envs.trust_game.rules import TrustGame


class TrustGameEnv(SeatGame):
    """Cooperate or defect, round after round, until chance ends the match (Interactive Benchmarks v1, section 2.4).

    Observation: payoffs, delta, the round, totals, both histories and cooperation rates, in words. ``TextSpace``.
    Action: ``<move>COOPERATE</move>`` or ``<move>DEFECT</move>``, or the word alone.
    Reward: the payoff of each round.
    Ends: terminated after the last round (``scored``), which no seat knows before, or when a seat's text could not be
        read twice (``forfeit`` for that seat; the rounds so far count).
    Info: as :class:`interactive_envs.multiplayer.single_seat.SeatGame` says.
    Version history: v0, first release; v1, see the changelog.

    Args:
        delta: probability that the match goes on after a round.
        max_rounds: rounds after which it ends in any case.
        payoffs: what a seat gets for CC, CD, DC and DD, its own move first.
        opponents: a spec for the other seat, e.g. ``tft`` or ``llm:openai/gpt-5-mini``.
        seat: 0 or 1.
        retries: unreadable texts a round that are asked for again.
        on_invalid: ``forfeit``, or ``cooperate`` as the paper's code does.
        render_mode: None or ``ansi``.
    """

    unit: ClassVar[Unit] = Unit(
        id="ibench/TrustGame-v1",
        family="trust",
        variants=(
            {},
            {"opponents": "coin?p=0.5", "seat": 1, "on_invalid": "cooperate"},
            {"delta": 0.5, "max_rounds": 10, "payoffs": [3, 0, 5, 1], "retries": 0},
        ),
        views=("text", "numeric", "aec", "parallel"),
        numeric_variants=(0, 1, 2),
        references=(None, None, None),
        reward_range=(-35.0, 105.0),
        sources=("Interactive Benchmarks v1, section 2.4", "Interactive Benchmarks v2"),
    )

    def __init__(
        self,
        *,
        delta: float = 0.8,
        max_rounds: int = 35,
        payoffs: Sequence[float] = (2, -1, 3, 0),
        opponents: str | Sequence[str] = "tft",
        seat: int = 0,
        retries: int = 1,
        on_invalid: str = "forfeit",
        render_mode: str | None = None,
    ) -> None:
        super().__init__(
            TrustGame(delta=delta, max_rounds=max_rounds, payoffs=payoffs),
            opponents=opponents,
            seat=seat,
            retries=retries,
            on_invalid=on_invalid,
            render_mode=render_mode,
        )
