import gymnasium
import numpy as np
from gymnasium import spaces

START_ROW = (3, 1, 2, 5, 6, 7, 4)
COSTS = (0, 1, 2, 3, 2, 1, 0)
LIMIT = 24
START_COINS = 4
NAMES = ("first", "second")
PANS = ("left", "right")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(14)
        self.observation_space = spaces.Box(-100.0, 100.0, shape=(60,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.row = list(START_ROW)
        self.tilt = 0
        self.marks = {0}
        self.coins = [START_COINS, START_COINS]
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        marked = [1.0 if t in self.marks else 0.0 for t in range(-LIMIT, LIMIT + 1)]
        rest = list(self.row) + [self.tilt, self.coins[0], self.coins[1], self.current_player]
        return np.array(marked + [float(x) for x in rest], dtype=np.float32)

    def _legal(self, action):
        slot, pan = divmod(action, 2)
        if self.coins[self.current_player] < COSTS[slot]:
            return False
        weight = self.row[slot]
        t = self.tilt + weight if pan == 0 else self.tilt - weight
        if t < -LIMIT or t > LIMIT or t in self.marks:
            return False
        m = self.marks
        if (t - 2 in m and t - 1 in m) or (t - 1 in m and t + 1 in m) or (t + 1 in m and t + 2 in m):
            return False
        return True

    def valid_moves(self):
        if self.done:
            return []
        return [a for a in range(14) if self._legal(a)]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done or not (0 <= action < 14) or not self._legal(action):
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        slot, pan = divmod(action, 2)
        weight = self.row.pop(slot)
        self.row.append(weight)
        self.coins[me] -= COSTS[slot]
        self.coins[1 - me] += COSTS[slot]
        self.tilt += weight if pan == 0 else -weight
        self.marks.add(self.tilt)
        self.current_player = 1 - me
        reward = 0.0
        info = {}
        if not self.valid_moves():
            self.done = True
            self.winner = me
            reward = 1.0
            info = {"winner": me}
        return self._obs(), reward, self.done, False, info

    def render(self):
        lines = [
            "row: " + " ".join(str(w) for w in self.row),
            "cost: " + " ".join(str(c) for c in COSTS),
            "tilt: " + str(self.tilt),
            "marked: " + " ".join(str(t) for t in sorted(self.marks)),
            "coins: first " + str(self.coins[0]) + ", second " + str(self.coins[1]),
        ]
        if self.done:
            lines.append("game over, winner: " + NAMES[self.winner])
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        slot, pan = divmod(int(action), 2)
        return "slot " + str(slot + 1) + " " + PANS[pan]

    def clone(self):
        new = CustomEnv()
        new.row = list(self.row)
        new.tilt = self.tilt
        new.marks = set(self.marks)
        new.coins = list(self.coins)
        new.current_player = self.current_player
        new.done = self.done
        new.winner = self.winner
        return new

    def key(self):
        return (self.current_player, tuple(self.row), self.tilt, tuple(sorted(self.marks)),
                tuple(self.coins), self.done, self.winner)
