"""Search and exact solutions, against what can be worked out otherwise."""

from __future__ import annotations

import functools
import random
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from interactive_envs.novel_games.folder import own
from interactive_envs.novel_games.host.adapter import EXTRAS, GameError, Program, Table
from interactive_envs.novel_games.search.exact import solve
from interactive_envs.novel_games.search.network import Network
from interactive_envs.novel_games.search.trees import Minimax, Search, Settings
from tests.novel_games import small_games


def made(source: str) -> Program:
    return Program(source)


def network(program: Program, seed: int = 0) -> Network:
    rng = np.random.default_rng(seed)
    sizes = (program.size + EXTRAS, 16)

    def layer(inputs: int, outputs: int) -> Any:
        return rng.normal(size=(inputs, outputs)).astype(np.float32), np.zeros(outputs, np.float32)

    return Network([layer(*sizes)], [layer(16, program.actions)], [layer(16, 1)])


def negamax(table: Table) -> float:
    """The value for the first seat, written again in the plainest way."""
    if table.result is not None:
        return table.score(0)
    values = []
    for action in table.legal():
        after = table.clone()
        after.play(action)
        values.append(negamax(after))
    return max(values) if table.seat == 0 else min(values)


def test_a_solution_knows_what_is_won() -> None:
    program = made(small_games.TAKE)
    solution = solve(program)
    assert solution is not None
    assert solution.value == 1
    table = program.new(0)
    assert solution.best(table) == [2]  # 11 - 3 = 8
    table.play(2)
    assert solution.value_of(table) == 1
    assert solution.best(table) == [0, 1, 2]  # all are lost alike


def test_a_solution_agrees_with_the_plainest_search() -> None:
    for source in (small_games.TAKE, small_games.AGAIN):
        program = made(source)
        program.zero_reward = "loss"
        solution = solve(program)
        assert solution is not None
        rng = random.Random(0)
        for _ in range(4):
            table = program.new(0)
            table.play(rng.choice(table.legal()))
            while table.result is None:
                assert solution.value_of(table) == negamax(table)
                table.play(rng.choice(table.legal()))


def test_a_solution_weighs_chance() -> None:
    @functools.cache
    def value(first: int, second: int, turn: int) -> float:
        if turn == 6:
            return float(np.sign(first - second))
        own, other = (first, second) if turn % 2 == 0 else (second, first)
        sign = 1 if turn % 2 == 0 else -1

        def after(gain: int) -> float:
            moved = (own + gain, other) if turn % 2 == 0 else (other, own + gain)
            return value(*moved, turn + 1)

        return sign * max(sign * after(1), sign * (after(0) + after(3)) / 2)

    solution = solve(made(small_games.COIN))
    assert solution is not None
    assert solution.value == pytest.approx(value(0, 0, 0))


def test_secrets_and_too_many_states_have_no_solution() -> None:
    assert solve(made(small_games.GUESS)) is None
    assert solve(made(small_games.TAKE), limit=3) is None


@pytest.mark.parametrize("mode", ["puct", "rollout"])
@pytest.mark.parametrize("networked", [False, True])
def test_a_search_finds_the_only_winning_move(mode: str, networked: bool) -> None:
    program = made(small_games.TAKE)
    known = network(program) if networked else None
    chosen = Search(program, Settings(simulations=2000, mode=mode), known).choose(program.new(0).view(0), 5)
    assert chosen["action"] == 2
    assert chosen["simulations"] <= 2000


def test_a_search_proves_what_it_has_seen_whole() -> None:
    program = made(small_games.TAKE)
    table = program.new(0)
    for action in (2, 0, 0):
        table.say(action)  # 6 left, the second seat is to move
    chosen = Search(program, Settings(simulations=10_000)).choose(table.view(1), 0)
    assert (chosen["action"], chosen["value"], chosen["proven"]) == (1, 1.0, True)
    assert chosen["simulations"] < 200


def test_a_search_keeps_its_tree() -> None:
    program = made(small_games.TAKE)
    search, table = Search(program, Settings(simulations=150)), program.new(0)
    first = search.choose(table.view(0), 0)
    table.say(first["action"])
    table.say(0)
    again = search.choose(table.view(0), 1)
    fresh = Search(program, Settings(simulations=150)).choose(table.view(0), 1)
    assert sum(again["visits"].values()) > sum(fresh["visits"].values()) or again["proven"]
    assert again["action"] == fresh["action"] == 2


@pytest.mark.parametrize("name", ["", pytest.param("crossed-dials", marks=pytest.mark.long)])
def test_a_search_plays_like_the_solution(name: str) -> None:
    if name:
        folder = own(name)
        program = Program(folder.source, **folder.options)
    else:
        program = Program(small_games.AGAIN, zero_reward="loss")
    solution = solve(program)
    assert solution is not None
    lost = moves = 0
    for game in range(3):
        rng, table = random.Random(game), program.new(game)
        search = Search(program, Settings(simulations=200))
        while table.result is None:
            if table.seat == game % 2:
                chosen = search.choose(table.view(table.seat), game)["action"]
                lost += chosen not in solution.best(table)
                moves += 1
            else:
                chosen = rng.choice(solution.best(table))
            table.say(chosen)
    assert lost <= 0.2 * moves


def test_minimax_is_exact_where_it_can_see_the_end() -> None:
    program = made(small_games.TAKE)
    solution = solve(program)
    assert solution is not None
    rng = random.Random(1)
    for _ in range(10):
        table = program.new(0)
        while table.result is None:
            chosen = Minimax(program).choose(table.view(table.seat), 0)
            assert chosen["action"] in solution.best(table)
            assert chosen["proven"]
            assert chosen["value"] == (1 if table.seat == 0 else -1) * solution.value_of(table)
            table.say(rng.choice(table.legal()))
    with pytest.raises(ValueError, match="use mcts"):
        Minimax(made(small_games.GUESS))


def test_minimax_makes_each_position_once_where_copies_are_dear(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games from elsewhere have no clone(); a whole game copies less often than it has moves in all its states."""
    program = made((Path(__file__).parent / "fixtures" / "nim-in-disguise" / "game.py").read_text())
    solution = solve(program)
    assert solution is not None
    copies, clone = [0], Program.clone
    monkeypatch.setattr(Program, "clone", lambda self, env: copies.__setitem__(0, copies[0] + 1) or clone(self, env))
    table, search = program.new(0), Minimax(program)
    while table.result is None:
        table.say(search.choose(table.view(table.seat), 0)["action"])
    assert table.result == "first", "the solution says that First wins"
    moves = sum(len(way) for way in map(solution.moves, range(solution.states)))
    assert copies[0] <= moves


def test_minimax_keeps_its_limit_of_time() -> None:
    hard = Path(__file__).parents[2] / "interactive_envs" / "novel_games" / "games" / "sum-shy" / "game.py"
    program = made(hard.read_text(encoding="utf-8"))
    table = program.new(0)
    begun = time.thread_time()
    chosen = Minimax(program, nodes=10**9, seconds=0.2).choose(table.view(0), 0)
    assert 0.2 <= time.thread_time() - begun < 2
    assert chosen["action"] in table.legal()
    with pytest.raises(ValueError, match="time must be CPU seconds, more than 0, got -1"):
        Minimax(program, seconds=-1)


@pytest.mark.parametrize("mode", ["puct", "rollout"])
def test_a_search_cannot_see_a_secret(mode: str) -> None:
    program = made(small_games.GUESS)
    found, choices = 0, set()
    for secret in range(4):
        table = program.new(0)
        table.say(secret)
        chosen = Search(program, Settings(simulations=100, mode=mode)).choose(table.view(1), 3)
        choices.add(chosen["action"])
        found += chosen["action"] == secret
        assert chosen["value"] < 0
    assert len(choices) == 1
    assert found == 1


@pytest.mark.parametrize("mode", ["puct", "rollout"])
def test_a_search_does_not_know_what_the_other_seat_will_hide(mode: str) -> None:
    program = made(small_games.STOP_OR_GUESS)
    chosen = Search(program, Settings(simulations=3000, mode=mode)).choose(program.new(0).view(0), 1)
    assert chosen["action"] == 0, "letting it hide the coin is worth -1/2, stopping 0"
    assert chosen["value"] == pytest.approx(0, abs=0.05)


def test_states_in_objects_are_told_apart() -> None:
    program = made(small_games.HEAP)
    found = solve(program)
    assert found is not None
    assert (found.states, found.value) == (42, 1.0)
    for seed in range(3):
        assert Minimax(program).choose(program.new(0).view(0), seed)["action"] == 0
    with pytest.raises(GameError, match="states with a object in them cannot be told apart; give the game key"):
        made(
            small_games.HEAP.replace(
                "self.heap, self.current_player =", "self.it = object()\n        self.heap, self.current_player ="
            )
        ).new(0).key()


def test_keys_are_equal_for_equal_states_only() -> None:
    table = made(small_games.TAKE).new(0)
    for left, right in (
        ({1: 2}, {"1": 2}),
        ({1, 2}, {1, 3}),
        ([1], [1.5]),
        (random.Random(1), random.Random(2)),
        (b"a", b"b"),
        (np.random.default_rng(1), np.random.default_rng(2)),
        (range(3), range(4)),
        (len, sorted),
        (functools.partial(int), functools.partial(float)),
    ):
        keys = []
        for value in (left, left, right):
            table.env.more = value
            keys.append(table.key())
        assert keys[0] == keys[1]
        assert keys[0] != keys[2], (left, right)
    table.env.more = [table.env]
    with pytest.raises(GameError, match="holds itself"):
        table.key()


def test_what_is_replayed_must_come_out_the_same() -> None:
    drawn = made(small_games.COIN.replace("def view(", "def other_view(").replace("def resample(", "def other("))
    refused = 0
    for seed in range(20):
        table = drawn.new(seed)
        table.say(1)
        try:
            again = drawn.resample(table.view(1), np.random.default_rng(seed))
        except GameError as error:
            refused += "the same moves lead elsewhere" in str(error)
        else:
            assert again.view(1) == table.view(1)
    assert 3 < refused < 17, "heads and tails"


def test_a_certain_draw_is_better_than_what_looks_lost() -> None:
    search = Search(made(small_games.AGAIN), Settings(simulations=1))
    view = made(small_games.AGAIN).new(0).view(0)
    search.choose(view, 0)
    root = search.root
    assert root is not None
    root.counts, root.totals, root.settled, root.proven = [6.0, 10.0], [0.0, -4.0], {0: 0.0}, None
    assert search.best_place(root, np.random.default_rng(0)) == 0
    root.totals = [0.0, 4.0]
    assert search.best_place(root, np.random.default_rng(0)) == 1


def test_a_tree_is_kept_for_the_same_game_only() -> None:
    program = made(small_games.TAKE)
    search = Search(program, Settings(simulations=100))
    first, other = program.new(0), program.new(0)
    first.say(0)
    search.choose(first.view(1), 0)
    for action in (2, 0, 0):
        other.say(action)
    fresh = Search(program, Settings(simulations=100)).choose(other.view(1), 0)
    assert search.choose(other.view(1), 0) == fresh, "7 stones are left, not 9"


def test_a_solution_knows_no_limit_of_moves() -> None:
    program = Program(small_games.TAKE, max_turns=2)
    found = solve(program)
    assert found is not None
    table = program.new(0)
    table.say(2)
    assert found.values(table) == {0: 1.0, 1: 1.0, 2: 1.0}
    assert found.best(program.new(0)) == [2]


def test_a_search_weighs_chance() -> None:
    program = made(small_games.COIN)
    solution = solve(program)
    assert solution is not None
    wrong = 0
    for seed in range(10):
        rng, table = random.Random(seed), program.new(seed)
        for _ in range(4):
            table.say(rng.choice(table.legal()))
        chosen = Search(program, Settings(simulations=400)).choose(table.view(0), seed)
        best = max(solution.values(table).values())
        wrong += solution.values(table)[chosen["action"]] < best - 0.1
    assert wrong <= 1


def test_equal_seeds_give_equal_choices_and_temperature_draws() -> None:
    program = made(small_games.COIN)
    view = program.new(0).view(0)
    for settings in (Settings(simulations=60), Settings(simulations=60, temperature=1)):
        first, second = (Search(program, settings).choose(view, 9) for _ in range(2))
        assert first == second
    drawn = {
        Search(program, Settings(simulations=20, temperature=1)).choose(view, seed)["action"] for seed in range(20)
    }
    assert drawn == {0, 1}


def test_a_time_limit_ends_a_search() -> None:
    program = made(small_games.COIN)
    assert (Settings().simulations, Settings(time=1).simulations, Settings(simulations=5, time=1).simulations) == (
        200,
        None,
        5,
    )
    chosen = Search(program, Settings(time=0.02)).choose(program.new(0).view(0), 0)
    assert 0 < chosen["simulations"] < 10**6


def test_bad_settings_and_networks_are_refused() -> None:
    program = made(small_games.TAKE)
    with pytest.raises(ValueError, match="mode must be one of puct, rollout, got 'best'"):
        Search(program, Settings(mode="best"))
    with pytest.raises(ValueError, match="at least 1"):
        Search(program, Settings(simulations=0))
    with pytest.raises(ValueError, match=r"the game 4 and 3; train one for this game"):
        Search(program, Settings(), network(made(small_games.COIN)))


@pytest.mark.parametrize("winner", [-1, 2, "first", True, float("inf"), []])
def test_a_winner_is_a_player_or_none(winner: Any) -> None:
    source = small_games.STOP_OR_GUESS.replace("None if stage == 0", f"{winner!r} if stage == 0").replace(
        "inf", "1e999"
    )
    table = made(source).new(0)
    with pytest.raises(GameError, match=re.escape("winner'] must be 0 or 1, or None for a draw, got ")):
        table.say(0)


@pytest.mark.parametrize(
    ("starts", "other", "winner", "first"),
    [
        ("0", "1 - self.current_player", "me", 0),
        ("1", "1 - self.current_player", "me", 1),
        ("int(self.np_random.integers(2))", "1 - self.current_player", "me", None),
        ("1", "3 - self.current_player", "me", 0),
        ("2", "3 - self.current_player", "me", 1),
        ("-1", "-self.current_player", "me", 1),
        ("'X'", "'O' if self.current_player == 'X' else 'X'", "me", 0),
        ("True", "not self.current_player", "int(me)", 1),
        ("1", "3 - self.current_player", "None", 0),
    ],
)
def test_seats_are_the_players_as_the_game_calls_them(starts: str, other: str, winner: str, first: int | None) -> None:
    source = (
        small_games.TAKE.replace(
            "self.stones, self.current_player = 11, 1", f"self.stones, self.current_player = 11, {starts}"
        )
        .replace(
            "        self.current_player = 3 - self.current_player\n",
            f"        me = self.current_player\n        self.current_player = {other}\n",
        )
        .replace(
            "int(won), won, False, {}",
            f"0 if {winner} is None else int(won), won, False, {{'winner': {winner}}} if won else {{}}",
        )
    )
    program = made(source)
    begins = set()
    for seed in range(20):
        table = program.new(seed)
        begins.add(table.seat)
        if first is None and seed:
            assert table.seat == table.env.current_player
        seats = []
        for action in (2, 2, 2, 1):
            seats.append(table.seat)
            table.play(action)
        assert seats == [table.program.seat_of(program.new(seed).env, 0), 1 - seats[0]] * 2
        assert table.result == ("draw" if winner == "None" else ("first", "second")[seats[-1]])
    assert begins == ({0, 1} if first is None else {first})


def test_a_winner_who_has_not_the_reward_is_a_fault() -> None:
    source = small_games.TAKE.replace("won, False, {}", "won, False, {'winner': self.current_player} if won else {}")
    table = made(source).new(0)
    for action in (2, 2, 2):
        table.play(action)
    with pytest.raises(GameError, match=r"info\['winner'\] is 1, but the other player has the reward 1"):
        table.play(1)


def test_a_count_of_moves_is_no_acting_player() -> None:
    source = small_games.TAKE.replace("self.current_player = 3 - self.current_player", "self.turn += 1").replace(
        "self.stones, self.current_player = 11, 1", "self.stones, self.turn = 3, 0"
    )
    assert made(source).player == ""
    table = made(source).new(0)
    seats = []
    for _ in range(3):
        seats.append(table.seat)
        table.play(0)
    assert seats == [0, 1, 0]
    assert table.result == "first"


@pytest.mark.parametrize(
    "moves",
    [
        "np.flatnonzero([True] * min(3, self.stones))",
        "tuple(range(min(3, self.stones)))",
        "list(np.arange(min(3, self.stones)))",
    ],
)
def test_legal_moves_may_be_any_row_of_whole_numbers(moves: str) -> None:
    source = small_games.TAKE.replace("[action for action in range(3) if action < self.stones]", moves)
    program = made(source)
    view = program.new(0).view(0)
    assert [type(action) for action in view["legal"]] == [int] * 3
    chosen = Search(program, Settings(simulations=50)).choose(view, 0)
    assert type(chosen["action"]) is int


def test_attributes_named_like_extensions_are_none() -> None:
    source = small_games.TAKE.replace(
        "self.stones, self", "self.key, self.chance, self.view, self.clone = 1, 2, 3, 4; self.stones, self"
    )
    program = made(source)
    assert (program.keys, program.chances, program.views) == (False, False, False)
    assert solve(program).value == 1


def test_the_acting_player_is_found_and_extra_turns_are_kept_apart() -> None:
    program = Program(small_games.AGAIN, zero_reward="loss")
    assert program.player == "player"
    table = program.new(0)
    table.play(1)  # 2: even, moves again
    assert table.seat == 0
    for action in (1, 1, 1, 1):
        assert table.seat == 0
        table.play(action)
    assert table.result == "second"
    assert Program(small_games.TAKE).player == "current_player"
    assert Program(small_games.TAKE.replace("current_player", "who")).player == ""


def test_broken_programs_are_named() -> None:
    for source, reason in (
        ("1 +", "SyntaxError"),
        ("x = 1", "KeyError: 'CustomEnv'"),
        ("class CustomEnv:\n    def __init__(self): raise OSError('no disk')", "OSError: no disk"),
    ):
        with pytest.raises(GameError, match=reason):
            Program(source)
    table = made(small_games.TAKE.replace("int(won)", "float('nan') if won else 0")).new(0)
    for action in (2, 2, 2):
        table.play(action)
    with pytest.raises(GameError, match="a reward must be a number, got nan"):
        table.play(1)
    assert table.result is None


def test_observations_are_scaled() -> None:
    bounded, endless = made(small_games.TAKE), made(small_games.AGAIN)
    assert bounded.new(0).encoded().tolist() == [1, 1, 0, 0]
    table = endless.new(0)
    table.play(0)
    assert table.encoded().tolist() == [0.75, 1, 1, np.float32(0.01)]


def test_leaves_judged_together_make_a_tree_as_good() -> None:
    """The books balance: what was counted on the way to a state that waits has been taken back."""
    program = made(small_games.TAKE)
    known = network(program)
    for leaves in (1, 4, 16):
        search = Search(program, Settings(simulations=300, leaves=leaves), known)
        chosen = search.choose(program.new(0).view(0), 5)
        assert chosen["action"] == 2
        assert chosen["simulations"] <= 300
        todo = [search.root]
        while todo:
            node = todo.pop()
            assert node is not None
            for place, action in enumerate(node.actions):
                child = node.children.get(action)
                opened, visits = child is not None and bool(child.actions), node.visits(place)
                below = child.tried if opened else 0
                assert abs(node.totals[place]) <= visits + 1e-6
                assert visits >= below
                assert not opened or visits <= below + 1 or child.proven is not None
                assert place in node.settled or not visits or node.means[place] == node.totals[place] / visits
            if node.actions:
                assert node.tried == sum(map(node.visits, range(len(node.actions))))
            todo += node.children.values()


@pytest.mark.parametrize("source", [small_games.GUESS, small_games.COIN])
def test_leaves_are_judged_together_where_something_is_hidden(source: str) -> None:
    program = made(source)
    table = program.new(0)
    if source is small_games.GUESS:
        table.say(2)
    view = table.view(table.seat)
    known = network(program)
    one, many = (Search(program, Settings(simulations=400, leaves=leaves), known).choose(view, 3) for leaves in (1, 8))
    assert sum(many["visits"].values()) == many["simulations"] == 400
    assert many["value"] == pytest.approx(one["value"], abs=0.15)


def test_environments_are_copies_of_one_that_was_built_where_that_is_the_same() -> None:
    plain = made(small_games.TAKE)
    first, second = plain.built(), plain.built()
    assert first is not second
    assert first.observation_space is second.observation_space

    def with_attribute(lines: str, before: str = "") -> Any:
        source = small_games.TAKE.replace(
            "        self.action_space = Discrete(3)\n", f"        self.action_space = Discrete(3)\n        {lines}\n"
        )
        return made(before + source)

    own = with_attribute("self.board = [[0], {1: 2}, np.zeros(3)]")
    one, other = own.built(), own.built()
    one.board[0][0], one.board[2][0] = 7, 7
    assert other.board[0] == [0]
    assert not other.board[2].any()
    shared = with_attribute("self.board, self.nobody = BOARD, NOBODY", "NOBODY, BOARD = object(), [1]\n").built()
    module = shared.reset.__globals__
    assert shared.board is module["BOARD"]
    assert shared.nobody is module["NOBODY"]
    counted = with_attribute(
        "BUILT.append(1); self.me = self; self.it = object()", "BUILT = []\n"
    )  # holds itself and what only identity tells apart: it is built anew each time
    built = counted.built()
    before = len(built.reset.__globals__["BUILT"])
    again = counted.built()
    assert again.me is again
    assert len(built.reset.__globals__["BUILT"]) == before + 1
