"""Games small enough to be worked out by hand, as foreign authors write them."""

from __future__ import annotations

TAKE = '''
import numpy as np
from gymnasium import Env
from gymnasium.spaces import Box, Discrete

class CustomEnv(Env):
    """Take 1 to 3 of the stones; who takes the last one wins."""

    def __init__(self):
        self.action_space = Discrete(3)
        self.observation_space = Box(0, 11, (1,), np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.stones, self.current_player = 11, 1
        return np.array([self.stones], np.float32), {}

    def step(self, action):
        self.stones -= action + 1
        won = self.stones == 0
        self.current_player = 3 - self.current_player
        return np.array([self.stones], np.float32), int(won), won, False, {}

    def valid_moves(self):
        return [action for action in range(3) if action < self.stones]

    def render(self):
        return f"stones: {self.stones}"
'''
"""With perfect play the first seat wins from 11; 4, 8 are lost for the seat to move."""

COIN = '''
import numpy as np
from gymnasium import Env
from gymnasium.spaces import Box, Discrete

class CustomEnv(Env):
    """Keep 1 point, or toss: heads brings 3, tails 0; three turns each, more points win."""

    def __init__(self):
        self.action_space = Discrete(2)
        self.observation_space = Box(0, 9, (3,), np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.points, self.turn, self.current_player, self.winner = [0, 0], 0, 0, None
        return self._seen(), {}

    def _seen(self):
        return np.array([*self.points, self.turn], np.float32)

    def _after(self, gain):
        self.points[self.current_player] += gain
        self.turn += 1
        self.current_player = 1 - self.current_player

    def step(self, action):
        mover = self.current_player
        self._after(1 if action == 0 else 3 * int(self.np_random.integers(2)))
        first, second = self.points
        over = self.turn == 6
        if over and first != second:
            self.winner = int(second > first)
        reward = 0 if self.winner is None else 1 if self.winner == mover else -1
        return self._seen(), reward, over, False, {"winner": self.winner} if over else {}

    def valid_moves(self):
        return [] if self.turn == 6 else [0, 1]

    def move_name(self, action):
        return ("keep", "toss")[action]

    def render(self):
        return f"points: {self.points[0]} {self.points[1]}, turn {self.turn}"

    def clone(self):
        other = CustomEnv()
        other.reset(seed=0)
        other.points, other.turn = [*self.points], self.turn
        other.current_player, other.winner = self.current_player, self.winner
        return other

    def key(self):
        return (*self.points, self.turn)

    def view(self, player):
        return {"player": player, "board": self.render(), "observation": self._seen().tolist(),
                "points": self.points, "turn": self.turn}

    def resample(self, view, rng):
        super().reset(seed=int(rng.integers(2**31)))
        self.points, self.turn, self.current_player = [*view["points"]], view["turn"], view["turn"] % 2
        first, second = self.points
        self.winner = int(second > first) if self.turn == 6 and first != second else None

    def chance(self, action):
        made = []
        for chance, gain in [(1, 1)] if action == 0 else [(0.5, 0), (0.5, 3)]:
            other = self.clone()
            other._after(gain)
            first, second = other.points
            if other.turn == 6 and first != second:
                other.winner = int(second > first)
            made.append((chance, other))
        return made
'''
"""Chance without secrets."""

GUESS = '''
import numpy as np
from gymnasium import Env
from gymnasium.spaces import Box, Discrete

class CustomEnv(Env):
    """First hides a coin in one of four boxes, Second opens one: finding it wins."""

    def __init__(self):
        self.action_space = Discrete(4)
        self.observation_space = Box(0, 1, (5,), np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.hidden, self.current_player, self.over = None, 0, False
        return self._seen(0), {}

    def _seen(self, player):
        seen = np.zeros(5, np.float32)
        seen[4] = self.current_player
        if player == 0 and self.hidden is not None:
            seen[self.hidden] = 1
        return seen

    def step(self, action):
        if self.current_player == 0:
            self.hidden, self.current_player = action, 1
            return self._seen(1), 0, False, False, {}
        self.over = True
        won = action == self.hidden
        return self._seen(1), 1 if won else -1, True, False, {"winner": 1 if won else 0}

    def valid_moves(self):
        return [] if self.over else [0, 1, 2, 3]

    def render(self):
        return "four boxes"

    def view(self, player):
        return {"player": player, "board": "four boxes", "observation": self._seen(player).tolist(),
                "hidden": self.hidden if player == 0 else None, "log": ["hides"] if self.current_player else [],
                "mover": self.current_player, "over": self.over}

    def resample(self, view, rng):
        self.current_player, self.over, self.hidden = view["mover"], view["over"], view["hidden"]
        if self.hidden is None and self.current_player == 1:
            self.hidden = int(rng.integers(4))
'''
"""A secret choice: nobody can do better than one in four."""

AGAIN = '''
from gymnasium import Env
from gymnasium.spaces import Box, Discrete
import numpy as np

class CustomEnv(Env):
    """Count to 10 by 1 or 2; who counts an even number moves again; who reaches 10 loses and gets reward 0."""

    def __init__(self):
        self.action_space = Discrete(2)
        self.observation_space = Box(-np.inf, np.inf, (1,), np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.count, self.player = 0, "X"
        return np.array([0], np.float32), {}

    def step(self, action):
        self.count += action + 1
        if self.count % 2:
            self.player = "O" if self.player == "X" else "X"
        over = self.count >= 10
        return np.array([self.count], np.float32), 0, over, False, {}

    def valid_moves(self):
        return [0, 1]

    def render(self):
        return str(self.count)
'''
"""Extra turns, and a loser by an own move who gets nothing."""

STOP_OR_GUESS = '''
from gymnasium import Env
from gymnasium.spaces import Box, Discrete
import numpy as np

class CustomEnv(Env):
    """First stops, a draw, or lets Second hide a coin in one of four boxes, of which First opens one to win."""

    def __init__(self):
        self.action_space = Discrete(4)
        self.observation_space = Box(0, 2, (1,), np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.stage, self.coin, self.current_player = 0, None, 0
        return np.array([0], np.float32), {}

    def step(self, action):
        stage, self.stage = self.stage, self.stage + 1
        self.current_player = int(stage == 0)
        if stage == 1:
            self.coin = action
        over = stage == 2 or (stage == 0 and action == 0)
        told = {"winner": None if stage == 0 else int(action != self.coin)} if over else {}
        return np.array([min(self.stage, 2)], np.float32), 0, over, False, told

    def valid_moves(self):
        return [0, 1] if self.stage == 0 else [0, 1, 2, 3]

    def view(self, player):
        return {"player": player, "board": f"stage {self.stage}", "observation": [min(self.stage, 2)],
                "stage": self.stage, "coin": self.coin if player == 1 else None}

    def resample(self, view, rng):
        self.stage, self.coin, self.current_player = view["stage"], view["coin"], int(view["stage"] == 1)
        if self.coin is None and self.stage == 2:
            self.coin = int(rng.integers(4))
'''
"""Whoever could see the coin would let it be hidden; who cannot, stops."""

HEAP = '''
from gymnasium import Env
from gymnasium.spaces import Box, Discrete
import numpy as np

class Heap:
    def __init__(self, stones):
        self.stones = stones

class CustomEnv(Env):
    """Take 1 to 3 of the stones, which lie in an object; who takes the last one wins."""

    def __init__(self):
        self.action_space = Discrete(3)
        self.observation_space = Box(0, 21, (1,), np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.heap, self.current_player = Heap(21), 0
        return np.array([21], np.float32), {}

    def step(self, action):
        self.heap.stones -= action + 1
        self.current_player = 1 - self.current_player
        won = self.heap.stones == 0
        return np.array([self.heap.stones], np.float32), int(won), won, False, {}

    def valid_moves(self):
        return [action for action in range(3) if action < self.heap.stones]

    def render(self):
        return f"stones: {self.heap.stones}"
'''
"""With perfect play the first seat wins; 42 states: 21 for each seat to move but the first two of one, and two ends."""
