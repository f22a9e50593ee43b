"""Hold'em in lockstep against stock PokerKit and our rules on PokerKit: hands a CPU second with random legal play.

Six seats, 100 big blinds, a new deck every hand; whoever is to act folds, passes or raises at random, and the
total of a raise is drawn uniformly. Drawing decks and actions, legality and hand evaluation count. The contestants
take turns in short rounds; printed are medians, and ratios within a round with their range.

Then self-play: PPO with the default preset on six-max matches of 50 hands, in lockstep and with a match after the other
on PokerKit, from the same seed. Both train the same networks, byte for byte, or the program stops.

Last, where the time of a hand goes in a tournament of rule players, which is played table by table: what lockstep could
take over, and how much faster the tournament would be if that cost nothing at all.

    python benchmarks/holdem_batch.py [--rounds 5] [--tables 2048] [--steps 16384]
"""

from __future__ import annotations

import argparse
import functools
import statistics
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from pokerkit import Automation, NoLimitTexasHoldem

from interactive_envs.agents.holdem import HoldemAgent
from interactive_envs.evaluation.run.pool import Tables as Environments
from interactive_envs.evaluation.tournament import play
from interactive_envs.evaluation.tournament.plan import load, plan
from interactive_envs.holdem.batch.arena import HoldemArena
from interactive_envs.holdem.batch.engine import Tables, random_actions, shuffled
from interactive_envs.holdem.rules import HoldemGame, Move
from interactive_envs.multiplayer.match import Match
from interactive_envs.training.arena import Arena, MatchArena
from interactive_envs.training.trainer import TrainConfig, train

SEATS, STACK, BLINDS = 6, 10_000, (50, 100)
RULES = "rules, views, infos, texts"


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


class Clock:
    """CPU time by part; the time of a part inside another counts for the inner one alone."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()
        self._inner = [0.0]

    def wrap(self, part: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, timed."""

        @functools.wraps(function)
        def timed(*args: Any, **arguments: Any) -> Any:
            self._inner.append(0.0)
            begun = time.process_time()
            try:
                return function(*args, **arguments)
            finally:
                spent = time.process_time() - begun
                self.spent[part] += spent - self._inner.pop()
                self._inner[-1] += spent

        return timed


def spent_on(players: Sequence[str], rounds: int, hands: int) -> list[dict[str, float]]:
    """Play hands of a tournament; CPU seconds by part, one row a round."""
    tournament = play.check(load("holdem-six-max-rules", players))
    clock, planned, tables, found = Clock(), plan(tournament), Environments(), []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as patches:
        for owner, name, part in (
            (Match, "begin", RULES),
            (play, "play_out", RULES),
            (HoldemAgent, "act", "players"),
            (type(tournament.report), "luck", "luck"),
        ):
            patches.enter_context(mock.patch.object(owner, name, clock.wrap(part, getattr(owner, name))))
        store = patches.enter_context(play.TournamentStore.begin(Path(folder), tournament, resume=False))
        hand = clock.wrap("records", lambda one: store.add(play.play_match(tournament, one, tables=tables)))
        for number in range(rounds + 1):
            clock.spent.clear()
            for one in planned[number * hands : (number + 1) * hands]:
                hand(one)
            found.append(dict(clock.spent))
    return found[1:]  # the first one filled caches


def tournaments(rounds: int, hands: int = 240) -> None:
    """Play hands of two tournaments, and print what they spent their time on."""
    simple = ("holdem/random", "r=holdem/random", "call-station", "c=call-station", "all-in", "fold")
    for title, players in (("holdem-six-max-rules", ()), ("players that decide by arrays", simple)):
        found = spent_on(players, rounds, hands)
        total = [sum(row.values()) for row in found]
        print(f"tournament, {title}: {1000 * statistics.median(total) / hands:.1f} CPU ms a hand")
        for part in found[0]:
            shares = [row[part] / whole for row, whole in zip(found, total, strict=True)]
            print(f"    {part:28} {statistics.median(shares):4.0%} ({min(shares):.0%} to {max(shares):.0%})")
        most = [whole / (whole - row[RULES]) for row, whole in zip(found, total, strict=True)]
        print(f"    lockstep that costs nothing: {statistics.median(most):.2f} x ({min(most):.2f} to {max(most):.2f})")


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
        for name, contestant in contestants.items():
            begun = time.process_time()
            played = contestant(seed)
            speeds[name].append(played / (time.process_time() - begun))
    for name, found in speeds.items():
        ratios = [mine / theirs for mine, theirs in zip(found, speeds["PokerKit"], strict=True)]
        print(
            f"{name:18} {statistics.median(found):9,.0f} hands a CPU s   "
            f"{statistics.median(ratios):6.1f} x PokerKit ({min(ratios):.1f} to {max(ratios):.1f})"
        )
    self_play(options.rounds, options.steps)
    tournaments(options.rounds)


if __name__ == "__main__":
    main()
