import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

NUMBERS = (
    (1, 4, 2, 5, 3, 6),
    (3, 5, 6, 2, 4, 2),
    (6, 2, 4, 1, 5, 3),
    (2, 3, 5, 4, 6, 3),
)
COST = (1, 2, 3, 3, 2, 1)
REGIONS = ("west", "centre", "east")
MOD = 7
GOAL = 18
EARN = 144
PAY = 4
POOR = 5
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(145)
        self.observation_space = Box(low=-1.0, high=100.0, shape=(72,), dtype=np.float32)
        self._start()

    def _start(self):
        self.owner = [-1] * 24
        self.power = [0] * 24
        self.hands = [[1] * 6, [1] * 6]
        self.coins = [6, 7]
        self.points = [[0, 0], [0, 0], [0, 0]]
        self.won = [-1, -1, -1]
        self.current_player = 0
        self.done = False
        self.winner = None

    def _obs(self):
        data = list(self.owner) + list(self.power) + self.hands[0] + self.hands[1] + self.coins
        for r in range(3):
            data += self.points[r]
        data += self.won + [self.current_player]
        return np.array(data, dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def valid_moves(self):
        if self.done:
            return []
        p = self.current_player
        out = []
        for n in range(1, 7):
            if not self.hands[p][n - 1]:
                continue
            for i in range(24):
                c = i % 6
                if self.owner[i] < 0 and self.won[c // 2] < 0 and COST[c] <= self.coins[p]:
                    out.append((n - 1) * 24 + i)
        if self.coins[p] <= POOR:
            out.append(EARN)
        return out

    def _filled(self, i):
        r, c = i // 6, i % 6
        count = 0
        for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            nr, nc = r + dr, c + dc
            if 0 <= nr < 4 and 0 <= nc < 6 and self.owner[nr * 6 + nc] >= 0:
                count += 1
        return count

    def step(self, action):
        action = int(action)
        p = self.current_player
        if self.done or action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": 1 - p}
        if action == EARN:
            self.coins[p] += PAY
            self.hands[p] = [1] * 6
        else:
            n = action // 24 + 1
            i = action % 24
            r, c = i // 6, i % 6
            base = n + NUMBERS[r][c] if r % 2 == 0 else n * NUMBERS[r][c]
            value = (base + self._filled(i)) % MOD
            self.hands[p][n - 1] = 0
            self.coins[p] -= COST[c]
            self.owner[i] = p
            self.power[i] = value
            g = c // 2
            self.points[g][p] += value
            if self.points[g][p] >= GOAL:
                self.won[g] = p
            elif all(self.owner[rr * 6 + cc] >= 0 for rr in range(4) for cc in (2 * g, 2 * g + 1)):
                a, b = self.points[g]
                if a != b:
                    self.won[g] = 0 if a > b else 1
                else:
                    self.won[g] = 1 - p
            for q in (0, 1):
                if self.won.count(q) >= 2:
                    self.done = True
                    self.winner = q
        self.current_player = 1 - p
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for r in range(4):
            parts = []
            for c in range(6):
                i = r * 6 + c
                if self.owner[i] < 0:
                    parts.append(("+" if r % 2 == 0 else "x") + str(NUMBERS[r][c]))
                else:
                    parts.append("FS"[self.owner[i]] + str(self.power[i]))
            lines.append("row %d: %s" % (r + 1, " ".join(parts)))
        for g in range(3):
            text = "%s: first %d second %d" % (REGIONS[g], self.points[g][0], self.points[g][1])
            if self.won[g] >= 0:
                text += " won by " + NAMES[self.won[g]]
            lines.append(text)
        lines.append("coins: first %d second %d" % (self.coins[0], self.coins[1]))
        for p in (0, 1):
            cards = [str(n) for n in range(1, 7) if self.hands[p][n - 1]]
            lines.append("%s hand: %s" % (NAMES[p], " ".join(cards) if cards else "empty"))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == EARN:
            return "earn"
        i = action % 24
        return "play %d at %s%d" % (action // 24 + 1, "abcdef"[i % 6], i // 6 + 1)

    def clone(self):
        e = CustomEnv.__new__(CustomEnv)
        e.__dict__.update(self.__dict__)
        e.owner = list(self.owner)
        e.power = list(self.power)
        e.hands = [list(h) for h in self.hands]
        e.coins = list(self.coins)
        e.points = [list(x) for x in self.points]
        e.won = list(self.won)
        return e

    def key(self):
        return (tuple(self.owner), tuple(self.power), tuple(self.hands[0]), tuple(self.hands[1]),
                tuple(self.coins), tuple(tuple(x) for x in self.points), tuple(self.won),
                self.current_player, self.done, self.winner)
