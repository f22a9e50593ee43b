"""An opponent inside the game is found by play, whatever its methods are called, and named as what it is."""

import pytest

from interactive_envs.novel_games.admission import check, describe, find_answers
from interactive_envs.novel_games.folder import own, own_names
from interactive_envs.novel_games.probing.random_games import fuzz
from tests.novel_games import small_games
from tests.novel_games.test_admission import foreign
from tests.novel_games.variants import SHY, UNNAMED

HEAD = """
import gymnasium as gym
import numpy as np
from gymnasium import spaces
"""

STRIP = (
    HEAD
    + """

class CustomEnv(gym.Env):
    # Three in a row on a strip; the other side's mark falls on a free field after each of yours
    def __init__(self):
        self.action_space = spaces.Discrete(12)
        self.observation_space = spaces.Box(-1, 1, (12,), np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.board = np.zeros(12, dtype=np.float32)
        return self.board.copy(), {}

    def _three(self, mark):
        return any((self.board[i : i + 3] == mark).all() for i in range(10))

    def _settle(self):
        free = np.flatnonzero(self.board == 0)
        self.board[free[int(self.np_random.integers(len(free)))]] = -1

    def step(self, action):
        if self.board[action] != 0:
            return self.board.copy(), -10, True, False, {}
        self.board[action] = 1
        if self._three(1):
            return self.board.copy(), 1, True, False, {}
        self._settle()
        lost = self._three(-1)
        return self.board.copy(), -1 if lost else 0, bool(lost or self.board.all()), False, {}

    def render(self):
        return str(self.board)

    def valid_moves(self):
        return [i for i in range(12) if self.board[i] == 0]
"""
)

RACE = (
    HEAD
    + """

class CustomEnv(gym.Env):
    # Race to 21 by 1 to 3, and so does the house
    def __init__(self):
        self.action_space = spaces.Discrete(3)
        self.observation_space = spaces.Box(0, 30, (1,), np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.total = 0
        return self._seen(), {}

    def _seen(self):
        return np.array([self.total], dtype=np.float32)

    def step(self, action):
        self.total += action + 1
        if self.total >= 21:
            return self._seen(), 1, True, False, {}
        self.total += int(self.np_random.integers(1, 4))
        lost = self.total >= 21
        return self._seen(), -1 if lost else 0, lost, False, {}

    def render(self):
        return f"total {self.total}"

    def valid_moves(self):
        return [0, 1, 2]
"""
)

DUEL = (
    HEAD
    + """

class CustomEnv(gym.Env):
    # A fight with a troll that strikes back
    def __init__(self):
        self.action_space = spaces.Discrete(2)
        self.observation_space = spaces.Box(-10, 30, (2,), np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.health, self.enemy_health = 20, 20
        return self._seen(), {}

    def _seen(self):
        return np.array([self.health, self.enemy_health], dtype=np.float32)

    def step(self, action):
        self.enemy_health -= 3 if action == 0 else int(self.np_random.integers(0, 7))
        if self.enemy_health <= 0:
            return self._seen(), 1, True, False, {}
        self.health -= int(self.np_random.integers(1, 6))
        lost = self.health <= 0
        return self._seen(), -1 if lost else 0, lost, False, {}

    def render(self):
        return f"you {self.health}, the troll {self.enemy_health}"

    def valid_moves(self):
        return [0, 1]
"""
)

WALK = (
    HEAD
    + """

class CustomEnv(gym.Env):
    # Two walkers on a lane of 15: who is first at the other's end wins; both walk in one step
    def __init__(self):
        self.action_space = spaces.Discrete(2)
        self.observation_space = spaces.Box(0, 2, (15,), np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.lane = [1] + [0] * 13 + [2]
        return np.array(self.lane, dtype=np.float32), {}

    def _walk(self, mark, way):
        here = self.lane.index(mark)
        there = here + way
        if 0 <= there < 15 and self.lane[there]:
            there += 1 if way > 0 else -1
        if not 0 <= there < 15:
            return True
        self.lane[here], self.lane[there] = 0, mark
        return False

    def step(self, action):
        if self._walk(1, action + 1):
            return np.array(self.lane, dtype=np.float32), 1, True, False, {}
        lost = self._walk(2, -1 - int(self.np_random.integers(2)))
        return np.array(self.lane, dtype=np.float32), -1 if lost else 0, lost, False, {}

    def render(self):
        return "".join(".AB"[cell] for cell in self.lane)

    def valid_moves(self):
        return [0, 1]
"""
)

LAST = (
    UNNAMED
    + """

class CustomEnv(CustomEnv):
    def step(self, action):
        told = super().step(action)
        return told if told[2] else super().step(self.valid_moves()[-1])
"""
)


@pytest.mark.parametrize(
    ("source", "words", "sure"),
    [
        (STRIP, "one step puts marks of two kinds on board, and whoever moves puts the same one", True),
        (LAST, "one step puts marks of two kinds on board, and whoever moves puts the same one", True),
        (WALK, "one step puts marks of two kinds on lane, nothing tells whose turn it is", True),
        (DUEL, "there is enemy_health, nothing tells whose turn it is, and moves both win and lose", True),
        (RACE, "nothing tells whose turn it is, and moves both win and lose", False),
    ],
    ids=["strip", "deterministic", "walkers", "duel", "race"],
)
def test_an_opponent_inside_the_game_is_found_by_play(source, words, sure):
    text, found = find_answers(fuzz(source, {"games": 40}))
    assert words in text
    assert found == sure


@pytest.mark.parametrize(
    "source", [SHY, UNNAMED, small_games.TAKE, small_games.AGAIN, small_games.HEAP, small_games.COIN]
)
def test_seats_that_take_turns_are_no_opponent_inside(source):
    assert find_answers(fuzz(source, {"games": 40})) == ("", False)


@pytest.mark.every(10)
@pytest.mark.parametrize("name", own_names())
def test_games_of_the_package_hold_no_opponent(name):
    """Their boards are lists that grow and shrink, arrays, and tuples of tuples."""
    game = own(name)
    assert find_answers(fuzz(game.source, {**game.options, "games": 12})) == ("", False)


def test_a_board_of_arrays_is_followed():
    rows = SHY.replace(
        "self.board = [0] * (ROWS * COLUMNS)", "self.rows = [np.zeros(2)]\n        self.board = [0] * 12"
    )
    assert find_answers(fuzz(rows, {"games": 12})) == ("", False)


@pytest.mark.parametrize(("source", "verdict"), [(STRIP, "refuse"), (RACE, "flag")], ids=["strip", "race"])
def test_what_the_opponent_draws_is_never_called_mere_chance(source, verdict, tmp_path):
    found = check(foreign(tmp_path / "game", source, "chance = true"))
    kinds = {reason.kind: reason.verdict for reason in found.reasons}
    assert kinds["built-in opponent"] == verdict, describe(found)
    assert "chance" not in kinds
