"""No-limit hold'em as a Gymnasium environment; PettingZoo's view is made from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from interactive_envs.agent import resolve_agent
from interactive_envs.catalog.unit import Unit
from interactive_envs.holdem.batch.arena import HoldemArena
from interactive_envs.holdem.batch.seat import HoldemSeat
from interactive_envs.holdem.rules import HoldemGame
from interactive_envs.multiplayer.single_seat import SeatGame
from interactive_envs.seeds import NOT_KEY

PAPER = {
    "players": 6,
    "match": 500,
    "carry": True,
    "memory": False,
    "stack": 10_000,
    "small_blind": 50,
    "big_blind": 100,
    "retries": 1,
}
"""The paper's table: 500 hands of bankroll; each message shows the current hand alone."""


class HoldemEnv(SeatGame):
    """No-limit Texas hold'em for 2 to 10 seats (Interactive Benchmarks v1, section 3.2.3, and v2).

    Observation: at each decision street, own cards, board, stacks, bets, pots, the price of a call, the legal raises,
        positions and the hand's actions, in words. ``TextSpace``.
    Action: ``fold``, ``check``, ``call``, ``raise to N`` or ``all-in``, alone or inside ``<move>…</move>``, or the
        paper's JSON. N is the seat's total for the street.
    Reward: big blinds won or lost, after each hand.
    Ends: terminated after the last hand (``scored``).
    Info: as :class:`interactive_envs.multiplayer.single_seat.SeatGame` says.
    Version history: v0, first release; v1, an episode is a match of 50 hands against the same opponents, every hand's
        end is shown, ``carry`` says what happens to chips, ``opponents`` sit in order from our left on, and a message
        that is no legal move is told whether it was not read or not legal.

    Args:
        players: seats, 2 to 10.
        match: hands in an episode, all against the same opponents, who may remember earlier hands.
        carry: whether seats keep their chips from hand to hand, with a rebuy for those without; otherwise every hand
            begins with the first stacks.
        memory: whether players know the earlier hands of the episode; otherwise every hand begins a fresh dialogue, on
            the same deals, so that the difference shows what a player learns of its opponents.
        stack: chips at the beginning, one number or a list with one per seat.
        small_blind: chips.
        big_blind: chips.
        ante: chips.
        ante_by: ``all`` or ``big-blind``, who posts the ante; the big blind's is dead money.
        bet_sizes: the numeric twin's bets, as shares of the pot.
        legal: ``listed``: every turn says what may be done and how much may be bet; ``hidden``: the rules alone do, on
            the same deals.
        opponents: a spec for all other seats, or a list with one for each, from the seat after ours on.
        seat: which seat is played.
        retries: unreadable or illegal texts a decision that are asked for again.
        on_invalid: ``fold``, which checks where that is free.
        render_mode: None or ``ansi``.
    """

    game: HoldemGame
    unit: ClassVar[Unit] = Unit(
        id="ibench/Holdem-v1",
        family="holdem",
        variants=(
            {"match": 4},
            {
                "players": 2,
                "match": 3,
                "ante": 100,
                "ante_by": "big-blind",
                "opponents": "random",
                "bet_sizes": [0.33, 0.75, 1.5],
            },
            {
                "players": 3,
                "match": 4,
                "carry": True,
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
        not_key=(*NOT_KEY, "memory", "legal"),
        presets={"paper": PAPER},
        reward_range=(-5_000.0, 25_000.0),
        sources=("Interactive Benchmarks v1, section 3.2.3", "Interactive Benchmarks v2, appendix A.4"),
    )

    def __init__(
        self,
        *,
        players: int = 6,
        match: int = 50,
        carry: bool = False,
        memory: bool = True,
        stack: int | Sequence[int] = 10_000,
        small_blind: int = 50,
        big_blind: int = 100,
        ante: int = 0,
        ante_by: str = "all",
        bet_sizes: Sequence[float] = (0.5, 1.0),
        legal: str = "listed",
        opponents: str | Sequence[str] = "call-station",
        seat: int = 0,
        retries: int = 1,
        on_invalid: str = "fold",
        render_mode: str | None = None,
    ) -> None:
        game = HoldemGame(
            players=players,
            match=match,
            carry=carry,
            memory=memory,
            stack=stack,
            small_blind=small_blind,
            big_blind=big_blind,
            ante=ante,
            ante_by=ante_by,
            bet_sizes=bet_sizes,
            legal=legal,
        )
        super().__init__(
            game, opponents=opponents, seat=seat, retries=retries, on_invalid=on_invalid, render_mode=render_mode
        )

    def arrays(self, count: int) -> HoldemSeat:
        """So many matches side by side; the opponents decide for many tables at once."""
        others = [resolve_agent(spec, family=self.unit.family)() for spec in self.opponents]
        return HoldemSeat(self.game, count, self.seat, others)

    def side_by_side(self, games: int, *, most: float) -> HoldemArena:
        """So many matches of all seats in lockstep."""
        return HoldemArena(self.game, games, most=most)

    def record(self) -> dict[str, Any]:
        """The whole episode as JSON values, and what of each hand was luck (:mod:`interactive_envs.holdem.luck`)."""
        from interactive_envs.holdem.luck import hand_luck

        content = super().record()
        # The boards drawn for a deal are the same in every seat.
        seed = self._match.seeds.game
        return content | {"luck": [hand_luck(hand, seed + hand["number"]) for hand in content["game"]["hands"]]}
