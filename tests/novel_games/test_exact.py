"""The package's players against exact solutions, which know the value of every state."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable

import numpy as np
import pytest

from interactive_envs.novel_games.folder import own
from interactive_envs.novel_games.host.adapter import Program, Table
from interactive_envs.novel_games.rules import program_of
from interactive_envs.novel_games.search.exact import Solution, solve
from interactive_envs.novel_games.search.network import Network, checkpoints_in
from interactive_envs.novel_games.search.trees import Search, Settings

SOLVED = ("ember-isles", "heron-and-minnows", "lane-levy", "residue-fold", "sum-shy", "wandering-pivot")
"""Games of 10,000 states and more on which the search is held against the truth. On crossed-dials, anvil-clock and
unequal-heirs it loses value on more of its moves (3.1 %, 3.6 %, 7.7 %), on games of chance on 10 % to 15 %; what a
polished network changes is in tests/training/test_polish.py and test_polish_of_chance.py."""
GAMES = 100
"""A seat."""
LOST = 0.02
"""Most moves of the search that may lose value."""
SHARE = 0.9
"""Of the exact player's score against random players that the trained one must reach."""


@functools.cache
def solution(name: str) -> Solution:
    found = solve(program(name))
    assert found is not None
    return found


def program(name: str) -> Program:
    made = program_of(name)
    assert isinstance(made, Program)
    return made


def network(name: str) -> Network:
    return Network.load(checkpoints_in(own(name).path)[-1])


def against_random(name: str, choose: Callable[[Table, random.Random], int]) -> float:
    """The mean score of a player, half of the games in each seat."""
    score = 0.0
    for number in range(2 * GAMES):
        rng, table, seat = random.Random(number // 2), program(name).new(number // 2), number % 2
        while table.result is None:
            table.play(choose(table, rng) if table.seat == seat else rng.choice(table.legal()))
        score += (table.score(seat) + 1) / 2
    return score / (2 * GAMES)


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", SOLVED)
def test_a_search_of_200_simulations_hardly_ever_loses_value(name: str) -> None:
    """Half of the opponents play at random, half the best moves."""
    truth, known = solution(name), network(name)
    assert truth.states >= 10_000
    lost = moves = 0
    for number in range(2 * GAMES):
        rng, table, seat = random.Random(number // 2), program(name).new(number // 2), number % 2
        search = Search(program(name), Settings(simulations=200), known)
        while table.result is None:
            if table.seat == seat:
                values = truth.values(table)
                chosen = search.choose(table.view(seat), number)["action"]
                best = max(values.values()) if seat == 0 else min(values.values())
                lost += abs(values[chosen] - best) > 1e-6
                moves += 1
            else:
                chosen = rng.choice(truth.best(table) if number // 2 % 2 else table.legal())
            table.say(chosen)
    assert lost <= LOST * moves, f"{lost} of {moves} moves lose value"


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("name", SOLVED)
def test_the_trained_player_beats_random_players_nearly_as_the_exact_one_does(name: str) -> None:
    truth, known = solution(name), network(name)

    def trained(table: Table, rng: random.Random) -> int:
        logits = known.logits(table.encoded())
        return max(table.legal(), key=lambda action: float(logits[action]))

    exact = against_random(name, lambda table, rng: rng.choice(truth.best(table)))
    learnt = against_random(name, trained)
    assert learnt >= SHARE * exact


@pytest.mark.long
def test_the_solver_knows_how_many_states_the_games_are_said_to_have() -> None:
    told = int(own("residue-fold").states)
    found = solution("residue-fold")
    assert abs(found.states - told) <= 0.01 * told
    assert found.value == 1
    assert np.isclose(found.value_of(program("residue-fold").new(0)), found.value)
