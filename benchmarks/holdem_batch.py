"""Hold'em in lockstep against stock PokerKit and our rules on PokerKit: hands a CPU second with random legal play.

Six seats, 100 big blinds, a new deck every hand; whoever is to act folds, passes or raises at random, and the
total of a raise is drawn uniformly. Drawing decks and actions, legality and hand evaluation count. The contestants
take turns in short rounds; printed are medians, and ratios within a round with their range.

Then self-play: PPO with the default preset on six-max matches of 50 hands, in lockstep and with a match after the other
on PokerKit, from the same seed. Both train the same networks, byte for byte, or the program stops.

    python benchmarks/holdem_batch.py [--rounds 5] [--tables 2048] [--steps 16384]
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
from pokerkit import Automation, NoLimitTexasHoldem

from interactive_envs.holdem.batch.arena import HoldemArena
from interactive_envs.holdem.batch.engine import Tables, random_actions, shuffled
from interactive_envs.holdem.rules import HoldemGame, Move
from interactive_envs.training.arena import Arena, MatchArena
from interactive_envs.training.trainer import TrainConfig, train

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


def trained(kind: type[HoldemArena | MatchArena], steps: int, seed: int) -> tuple[float, list[bytes]]:
    """Steps a CPU second, and the checkpoints."""

    def arena(games: int) -> Arena:
        return kind(HoldemGame(players=SEATS, match=50), games, most=25_000)

    with tempfile.TemporaryDirectory() as folder:
        begun = time.process_time()
        paths = train(arena, Path(folder), TrainConfig(steps=steps, every=2048, seed=seed), log=())
        return steps / (time.process_time() - begun), [path.read_bytes() for path in paths]


def self_play(rounds: int, steps: int) -> None:
    """Train on both, and print how fast each was."""
    trained(HoldemArena, 2048, 0)
    found = []
    for seed in range(rounds):
        (ours, networks), (theirs, others) = (trained(kind, steps, seed) for kind in (HoldemArena, MatchArena))
        if networks != others:
            raise SystemExit(f"seed {seed}: the networks are not the same")
        found.append((ours, theirs, ours / theirs))
    ours, theirs, ratio = (statistics.median(column) for column in zip(*found, strict=True))
    ratios = [row[2] for row in found]
    print(
        f"self-play {ours:,.0f} steps a CPU s, one by one {theirs:,.0f}: {ratio:.1f} x "
        f"({min(ratios):.1f} to {max(ratios):.1f}), {steps:,} steps, equal networks"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tables", type=int, default=2048)
    parser.add_argument("--steps", type=int, default=16_384)
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
    self_play(options.rounds, options.steps)


if __name__ == "__main__":
    main()
