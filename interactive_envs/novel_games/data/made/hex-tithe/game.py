import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

START = (2, 4, 1, 3, 4, 0, 1, 2, 3, 4, 3, 0, 2, 4, 1)
COST = (3, 4, 4, 4, 5, 4, 4, 5, 5, 4, 3, 4, 4, 4, 3)
MOD = 5
ENERGY = 13
NAMES = ("first", "second")

CELLS = [(r, c) for r in range(5) for c in range(r + 1)]
INDEX = {rc: i for i, rc in enumerate(CELLS)}
NEAR = []
for _r, _c in CELLS:
    _list = []
    for _dr, _dc in ((0, -1), (0, 1), (-1, -1), (-1, 0), (1, 0), (1, 1)):
        if (_r + _dr, _c + _dc) in INDEX:
            _list.append(INDEX[(_r + _dr, _c + _dc)])
    NEAR.append(tuple(_list))


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(15)
        self.observation_space = Box(low=-1.0, high=200.0, shape=(22,), dtype=np.float32)
        self._start()

    def _start(self):
        self.nums = list(START)
        self.open = [1] * 15
        self.energy = [ENERGY, ENERGY]
        self.tally = [0, 0]
        self.round = 1
        self.pending = -1
        self.history = []
        self.current_player = 0
        self.done = False
        self.winner = None

    def _obs(self, player):
        data = [self.nums[i] if self.open[i] else -1 for i in range(15)]
        own = self.pending + 1 if player == 0 else 0
        data += self.energy + self.tally + [self.round, self.current_player, own]
        return np.array(data, dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(0), {}

    def _moves_of(self, p):
        return [i for i in range(15) if self.open[i] and COST[i] <= self.energy[p]]

    def valid_moves(self):
        if self.done:
            return []
        return self._moves_of(self.current_player)

    def step(self, action):
        action = int(action)
        p = self.current_player
        if self.done or action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(p), -10.0, True, False, {"winner": 1 - p}
        if p == 0:
            self.pending = action
            self.current_player = 1
            return self._obs(1), 0.0, False, False, {}
        self._resolve(self.pending, action)
        self.pending = -1
        self.current_player = 0
        if self.done:
            reward = 1.0 if self.winner == 1 else 0.0
            return self._obs(0), reward, True, False, {"winner": self.winner}
        return self._obs(0), 0.0, False, False, {}

    def _resolve(self, x, y):
        self.history.append("round %d: first cell %d, second cell %d" % (self.round, x + 1, y + 1))
        self.energy[0] -= COST[x]
        self.energy[1] -= COST[y]
        self.open[x] = 0
        self.open[y] = 0
        if x != y:
            a, b = self.nums[x], self.nums[y]
            self.energy[0] += (a + 2 * b) % MOD
            self.energy[1] += (b + 2 * a) % MOD
            self.tally[0] += a
            self.tally[1] += b
            for cell, v in ((x, a), (y, b)):
                for n in NEAR[cell]:
                    if self.open[n]:
                        self.nums[n] = (self.nums[n] + v) % MOD
        self.round += 1
        can0 = bool(self._moves_of(0))
        can1 = bool(self._moves_of(1))
        if can0 and can1:
            return
        self.done = True
        if can0 != can1:
            self.winner = 0 if can0 else 1
        elif self.energy[0] != self.energy[1]:
            self.winner = 0 if self.energy[0] > self.energy[1] else 1
        elif self.tally[0] != self.tally[1]:
            self.winner = 0 if self.tally[0] > self.tally[1] else 1
        else:
            self.winner = 1

    def _text(self, player):
        lines = ["round: %d" % self.round]
        i = 0
        for r in range(5):
            parts = []
            for c in range(r + 1):
                parts.append(str(self.nums[i]) if self.open[i] else "x")
                i += 1
            lines.append("row %d: %s" % (r + 1, " ".join(parts)))
        lines.append("energy: first %d second %d" % (self.energy[0], self.energy[1]))
        lines.append("tally: first %d second %d" % (self.tally[0], self.tally[1]))
        if self.pending >= 0:
            if player == 0:
                lines.append("chosen: first has chosen cell %d" % (self.pending + 1))
            else:
                lines.append("chosen: first has chosen in secret")
        else:
            lines.append("chosen: nothing yet")
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def render(self):
        return self._text(self.current_player)

    def move_name(self, action):
        return "cell %d" % (int(action) + 1)

    def clone(self):
        e = CustomEnv.__new__(CustomEnv)
        e.__dict__.update(self.__dict__)
        e.nums = list(self.nums)
        e.open = list(self.open)
        e.energy = list(self.energy)
        e.tally = list(self.tally)
        e.history = list(self.history)
        return e

    def key(self):
        return (tuple(self.nums[i] if self.open[i] else -1 for i in range(15)), tuple(self.energy),
                tuple(self.tally), self.round, self.pending, self.current_player, self.done, self.winner)

    def view(self, player):
        player = int(player)
        log = list(self.history)
        if player == 0 and self.pending >= 0:
            log.append("round %d: you have chosen cell %d" % (self.round, self.pending + 1))
        return {
            "player": player,
            "board": self._text(player),
            "observation": [float(v) for v in self._obs(player)],
            "log": log,
            "state": {
                "nums": list(self.nums),
                "open": list(self.open),
                "energy": list(self.energy),
                "tally": list(self.tally),
                "round": self.round,
                "history": list(self.history),
                "current": self.current_player,
                "waiting": self.pending >= 0,
                "mine": self.pending if player == 0 else -1,
                "done": self.done,
                "winner": self.winner,
            },
        }

    def resample(self, view, rng):
        s = view["state"]
        self.nums = list(s["nums"])
        self.open = list(s["open"])
        self.energy = list(s["energy"])
        self.tally = list(s["tally"])
        self.round = s["round"]
        self.history = list(s["history"])
        self.current_player = s["current"]
        self.done = s["done"]
        self.winner = s["winner"]
        self.pending = -1
        if s["waiting"]:
            if view["player"] == 0:
                self.pending = s["mine"]
            else:
                options = self._moves_of(0)
                k = min(len(options) - 1, int(rng.random() * len(options)))
                self.pending = options[k]
