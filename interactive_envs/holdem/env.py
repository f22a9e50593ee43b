"""No-limit hold'em as a Gymnasium environment; PettingZoo's view is made from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from interactive_envs.catalog.unit import Unit
from interactive_envs.holdem.rules import HoldemGame
from interactive_envs.multiplayer.single_seat import SeatGame


class HoldemEnv(SeatGame):
    """No-limit Texas hold'em for 2 to 10 seats (Interactive Benchmarks v1, section 3.2.3, and v2).

    Observation: at each decision street, own cards, board, stacks, bets, pots, the price of a call, the legal raises,
        positions and the hand's actions, in words. ``TextSpace``.
    Action: ``fold``, ``check``, ``call``, ``raise to N`` or ``all-in``, alone or inside ``<move>…</move>``, or the
        paper's JSON. N is the seat's total for the street.
    Reward: big blinds won or lost, after each hand.
    Ends: terminated after the last hand (``scored``).
    Info: as :class:`interactive_envs.multiplayer.single_seat.SeatGame` says.
    Version history: v0, first release; v1, see the changelog.

    Args:
        players: seats, 2 to 10.
        hands: hands in an episode.
        stack: chips at the beginning, one number or a list with one a seat.
        small_blind: chips.
        big_blind: chips.
        ante: chips from every seat.
        between_hands: ``rebuy`` or ``reset``, what happens to stacks between hands.
        recap: how many finished hands the text tells again, one line each.
        bet_sizes: the numeric twin's bets, as shares of the pot.
        opponents: a spec for all other seats, or a list with one for each.
        seat: which seat is played.
        retries: unreadable or illegal texts a decision that are asked for again.
        on_invalid: ``fold``, which checks where that is free.
        render_mode: None or ``ansi``.
    """

    unit: ClassVar[Unit] = Unit(
        id="ibench/Holdem-v1",
        family="holdem",
        variants=(
            {},
            {"players": 2, "hands": 3, "between_hands": "reset", "opponents": "random", "bet_sizes": [0.33, 0.75, 1.5]},
            {
                "players": 3,
                "stack": [4000, 600, 9999],
                "ante": 10,
                "opponents": ["all-in", "random"],
                "seat": 1,
                "retries": 0,
            },
        ),
        views=("text", "numeric", "aec"),
        numeric_variants=(0, 1, 2),
        references=(None, None, None),
        reward_range=(-300.0, 1000.0),
        sources=("Interactive Benchmarks v1, section 3.2.3", "Interactive Benchmarks v2, appendix A.4"),
    )

    def __init__(
        self,
        *,
        players: int = 6,
        hands: int = 1,
        stack: int | Sequence[int] = 10_000,
        small_blind: int = 50,
        big_blind: int = 100,
        ante: int = 0,
        between_hands: str = "rebuy",
        recap: int = 1,
        bet_sizes: Sequence[float] = (0.5, 1.0),
        opponents: str | Sequence[str] = "call-station",
        seat: int = 0,
        retries: int = 1,
        on_invalid: str = "fold",
        render_mode: str | None = None,
    ) -> None:
        game = HoldemGame(
            players=players,
            hands=hands,
            stack=stack,
            small_blind=small_blind,
            big_blind=big_blind,
            ante=ante,
            between_hands=between_hands,
            recap=recap,
            bet_sizes=bet_sizes,
        )
        super().__init__(
            game, opponents=opponents, seat=seat, retries=retries, on_invalid=on_invalid, render_mode=render_mode
        )
