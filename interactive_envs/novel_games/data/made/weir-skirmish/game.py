import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

LENGTH = 10
SWEEP = 3
LAST_ROUND = 14
NAMES = ("first", "second")
WORDS = ("row", "jump", "plunge")


def _even(boats):
    if min(boats) <= 0:
        return False
    s = sorted(boats)
    return s[1] - s[0] == s[2] - s[1]


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(9)
        self.observation_space = Box(low=0.0, high=100.0, shape=(9,), dtype=np.float32)
        self._start()

    def _start(self):
        self.pos = [[2, 5, 7], [2, 5, 7]]  # 0 means lost
        self.round = 1
        self.pending = -1
        self.history = []
        self.current_player = 0
        self.done = False
        self.winner = None

    def _obs(self, player):
        own = self.pending + 1 if player == 0 else 0
        data = self.pos[0] + self.pos[1] + [self.round, self.current_player, own]
        return np.array(data, dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(0), {}

    def _taken(self, cell):
        return cell in self.pos[0] or cell in self.pos[1]

    def _dest(self, p, action):
        kind, b = action // 3, action % 3
        x = self.pos[p][b]
        if x == 0:
            return None
        if kind == 0:
            return max(1, x - 1)
        if kind == 1:
            y = x - 1
            if y < 1 or not self._taken(y):
                return None
            while y >= 1 and self._taken(y):
                y -= 1
            return y if y >= 1 else None
        return x + 2 if x + 2 <= LENGTH else None

    def _after(self, p, action):
        b = action % 3
        out = []
        for i in range(3):
            x = self.pos[p][i]
            if i == b:
                x = self._dest(p, action)
            elif x > 0:
                x = x + 1
                if x > LENGTH:
                    x = 0
            out.append(x)
        return out

    def _moves_of(self, p):
        able = [a for a in range(9) if self._dest(p, a) is not None]
        good = [a for a in able if not _even(self._after(p, a))]
        return good if good else able

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
        self.history.append("round %d: first %s, second %s"
                            % (self.round, self.move_name(x), self.move_name(y)))
        new = [self._after(0, x), self._after(1, y)]
        broke = [_even(new[0]), _even(new[1])]
        swept = []
        for cell in range(1, LENGTH + 1):
            n0 = new[0].count(cell)
            n1 = new[1].count(cell)
            if n0 > 0 and n1 > 0 and n0 != n1:
                weak = 0 if n0 < n1 else 1
                for i in range(3):
                    if new[weak][i] == cell:
                        swept.append((weak, i))
        for who, i in swept:
            z = new[who][i] + SWEEP
            new[who][i] = z if z <= LENGTH else 0
        self.pos = new
        live = [sorted(v for v in new[p] if v > 0) for p in (0, 1)]
        beaten = [broke[p] or len(live[p]) <= 1 for p in (0, 1)]
        finished = self.round
        self.round += 1
        if beaten[0] != beaten[1]:
            self.done = True
            self.winner = 1 if beaten[0] else 0
        elif beaten[0] or finished >= LAST_ROUND:
            self.done = True
            if len(live[0]) != len(live[1]):
                self.winner = 0 if len(live[0]) > len(live[1]) else 1
            elif sum(live[0]) != sum(live[1]):
                self.winner = 0 if sum(live[0]) < sum(live[1]) else 1
            elif live[0] != live[1]:
                self.winner = 0 if live[0] < live[1] else 1
            else:
                self.winner = 1

    def _text(self, player):
        lines = ["round: %d" % self.round]
        parts = []
        for cell in range(1, LENGTH + 1):
            text = "F" * self.pos[0].count(cell) + "S" * self.pos[1].count(cell)
            parts.append(text or ".")
        lines.append("river: " + " ".join(parts))
        for p in (0, 1):
            boats = []
            for i in range(3):
                v = self.pos[p][i]
                boats.append("ABC"[i] + (str(v) if v > 0 else "-"))
            lines.append("%s: %s" % (NAMES[p], " ".join(boats)))
        if self.pending >= 0:
            if player == 0:
                lines.append("ordered: first has ordered %s" % self.move_name(self.pending))
            else:
                lines.append("ordered: first has ordered in secret")
        else:
            lines.append("ordered: nothing yet")
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def render(self):
        return self._text(self.current_player)

    def move_name(self, action):
        action = int(action)
        return "%s %s" % (WORDS[action // 3], "ABC"[action % 3])

    def clone(self):
        e = CustomEnv.__new__(CustomEnv)
        e.__dict__.update(self.__dict__)
        e.pos = [list(q) for q in self.pos]
        e.history = list(self.history)
        return e

    def key(self):
        return (tuple(self.pos[0]), tuple(self.pos[1]), self.round, self.pending,
                self.current_player, self.done, self.winner)

    def view(self, player):
        player = int(player)
        log = list(self.history)
        if player == 0 and self.pending >= 0:
            log.append("round %d: you have ordered %s" % (self.round, self.move_name(self.pending)))
        return {
            "player": player,
            "board": self._text(player),
            "observation": [float(v) for v in self._obs(player)],
            "log": log,
            "state": {
                "pos": [list(q) for q in self.pos],
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
        self.pos = [list(q) for q in s["pos"]]
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
