"""Hold'em in lockstep against stock PokerKit and our rules on PokerKit: hands a CPU second with random legal play.

Six seats, 100 big blinds, a new deck every hand; whoever is to act folds, passes or raises at random, and the
total of a raise is drawn uniformly. Drawing decks and actions, legality and hand evaluation count. The contestants
take turns in short rounds; printed are medians, and ratios within a round with their range.

    python benchmarks/holdem_batch.py [--rounds 5] [--tables 2048]
"""

from __future__ import annotations

import argparse
import statistics
import time
import warnings
from collections.abc import Callable

import numpy as np
from pokerkit import Automation, NoLimitTexasHoldem

from interactive_envs.holdem.batch.engine import Tables, random_actions, shuffled
from interactive_envs.holdem.rules import HoldemGame, Move

SEATS, STACK, BLINDS = 6, 10_000, (50, 100)


def lockstep(hands: int, tables: int, seed: int) -> int:
    """Play at least so many hands, and return how many."""
    rng, stacks, played = np.random.default_rng(seed), np.full(SEATS, STACK), 0
    table = Tables(tables, players=SEATS, small_blind=BLINDS[0], big_blind=BLINDS[1])
    table.deal(shuffled(rng, tables, SEATS), stacks)
    while played < hands:
        table.act(*random_actions(rng, table.legal()))
        over = np.flatnonzero(table.actor < 0)
        played += len(over)
        table.deal(shuffled(rng, len(over), SEATS), stacks, over)
    return played


def stock(hands: int, seed: int) -> int:
    """PokerKit with all automations."""
    rng = np.random.default_rng(seed)
    for _ in range(hands):
        state = NoLimitTexasHoldem.create_state(tuple(Automation), True, 0, BLINDS, BLINDS[1], (STACK,) * SEATS, SEATS)
        while state.status:
            choice = int(rng.integers(3))
            least, most = (
                state.min_completion_betting_or_raising_to_amount,
                state.max_completion_betting_or_raising_to_amount,
            )
            if choice == 0 and state.checking_or_calling_amount:
                state.fold()
            elif choice == 2 and least is not None and most is not None:
                state.complete_bet_or_raise_to(int(rng.integers(least, most + 1)))
            else:
                state.check_or_call()
    return hands


def rules(hands: int, seed: int) -> int:
    """Our rules on PokerKit, without text."""
    game, rng = (
        HoldemGame(players=SEATS, stack=STACK, small_blind=BLINDS[0], big_blind=BLINDS[1]),
        np.random.default_rng(seed),
    )
    for _ in range(hands):
        state = game.start(rng, {})
        while (seat := game.to_move(state)) is not None:
            table, choice = state.table, int(rng.integers(3))
            least, most = (
                table.min_completion_betting_or_raising_to_amount,
                table.max_completion_betting_or_raising_to_amount,
            )
            if choice == 0 and table.checking_or_calling_amount:
                move = Move("fold")
            elif choice == 2 and least is not None and most is not None:
                move = Move("raise", int(rng.integers(least, most + 1)))
            else:
                move = Move("pass")
            game.play(state, seat, move)
    return hands


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tables", type=int, default=2048)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    contestants: dict[str, Callable[[int], int]] = {
        "lockstep": lambda seed: lockstep(20_000, options.tables, seed),
        "PokerKit": lambda seed: stock(60, seed),
        "rules on PokerKit": lambda seed: rules(200, seed),
    }
    lockstep(1, 8, 0)  # the tables of hand strengths are made once
    speeds: dict[str, list[float]] = {name: [] for name in contestants}
    for seed in range(options.rounds):
        for name, play in contestants.items():
            begun = time.process_time()
            played = play(seed)
            speeds[name].append(played / (time.process_time() - begun))
    for name, found in speeds.items():
        ratios = [mine / theirs for mine, theirs in zip(found, speeds["PokerKit"], strict=True)]
        print(
            f"{name:18} {statistics.median(found):9,.0f} hands a CPU s   "
            f"{statistics.median(ratios):6.1f} x PokerKit ({min(ratios):.1f} to {max(ratios):.1f})"
        )


if __name__ == "__main__":
    main()
