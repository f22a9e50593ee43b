"""Games of chance against exact values, which are written again here in the plainest way: a listing of all states of
the game itself takes minutes."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator

import pytest

from interactive_envs.novel_games.folder import own
from interactive_envs.novel_games.host.adapter import Program, Table
from interactive_envs.novel_games.rules import program_of
from interactive_envs.novel_games.search.chances import search_of
from interactive_envs.novel_games.search.exact import outcomes
from interactive_envs.novel_games.search.network import Network, checkpoints_in
from interactive_envs.novel_games.search.trees import Settings
from interactive_envs.training.polish import polish

Value = Callable[[Table], float]
"""What the first seat gets."""
GOAL, COINS, HALF = 25, 14, 14


@functools.cache
def spilling(pool: tuple[int, ...], stream: int, mine: int, other: int) -> float:
    """What the mover of Spillway gets."""
    found = []
    if stream:
        found.append(1.0 if mine + stream >= GOAL else -spilling(pool, 0, other, mine + stream))
    for face in set(pool):
        rest, more, total = [*pool], stream + face, 0.0
        rest.remove(face)
        for roll in range(1, 7):
            after = tuple(sorted((*rest, roll)))
            if roll in rest:
                total -= 1 if other + more >= GOAL else spilling(after, 0, other + more, mine)
            else:
                total += 1 if mine + more >= GOAL else spilling(after, more, mine, other)
        found.append(total / 6)
    return max(found)


@functools.cache
def bidding(crate: int, later: tuple[int, ...], mine: int, other: int, purse: int, bid: int) -> float:
    """What the mover of Quayside Lots gets."""
    found = [-bidding(crate, later, other, mine, COINS - purse, more) for more in range(bid + 1, purse + 1)]
    if bid >= 0 and other + crate > HALF:
        found.append(-1.0)
    elif bid >= 0:
        cases = [(block, tuple(left for left in later if left != block)) for block in later]
        found.append(
            sum(bidding(block, left, mine, other + crate, purse + bid, -1) for block, left in cases) / len(cases)
        )
    return max(found)


def of_spillway(table: Table) -> float:
    env, seat = table.env, table.seat
    value = spilling(tuple(env.pool), env.stream, env.bowls[seat], env.bowls[1 - seat])
    return value if seat == 0 else -value


def of_quayside(table: Table) -> float:
    env, seat = table.env, table.seat
    block, *later = (int(crate) for crate in env.order)
    purse = COINS - env.purse if seat else env.purse
    value = bidding(block, tuple(sorted(later)), env.score[seat], env.score[1 - seat], purse, env.bid)
    return value if seat == 0 else -value


VALUES = {"spillway": of_spillway, "quayside-lots": of_quayside}


def by_moves(table: Table, value: Value) -> dict[int, float]:
    """What the first seat gets by each move."""
    return {
        action: sum(
            chance * (after.score(0) if after.result else value(after)) for chance, after in outcomes(table, action)
        )
        for action in table.legal()
    }


def program(name: str) -> Program:
    made = program_of(name)
    assert isinstance(made, Program)
    return made


def tables(game: Program) -> Iterator[Table]:
    for seed in range(5):
        rng, table = random.Random(seed), game.new(seed)
        while table.result is None:
            yield table
            table.play(rng.choice(table.legal()))


@pytest.mark.long
@pytest.mark.parametrize("name", VALUES)
def test_what_is_written_here_is_the_game(name: str) -> None:
    """A state is worth what its best move is worth, by the outcomes that the game lists."""
    for table in tables(program(name)):
        best = (max, min)[table.seat](by_moves(table, VALUES[name]).values())
        assert best == pytest.approx(VALUES[name](table), abs=1e-9)


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("name", "most", "least"), [("quayside-lots", 0.05, 0.05), ("spillway", 0.05, 0.001)])
def test_a_polished_network_loses_value_on_few_moves(name: str, most: float, least: float) -> None:
    """The shipped one does on about every tenth, searched as always with 200 simulations."""
    game, value = program(name), VALUES[name]
    network = polish(game, Network.load(checkpoints_in(own(name).path)[-1]), 12_000, 0)
    lost, moves, away = 0, 0, 0.0
    for number in range(80):
        rng, table, seat = random.Random(number // 2), game.new(number // 2), number % 2
        search = search_of(game, Settings(simulations=200, explore=0.25, chance="listed"), network)
        while table.result is None:
            known = by_moves(table, value)
            best = (max, min)[table.seat](known.values())
            if table.seat == seat:
                chosen = search.choose(table.view(seat), number)["action"]
                lost, moves, away = (
                    lost + (abs(known[chosen] - best) > 1e-6),
                    moves + 1,
                    away + abs(known[chosen] - best),
                )
            else:
                good = [action for action, worth in known.items() if abs(worth - best) < 1e-9]
                chosen = rng.choice(good if number // 2 % 2 else table.legal())
            table.say(chosen)
    assert lost <= most * moves
    assert away <= least * moves
