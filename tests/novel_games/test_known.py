"""Known games are found by how they play, whatever their positions are made of."""

import itertools
from pathlib import Path

import pytest

from interactive_envs.novel_games.host.adapter import Program
from interactive_envs.novel_games.probing.known import (
    Shapes,
    _sums,
    known_endings,
    known_games,
    number_of,
    sums_of_heaps,
    written,
)
from interactive_envs.novel_games.probing.opening import quick_win
from interactive_envs.novel_games.probing.stages import exact
from interactive_envs.novel_games.search.exact import solve
from tests.novel_games import small_games
from tests.novel_games.variants import SHY, VARIANTS


def houses(most: int, last: int, limits: tuple[int, ...] = (), **lamps: int) -> Program:
    """Nim with an attribute for each heap: from 1 to so many lamps of one house; the last one is worth so much."""
    start = "; ".join(f"self.{name} = {count}" for name, count in lamps.items())
    return Program(f"""
import gymnasium as gym
import numpy as np
from gymnasium import spaces

NAMES = {[*lamps]!r}


class CustomEnv(gym.Env):
    def __init__(self):
        self.action_space = spaces.Discrete(len(NAMES) * {most})
        self.observation_space = spaces.Box(0, 50, (len(NAMES) + 1,), np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        {start}; self.current_player = 1
        return self._seen(), {{}}

    def _seen(self):
        return np.array([*(getattr(self, name) for name in NAMES), self.current_player], np.float32)

    def step(self, action):
        house, lamps = divmod(action, {most})
        setattr(self, NAMES[house], getattr(self, NAMES[house]) - lamps - 1)
        self.current_player = 3 - self.current_player
        over = not self.valid_moves()
        return self._seen(), {last} * over, over, False, {{}}

    def render(self):
        return str(self._seen())

    def valid_moves(self):
        most = {limits or (most,) * len(lamps)}
        return [h * {most} + n for h, name in enumerate(NAMES) for n in range(min(most[h], getattr(self, name)))]
""")


@pytest.mark.parametrize(
    ("most", "last", "lamps", "name"),
    [
        (9, 1, {"mill": 5, "ferry": 3, "inn": 4}, "Nim with heaps of 3, 4 and 5"),
        (9, -1, {"mill": 3, "ferry": 5, "inn": 3}, "Nim with heaps of 3, 3 and 5, where the last move loses"),
        (3, 1, {"mill": 7, "ferry": 9}, "Nim with heaps of 7 and 9 with 1 to 3 taken"),
        (2, -1, {"a": 2, "b": 4, "c": 5}, "Nim with heaps of 2, 4 and 5 with 1 or 2 taken, where the last move loses"),
        (4, 1, {"count": 21}, "Nim with a heap of 21 with 1 to 4 taken"),
    ],
)
def test_heaps_in_separate_attributes_are_nim(most, last, lamps, name):
    solution = solve(houses(most, last, **lamps))
    assert known_games(solution) == [name]


def test_each_heap_may_have_a_rule_of_its_own():
    mixed = houses(5, 1, limits=(2, 5, 1), mill=6, ferry=5, inn=3)
    assert known_games(solve(mixed)) == ["Nim with heaps of 3 (1 taken), 5 (1 to 5 taken) and 6 (1 or 2 taken)"]


def test_nim_that_is_too_large_to_be_solved_is_known_by_its_endings():
    found = known_endings(houses(9, 1, a=5, b=6, c=7, d=8, e=9))
    assert len(found) == 3
    assert all(name.startswith("Nim with ") for name in found)


@pytest.mark.parametrize("source", [pytest.param(SHY, marks=pytest.mark.long), small_games.AGAIN, small_games.COIN])
def test_other_games_are_no_heaps(source):
    solution = solve(Program(source))
    assert solution is None or known_games(solution) == []
    assert not Program(source).chances or solution is None or solution.last_first() is None


def test_sums_of_heaps_have_the_values_of_bouton_and_numbers_of_their_own():
    """Bouton 1901: the mover loses where the sizes add to 0 without carrying."""
    shapes = Shapes()
    numbers = {}
    for heaps in itertools.combinations_with_replacement(range(1, 5), 3):
        if heaps[-1] == 1:  # single ones only count moves
            continue
        program = houses(5, 1, **dict(zip("abc", heaps, strict=True)))
        solution = solve(program)
        assert (solution.value == -1) == (heaps[0] ^ heaps[1] ^ heaps[2] == 0)
        number = number_of(shapes, solution)
        assert (f"Nim with heaps of {heaps[0]}, {heaps[1]} and {heaps[2]}", number) in sums_of_heaps(shapes, number)
        numbers[heaps] = number
    assert len({*numbers.values()}) == len(numbers)


def test_a_game_that_is_written_down_gets_the_number_of_its_play():
    shapes = Shapes()
    one = written(
        shapes, (3,), lambda at: [(at[0] - 1,), (at[0] - 2,)] if at[0] > 1 else [(0,)] if at[0] else [], "won"
    )
    solution = solve(houses(2, 1, count=3))
    assert number_of(shapes, solution) == one
    assert shapes.longest[one] == 3


def test_a_win_from_the_start_is_seen_with_and_without_the_solution():
    for name, plies, seat in (("a first move that wins", 1, 0), ("a win in three moves", 3, 0)):
        program = Program(VARIANTS[name][0])
        found = quick_win(program, certain=True)
        assert (found["plies"], found["seat"]) == (plies, seat)
        assert solve(program).plies == plies
    assert quick_win(Program(VARIANTS["a first move that wins"][0]), certain=True)["move"] == "7"
    unsolved = exact(VARIANTS["a win in three moves"][0], {"states": 50, "seconds": 0.1})
    assert (unsolved["solved"], unsolved["opening"]["plies"]) == (False, 3)


def test_a_second_seat_that_wins_whatever_first_does():
    found = quick_win(houses(3, 1, a=1, b=1), certain=True)
    assert (found["plies"], found["seat"], found["move"]) == (2, 1, "")
    assert quick_win(houses(3, 1, a=9, b=8), certain=True)["plies"] == 0


def test_of_games_with_chance_only_a_win_at_once_is_told():
    """Of longer ones a copy would know what the seat does not."""
    kept = "if mover == 0 and action == 0:\n            over, self.winner = True, 0\n        "
    won = small_games.COIN.replace("reward = 0 if", f"{kept}reward = 0 if")
    assert quick_win(Program(won), certain=False) == {"plies": 1, "seat": 0, "move": "keep"}
    assert quick_win(Program(small_games.COIN), certain=False)["plies"] == 0


def test_best_play_that_never_ends_is_told_by_the_solution():
    fixture = Path(__file__).parent / "fixtures" / "goes-on-for-ever" / "game.py"
    solution = solve(Program(fixture.read_text()))
    assert (solution.value, solution.endless, solution.plies) == (0, True, 0)
    stops = solve(
        Program(fixture.read_text().replace("if self.stone == 3", "if self.stone == 6").replace("-1, True", "0, True"))
    )
    assert (stops.value, stops.endless) == (0, False)


@pytest.mark.timeout(100)
def test_sums_of_many_large_heaps_are_listed_at_once():
    found = list(_sums(150, [9, 8, 7, 6, 5, 4]))
    assert len({*found}) == len(found) > 100
    assert all(sum(size for size, _ in heaps) == 150 for heaps in found)
    assert {(3, 3), (5, 5)} == {*next(iter(_sums(11, [5, 3])))}


def facts_of(name: str) -> dict[str, object]:
    source = (Path(__file__).parent / "fixtures" / name / "game.py").read_text("utf-8")
    return exact(source, {"seconds": 0.01})


def test_a_small_race_is_solved_and_its_formula_found():
    """Who counts to 30 by steps of 1 to 4 loses what Nim with one heap loses: the start is a multiple of 5."""
    found = facts_of("counting-race")
    assert (found["solved"], found["states"], found["value"]) == (True, 60, -1.0)
    assert found["known"] == ["Nim with a heap of 30 with 1 to 4 taken"]
    assert found["formulas"] == ["count modulo 5 tells who wins"]


def test_a_disguised_nim_is_solved_and_called_by_its_name():
    """4 xor 5 xor 6 is 7, so the first seat wins by leaving a sum of 0: from each heap that holds its highest digit."""
    found = facts_of("nim-in-disguise")
    assert (found["solved"], found["value"]) == (True, 1.0)
    assert len(found["best"]) == 3
    assert found["known"] == ["Nim with heaps of 4, 5 and 6"]
    assert found["formulas"] == ["the Nim sum of caves tells who wins"]
