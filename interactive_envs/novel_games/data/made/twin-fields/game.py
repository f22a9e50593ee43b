import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

TOKENS = 10
MAX_BID = 5
ROUNDS = 13
CHAIN = 6
YIELD = 6
TOP = 7
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(26)
        self.observation_space = Box(low=-1.0, high=50.0, shape=(24,), dtype=np.float32)
        self._start()

    def _start(self):
        self.cells = [-1] * 18  # 0..8 board A, 9..17 board B
        self.tokens = [TOKENS, TOKENS]
        self.round = 1
        self.phase = 0  # 0 bid, 1 answer, 2 act
        self.bid = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def _opener(self):
        return (self.round - 1) % 2

    def _obs(self):
        data = list(self.cells) + self.tokens + [self.round, self.phase, self.bid, self.current_player]
        return np.array(data, dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _longest(self, p):
        best = 0
        for base in (0, 9):
            seen = set()
            for start in range(9):
                if self.cells[base + start] != p or start in seen:
                    continue
                todo = [start]
                seen.add(start)
                size = 0
                while todo:
                    x = todo.pop()
                    size += 1
                    r, c = x // 3, x % 3
                    for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                        nr, nc = r + dr, c + dc
                        if 0 <= nr < 3 and 0 <= nc < 3:
                            y = nr * 3 + nc
                            if y not in seen and self.cells[base + y] == p:
                                seen.add(y)
                                todo.append(y)
                best = max(best, size)
        return best

    def valid_moves(self):
        if self.done:
            return []
        p = self.current_player
        if self.phase == 0:
            return list(range(min(MAX_BID, self.tokens[p]) + 1))
        if self.phase == 1:
            out = [YIELD]
            if self.tokens[p] >= self.bid + 1:
                out.append(TOP)
            return out
        return [8 + i for i in range(18) if self.cells[i] < 0]

    def step(self, action):
        action = int(action)
        p = self.current_player
        if self.done or action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": 1 - p}
        if self.phase == 0:
            self.bid = action
            self.phase = 1
            self.current_player = 1 - p
        elif self.phase == 1:
            if action == YIELD:
                actor, price = 1 - p, self.bid
            else:
                actor, price = p, self.bid + 1
            self.tokens[actor] -= price
            self.tokens[1 - actor] += price
            self.bid = 0
            self.phase = 2
            self.current_player = actor
        else:
            i = action - 8
            self.cells[i] = p
            twin = (i + 9) % 18
            if self.cells[twin] == 1 - p:
                self.cells[twin] = p if self.round % 4 == 0 else -1
            if self._longest(p) >= CHAIN:
                self.done = True
                self.winner = p
            elif self.round >= ROUNDS:
                self.done = True
                a, b = self._longest(0), self._longest(1)
                if a == b:
                    a, b = self.tokens
                if a == b:
                    a, b = self.cells.count(0), self.cells.count(1)
                if a == b:
                    self.winner = 1 - p
                else:
                    self.winner = 0 if a > b else 1
            else:
                self.round += 1
                self.phase = 0
                self.current_player = self._opener()
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for b in (0, 1):
            rows = []
            for r in range(3):
                row = self.cells[9 * b + 3 * r: 9 * b + 3 * r + 3]
                rows.append(" ".join(".FS"[v + 1] for v in row))
            lines.append("%s: %s" % ("AB"[b], " / ".join(rows)))
        lines.append("tokens: first %d second %d" % (self.tokens[0], self.tokens[1]))
        lines.append("chains: first %d second %d" % (self._longest(0), self._longest(1)))
        lines.append("round: %d opened by %s" % (self.round, NAMES[self._opener()]))
        lines.append("weather: " + ("storm" if self.round % 4 == 0 else "calm"))
        if self.phase == 0:
            lines.append("phase: bid")
        elif self.phase == 1:
            lines.append("phase: answer to the bid %d" % self.bid)
        else:
            lines.append("phase: act")
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action <= MAX_BID:
            return "bid %d" % action
        if action == YIELD:
            return "yield"
        if action == TOP:
            return "top"
        i = action - 8
        return "place %s%d" % ("AB"[i // 9], i % 9 + 1)

    def clone(self):
        e = CustomEnv.__new__(CustomEnv)
        e.__dict__.update(self.__dict__)
        e.cells = list(self.cells)
        e.tokens = list(self.tokens)
        return e

    def key(self):
        return (tuple(self.cells), tuple(self.tokens), self.round, self.phase, self.bid,
                self.current_player, self.done, self.winner)
