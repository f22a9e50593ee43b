import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

ASH = 9
LIMITS = (4, 3, 3)  # step, leap, strike
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(70)
        self.observation_space = Box(low=-10.0, high=10.0, shape=(18,), dtype=np.float32)
        self._start()

    def _start(self):
        self.cells = [0] * 10  # 1..3 guard of first, -1..-3 guard of second, 9 ash
        self.uses = [list(LIMITS), list(LIMITS)]
        self.placed = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def _obs(self):
        data = list(self.cells) + self.uses[0] + self.uses[1] + [self.placed, self.current_player]
        return np.array(data, dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _moves(self, p):
        if self.placed < 6:
            return [c for c in range(1, 9) if self.cells[c] == 0]
        sign = 1 if p == 0 else -1
        out = []
        for c in range(10):
            v = self.cells[c]
            if v == ASH or v * sign <= 0:
                continue
            for k, d in enumerate((-1, 1)):
                n = c + d
                if not 0 <= n <= 9:
                    continue
                t = self.cells[n]
                if t == 0:
                    if self.uses[p][0] > 0:
                        out.append(10 + 10 * k + c)
                    continue
                m = n + d
                if self.uses[p][1] > 0 and 0 <= m <= 9 and self.cells[m] == 0:
                    out.append(30 + 10 * k + c)
                if self.uses[p][2] > 0 and t != ASH and t * sign < 0:
                    out.append(50 + 10 * k + c)
        return sorted(out)

    def valid_moves(self):
        if self.done:
            return []
        return self._moves(self.current_player)

    def step(self, action):
        action = int(action)
        p = self.current_player
        if self.done or action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": 1 - p}
        sign = 1 if p == 0 else -1
        if action < 10:
            self.cells[action] = 3 * sign
            self.placed += 1
        else:
            kind = (action - 10) // 20
            rest = (action - 10) % 20
            d = -1 if rest < 10 else 1
            c = rest % 10
            self.uses[p][kind] -= 1
            v = abs(self.cells[c])
            if kind < 2:
                target = c + d * (kind + 1)
                self.cells[c] = 0
                if target == 0:
                    self.cells[0] = 3 * sign
                else:
                    self.cells[target] = sign * (v - 1) if v > 1 else ASH
            else:
                n = c + d
                hit = 2 if c == 9 else 1
                t = abs(self.cells[n]) - hit
                self.cells[n] = -sign * t if t > 0 else ASH
                self.cells[c] = sign * (v - 1) if v > 1 else ASH
        if any(self.cells[i] == ASH and self.cells[i + 1] == ASH for i in range(9)):
            self.done = True
            self.winner = 1 - p
        else:
            self.current_player = 1 - p
            if not self._moves(1 - p):
                self.done = True
                self.winner = p
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        parts = []
        for v in self.cells:
            if v == 0:
                parts.append(".")
            elif v == ASH:
                parts.append("##")
            elif v > 0:
                parts.append("F%d" % v)
            else:
                parts.append("S%d" % -v)
        lines = ["strip: " + " ".join(parts)]
        for p in (0, 1):
            lines.append("%s uses left: step %d leap %d strike %d"
                         % (NAMES[p], self.uses[p][0], self.uses[p][1], self.uses[p][2]))
        lines.append("phase: " + ("place" if self.placed < 6 else "act"))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < 10:
            return "place %d" % action
        kind = (action - 10) // 20
        rest = (action - 10) % 20
        word = ("step", "leap", "strike")[kind]
        side = "left" if rest < 10 else "right"
        return "%s %s %d" % (word, side, rest % 10)

    def clone(self):
        e = CustomEnv.__new__(CustomEnv)
        e.__dict__.update(self.__dict__)
        e.cells = list(self.cells)
        e.uses = [list(u) for u in self.uses]
        return e

    def key(self):
        return (tuple(self.cells), tuple(self.uses[0]), tuple(self.uses[1]), self.placed,
                self.current_player, self.done, self.winner)
