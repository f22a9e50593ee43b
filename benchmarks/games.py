"""What the multi-seat games cost: hands and matches a CPU second, ours and others' in one run on the same seeds.

Hold'em: six random players, 100 big blinds, one hand an episode. Our raw AEC environment with every text built, ours at
rules level and stock PokerKit (all automations, its own hand type, no text) make the same bets; RLCard and PettingZoo
have five abstract actions and their own stacks, 50 big blinds, so their hands are others. The trust game: deterministic
rule players, all pairs, the same moves in all three; matches as in the paper (delta 0.8, at most 35 rounds) or of a
fixed length.

The contestants take turns in short rounds. Printed are medians of CPU time, and of the ratios within a round, with
their range: they hold on a busy machine where seconds do not.

    python benchmarks/games.py [--rounds 9] [--hands 150] [--matches 400] [--length N]

PettingZoo's hold'em needs pygame besides rlcard; a contestant that cannot be imported is named and left out.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
import warnings
from collections.abc import Callable, Mapping
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from pokerkit import Automation, NoLimitTexasHoldem

from interactive_envs.holdem.rules import HoldemGame, Move
from interactive_envs.making import make_aec
from interactive_envs.trust_game.reading import ACTIONS
from interactive_envs.trust_game.rules import TrustGame
from interactive_envs.trust_game.strategies import STRATEGIES, Draws, play_match

SEATS, STACK, BLINDS = 6, 10_000, (50, 100)
AXELROD = {
    "tft": "TitForTat",
    "grim": "Grudger",
    "all-c": "Cooperator",
    "all-d": "Defector",
    "pavlov": "WinStayLoseShift",
    "suspicious-tft": "SuspiciousTitForTat",
    "tit-for-two-tats": "TitFor2Tats",
}
"""Our rule players and the Axelrod library's classes of the same rule."""
PAIRS = list(combinations_with_replacement(AXELROD, 2))


class Played(NamedTuple):
    """What one contestant did in one round.

    Attributes:
        units: hands or matches.
        decisions: of all seats.
        trace: equal for contestants that played the same; None where they cannot.
        characters: of the texts that were read.
    """

    units: int
    decisions: int
    trace: object = None
    characters: int = 0


Contestant = Callable[[int, int], Played]
"""Plays that many hands or matches from that seed."""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--hands", type=int, default=150, help="hands a contestant and round")
    parser.add_argument("--matches", type=int, default=400, help="trust matches a contestant and round")
    parser.add_argument("--length", type=int, help="rounds of every trust match; drawn with delta 0.8 where not given")
    options = parser.parse_args()
    missing: list[str] = []
    hands = {
        "ours, AEC with text": aec_with_text(),
        "ours, rules level": rules_level,
        "PokerKit, stock": stock_pokerkit,
        **optional("RLCard", rlcard_hands, missing),
        **optional("PettingZoo hold'em", pettingzoo_hands, missing),
    }
    print(f"hold'em, {SEATS} random players; {options.rounds} rounds of {options.hands} hands each")
    report(measured(hands, options.hands, options.rounds), ("hand", "hands"), "PokerKit, stock", missing)
    missing = []
    matches = {
        "ours, play_match": rules_matches(options.length),
        "ours, AEC with text": aec_matches(options.length),
        **optional("Axelrod's Match", lambda: axelrod_matches(options.length), missing),
    }
    length = f"{options.length} rounds" if options.length else "delta 0.8, at most 35 rounds"
    print(f"\ntrust game, {len(PAIRS)} pairs, {length}; {options.rounds} rounds of {options.matches} matches each")
    report(measured(matches, options.matches, options.rounds), ("match", "matches"), "Axelrod's Match", missing)


def optional(name: str, make: Callable[[], Contestant], missing: list[str]) -> dict[str, Contestant]:
    """The contestant, or a line that says what it lacks."""
    try:
        return {name: make()}
    except ImportError as error:
        missing.append(f"{name}: left out, {error}")
        return {}


def measured(contestants: Mapping[str, Contestant], units: int, rounds: int) -> dict[str, list[tuple[float, Played]]]:
    """CPU seconds and what was played, a round each; the contestants take turns."""
    for warm_up in contestants.values():
        warm_up(max(1, units // 10), 0)
    results: dict[str, list[tuple[float, Played]]] = {name: [] for name in contestants}
    for number in range(1, rounds + 1):
        for name, play in contestants.items():
            begun = time.process_time()
            played = play(units, number)
            results[name].append((time.process_time() - begun, played))
        traces = [results[name][-1][1].trace for name in contestants if results[name][-1][1].trace is not None]
        if any(trace != traces[0] for trace in traces):
            raise SystemExit(f"round {number}: the contestants did not play the same")
    return results


def report(
    results: Mapping[str, list[tuple[float, Played]]], words: tuple[str, str], reference: str, missing: list[str]
) -> None:
    """Rates, decisions, and ratios within each round."""
    unit, units = words
    for name, rounds in results.items():
        rate = statistics.median(played.units / seconds for seconds, played in rounds)
        count = sum(played.units for _, played in rounds)
        decisions = sum(played.decisions for _, played in rounds) / count
        line = f"{name:<20}{rate:9.0f} {units}/CPU-s {1e6 / rate / decisions:7.1f} µs a decision"
        line += f" {decisions:6.2f} decisions a {unit}  n={count}"
        if reference in results and name != reference:
            ratios = [other / own for (own, _), (other, _) in zip(rounds, results[reference], strict=True)]
            line += f"  {statistics.median(ratios):6.2f}x {reference} [{min(ratios):.2f}, {max(ratios):.2f}]"
        characters = sum(played.characters for _, played in rounds)
        print(line + (f"  {characters / count:.0f} characters a {unit}" if characters else ""))
    for line in missing:
        print(line)


def choice(rng: random.Random, to_call: int, least: int | None, most: int | None) -> tuple[str, int]:
    """Fold to a bet, stay in or raise with equal chances, to any legal size with equal chances."""
    kinds = ["pass"] + ["fold"] * (to_call > 0) + ["raise"] * (least is not None)
    kind = kinds[int(rng.random() * len(kinds))]
    return kind, 0 if least is None or most is None else least + int(rng.random() * (most - least + 1))


def aec_with_text() -> Contestant:
    """PettingZoo's loop over our environment; every observation is read to its length."""
    env = make_aec("ibench/Holdem-v1", players=SEATS, match=1, stack=STACK, small_blind=BLINDS[0], big_blind=BLINDS[1])

    def play(hands: int, seed: int) -> Played:
        rng, decisions, characters, bets = random.Random(seed), 0, 0, []
        for number in range(hands):
            env.reset(seed=1_000_000 * seed + number)
            for _ in env.agent_iter():
                observation, _, over, _, info = env.last()
                characters += len(observation)
                if over:
                    env.step(None)
                    continue
                decisions += 1
                view = info["view"]
                kind, to = choice(rng, view.to_call, view.min_raise_to, view.max_raise_to)
                text = f"raise to {to}" if kind == "raise" else "call" if kind == "pass" else "fold"
                env.step(text)
                bets.append((kind, to))
        return Played(hands, decisions, bets, characters)

    return play


def rules_level(hands: int, seed: int) -> Played:
    """Our rules without texts and views; the players ask the table, as with stock PokerKit."""
    game = HoldemGame(players=SEATS, stack=STACK, small_blind=BLINDS[0], big_blind=BLINDS[1])
    rng, deals, decisions, bets = random.Random(seed), np.random.default_rng(seed), 0, []
    for _ in range(hands):
        state = game.start(deals, {})
        while (seat := game.to_move(state)) is not None:
            decisions += 1
            kind, to = table_choice(rng, state.table)
            game.play(state, seat, Move(kind, to))  # type: ignore[arg-type]
            bets.append((kind, to))
    return Played(hands, decisions, bets)


def stock_pokerkit(hands: int, seed: int) -> Played:
    """PokerKit as it comes."""
    game = NoLimitTexasHoldem(tuple(Automation), True, 0, BLINDS, BLINDS[1])
    rng, decisions, bets = random.Random(seed), 0, []
    random.seed(seed)  # PokerKit shuffles with it
    for _ in range(hands):
        table = game(STACK, SEATS)
        while table.status:
            decisions += 1
            kind, to = table_choice(rng, table)
            if kind == "fold":
                table.fold()
            elif kind == "pass":
                table.check_or_call()
            else:
                table.complete_bet_or_raise_to(to)
            bets.append((kind, to))
    return Played(hands, decisions, bets)


def table_choice(rng: random.Random, table: Any) -> tuple[str, int]:
    """The random player at a PokerKit table."""
    return choice(
        rng,
        table.checking_or_calling_amount,
        table.min_completion_betting_or_raising_to_amount,
        table.max_completion_betting_or_raising_to_amount,
    )


def rlcard_hands() -> Contestant:
    """RLCard's environment with uniform legal actions."""
    import rlcard

    def play(hands: int, seed: int) -> Played:
        env = rlcard.make("no-limit-holdem", config={"game_num_players": SEATS, "seed": seed})
        rng, decisions = random.Random(seed), 0
        for _ in range(hands):
            state, _ = env.reset()
            while not env.is_over():
                decisions += 1
                state, _ = env.step(rng.choice(list(state["legal_actions"])))
        return Played(hands, decisions)

    return play


def pettingzoo_hands() -> Contestant:
    """PettingZoo's raw environment with uniform legal actions."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic.rlcard_envs import texas_holdem_no_limit

        env = texas_holdem_no_limit.raw_env(num_players=SEATS)

    def play(hands: int, seed: int) -> Played:
        rng, decisions = random.Random(seed), 0
        for number in range(hands):
            env.reset(seed=1_000 * seed + number)
            for _ in env.agent_iter():
                observation, _, over, cut, _ = env.last()
                if over or cut:
                    env.step(None)
                    continue
                decisions += 1
                env.step(rng.choice(np.flatnonzero(observation["action_mask"]).tolist()))
        return Played(hands, decisions)

    return play


def lengths(matches: int, seed: int, length: int | None) -> list[int]:
    """Rounds of each match."""
    game, rng = TrustGame(matches=1), np.random.default_rng(seed)
    return [length or game.start(rng, {}).horizon for _ in range(matches)]


def rules_matches(length: int | None) -> Contestant:
    """Two rule players without texts."""

    def play(matches: int, seed: int) -> Played:
        moves = []
        for number, rounds in enumerate(lengths(matches, seed, length)):
            one, other = PAIRS[number % len(PAIRS)]
            moves.append(play_match(STRATEGIES[one], STRATEGIES[other], rounds).moves)
        return Played(matches, 2 * sum(len(first) for first, _ in moves), moves)

    return play


def aec_matches(length: int | None) -> Contestant:
    """PettingZoo's loop; every observation is read to its length."""
    env = make_aec("ibench/TrustGame-v1", max_rounds=max(35, length or 0), matches=1)
    draws = Draws(0, 0)

    def play(matches: int, seed: int) -> Played:
        moves, characters = [], 0
        for number, rounds in enumerate(lengths(matches, seed, length)):
            pair = [STRATEGIES[name] for name in PAIRS[number % len(PAIRS)]]
            env.reset(seed=number, options={"rounds": rounds})
            for _ in env.agent_iter():
                observation, _, over, _, info = env.last()
                characters += len(observation)
                view = info["view"]
                env.step(None if over else ACTIONS[pair[view.seat](view.own, view.other, draws)])
            moves.append((view.own, view.other)[:: 1 if view.seat == 0 else -1])
        return Played(matches, 2 * sum(len(first) for first, _ in moves), moves, characters)

    return play


def axelrod_matches(length: int | None) -> Contestant:
    """The Axelrod library's matches, with players made once."""
    import axelrod

    players = {name: (getattr(axelrod, kind)(), getattr(axelrod, kind)()) for name, kind in AXELROD.items()}

    def play(matches: int, seed: int) -> Played:
        moves = []
        for number, rounds in enumerate(lengths(matches, seed, length)):
            one, other = PAIRS[number % len(PAIRS)]
            match = axelrod.Match((players[one][0], players[other][1]), turns=rounds)
            match.play()
            moves.append(tuple("".join(map(str, made)) for made in zip(*match.result, strict=True)))
        return Played(matches, 2 * sum(len(first) for first, _ in moves), moves)

    return play


if __name__ == "__main__":
    main()
