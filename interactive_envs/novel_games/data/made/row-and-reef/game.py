import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

COST = (1, 2, 3, 2, 1)
LIFE = (60, 58)
ROUNDS = 20
SEAT = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(10)
        self.observation_space = Box(-100.0, 100.0, shape=(8,), dtype=np.float32)
        self._start()

    def _start(self):
        self.life = LIFE
        self.tide = 3
        self.closed = (0, 0)
        self.row = 0
        self.round = 1
        self.current_player = 0
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        p = self.current_player
        return np.array([self.life[p], self.life[1 - p], self.tide, self.closed[0],
                         self.closed[1], self.row, self.round, p], dtype=np.float32)

    def valid_moves(self):
        if self.over:
            return []
        if self.row == 0:
            return [n - 1 for n in range(1, 6) if n != self.closed[0]]
        return [n + 4 for n in range(1, 6) if n != self.closed[1]]

    def _resolve(self, leader, row, col):
        value = (row * col + self.tide) % 7
        life = list(self.life)
        life[leader] -= COST[row - 1]
        life[1 - leader] -= COST[col - 1]
        if value % 2 == 0:
            life[leader] -= value
        else:
            life[1 - leader] -= value
        self.life = tuple(life)
        self.tide = (self.tide + row + col) % 7
        self.closed = (row, col)
        self.row = 0
        a, b = self.life
        if a <= 0 or b <= 0:
            self.over = True
            if a == b:
                self.winner = 1 - leader
            else:
                self.winner = 0 if a > b else 1
        elif self.round == ROUNDS:
            self.over = True
            self.winner = 0 if a > b else 1
        else:
            self.round += 1
            self.current_player = (self.round - 1) % 2

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.over or action not in self.valid_moves():
            self.over = True
            self.winner = 1 - player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if self.row == 0:
            self.row = action + 1
            self.current_player = 1 - player
        else:
            self._resolve(1 - player, self.row, action - 4)
        if self.over:
            reward = 1.0 if self.winner == player else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = ["round %d of %d" % (self.round, ROUNDS)]
        lines.append("tide: %d" % self.tide)
        for r in range(1, 6):
            lines.append("row %d: %s" % (r, " ".join(
                str((r * c + self.tide) % 7) for c in range(1, 6))))
        lines.append("closed row: %s" % (self.closed[0] or "none"))
        lines.append("closed column: %s" % (self.closed[1] or "none"))
        lines.append("chosen row: %s" % (self.row or "none"))
        lines.append("life: first %d, second %d" % self.life)
        lines.append("to move: %s, choose a %s" % (
            SEAT[self.current_player], "row" if self.row == 0 else "column"))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < 5:
            return "row %d" % (action + 1)
        return "column %d" % (action - 4)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        return other

    def key(self):
        return (self.life, self.tide, self.closed, self.row, self.round,
                self.current_player, self.over, self.winner)
