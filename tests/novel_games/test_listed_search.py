"""The search that weighs what chance may bring by its probabilities, and moves that a network never thinks of."""

from __future__ import annotations

import random

import numpy as np
import pytest

from interactive_envs.agents.mcts import MCTSAgent
from interactive_envs.errors import ConfigError
from interactive_envs.novel_games.host.adapter import Program
from interactive_envs.novel_games.host.sandboxed import RemoteProgram
from interactive_envs.novel_games.search.chances import UNLISTED, ListedSearch, search_of
from interactive_envs.novel_games.search.exact import solve
from interactive_envs.novel_games.search.network import Network
from interactive_envs.novel_games.search.trees import Search, Settings
from tests.novel_games import small_games
from tests.novel_games.test_search import made, network

COIN = Program(small_games.COIN, hidden=False)


def sure_of(action: int | None, program: Program) -> Network:
    """A network that expects nothing, and gives one move all but a billionth or, of None, each the same."""
    known = network(program)
    (weights, biases), (judging, zero) = known.parts["policy"][0], known.parts["value"][0]
    likely = np.array([20 * (move == action) for move in range(program.actions)], np.float32)
    return Network(known.parts["trunk"], [(weights * 0, biases + likely)], [(judging * 0, zero)])


def test_moves_are_worth_what_the_solution_says() -> None:
    """It draws nothing: from enough simulations every move that matters is right, in each state, with any seed."""
    truth, rng = solve(COIN), random.Random(0)
    assert truth is not None
    for number in range(6):
        table = COIN.new(number)
        search = search_of(COIN, Settings(simulations=400, chance="listed"), sure_of(None, COIN))
        assert isinstance(search, ListedSearch)
        while table.result is None:
            chosen = search.choose(table.view(table.seat), number)
            assert chosen["action"] in truth.best(table)
            if table.turns >= 3:
                assert chosen["value"] == pytest.approx(truth.value_of(table) * (1 - 2 * table.seat), abs=0.15)
            table.say(rng.choice(table.legal()))


def test_the_seed_decides_nothing_where_no_move_is_drawn() -> None:
    settings = Settings(simulations=60, chance="listed")
    one, other = (ListedSearch(COIN, settings, network(COIN)).choose(COIN.new(0).view(0), seed) for seed in (1, 2))
    assert one == other
    assert one["simulations"] == sum(one["visits"].values()) == 60


def test_the_tree_is_kept_where_its_state_came_up() -> None:
    table, search = COIN.new(0), ListedSearch(COIN, Settings(simulations=60, chance="listed"), network(COIN))
    search.choose(table.view(0), 0)
    table.say(0)
    table.say(0)
    assert sum(search.choose(table.view(0), 0)["visits"].values()) > 60


@pytest.mark.parametrize("chance", ["drawn", "listed"])
def test_a_move_that_the_network_rules_out_is_tried_where_some_of_the_priors_are_spread(chance: str) -> None:
    for program in (COIN, made(small_games.TAKE)) if chance == "drawn" else (COIN,):
        table = program.new(0)
        ruled_out = str(table.legal()[-1])
        known = sure_of(table.legal()[0], program)
        tried = [
            search_of(program, Settings(simulations=40, explore=explore, chance=chance), known).choose(table.view(0), 0)
            for explore in (0.0, 0.25)
        ]
        assert [one["visits"].get(ruled_out, 0) > 0 for one in tried] == [False, True]


def test_it_is_refused_where_outcomes_are_not_listed() -> None:
    settings = Settings(chance="listed")
    for program, known in ((COIN, None), (Program(small_games.COIN), network(COIN)), (made(small_games.TAKE), None)):
        with pytest.raises(ValueError, match=UNLISTED):
            search_of(program, settings, known)
    assert isinstance(search_of(COIN, Settings(), None), Search)
    with pytest.raises(ConfigError, match="chance must be one of drawn, listed"):
        MCTSAgent(chance="weighed")
    with pytest.raises(ConfigError, match="explore must be a number from 0 to 1"):
        MCTSAgent(explore=2)


def test_it_is_the_same_in_the_sandbox() -> None:
    settings, known = Settings(simulations=60, explore=0.25, chance="listed"), network(COIN)
    remote, view = RemoteProgram(small_games.COIN, hidden=False), COIN.new(0).view(0)
    assert remote.search(settings, known).choose(view, 3) == search_of(COIN, settings, known).choose(view, 3)
    with pytest.raises(ValueError, match=UNLISTED):
        RemoteProgram(small_games.COIN).search(settings, known)
