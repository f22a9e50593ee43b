import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = "ABCD"
ROUNDS = 5
DISC = "xy"
SEAT = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(4)
        self.observation_space = Box(-100.0, 100.0, shape=(15,), dtype=np.float32)
        self._start()

    def _start(self):
        self.piles = ("o", "o", "o", "o")
        self.lantern = 0
        self.last = (-1, -1)
        self.pending = -1
        self.round = 1
        self.current_player = 0
        self.over = False
        self.winner = None
        self.log = ()

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(0), {}

    def _drift(self):
        return 1 if ((self.round - 1) // 2) % 2 == 0 else -1

    def _obs(self, player):
        mine, other = DISC[player], DISC[1 - player]
        out = [len(p) for p in self.piles]
        for p in self.piles:
            out.append(1 if p[-1] == mine else -1 if p[-1] == other else 0)
        out.append(self.round)
        out.append(self._drift())
        out.append(1 if self.lantern == player else 0)
        out.append(self.last[player])
        out.append(self.last[1 - player])
        out.append(self.pending if player == 0 else -1)
        out.append(1 if self.pending >= 0 else 0)
        return np.array(out, dtype=np.float32)

    def _legal(self, player):
        return [a for a in range(4) if a != self.last[player]]

    def valid_moves(self):
        if self.over:
            return []
        return self._legal(self.current_player)

    def _land(self, pile):
        d = self._drift()
        while 0 <= pile + d < 4 and len(self.piles[pile + d]) < len(self.piles[pile]):
            pile += d
        return pile

    def _resolve(self, a, b):
        la, lb = self._land(a), self._land(b)
        piles = list(self.piles)
        if la == lb:
            low, high = DISC[1 - self.lantern], DISC[self.lantern]
            piles[la] += low + high
            self.lantern = 1 - self.lantern
        else:
            piles[la] += DISC[0]
            piles[lb] += DISC[1]
        self.piles = tuple(piles)
        self.last = (a, b)
        self.pending = -1
        line = "round %d: first dropped on %s, second dropped on %s" % (
            self.round, NAMES[a], NAMES[b])
        self.log = self.log + (line,)
        tops = [p[-1] for p in self.piles]
        if tops.count("x") == 4:
            self._end(0)
        elif tops.count("y") == 4:
            self._end(1)
        elif self.round == ROUNDS:
            x, y = tops.count("x"), tops.count("y")
            if x != y:
                self._end(0 if x > y else 1)
            else:
                coloured = [t for t in tops if t != "o"]
                self._end(0 if coloured[0] == "x" else 1)
        else:
            self.round += 1

    def _end(self, winner):
        self.over = True
        self.winner = winner

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.over or action not in self.valid_moves():
            self.over = True
            self.winner = 1 - player
            return self._obs(player), -10.0, True, False, {"winner": self.winner}
        if player == 0:
            self.pending = action
            self.current_player = 1
        else:
            self._resolve(self.pending, action)
            self.current_player = 0
        if self.over:
            reward = 1.0 if self.winner == player else 0.0
            return self._obs(self.current_player), reward, True, False, {"winner": self.winner}
        return self._obs(self.current_player), 0.0, False, False, {}

    def _text(self):
        lines = ["round %d of %d" % (self.round, ROUNDS)]
        lines.append("drift: " + ("right" if self._drift() == 1 else "left"))
        for n, p in zip(NAMES, self.piles):
            lines.append("%s: %s" % (n, p))
        lines.append("lantern: " + SEAT[self.lantern])
        for i in range(2):
            before = NAMES[self.last[i]] if self.last[i] >= 0 else "none"
            lines.append("%s dropped last on: %s" % (SEAT[i], before))
        lines.append("to move: " + SEAT[self.current_player])
        return "\n".join(lines)

    def render(self):
        return self._text()

    def move_name(self, action):
        return "drop " + NAMES[int(action)]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        return other

    def key(self):
        return (self.piles, self.lantern, self.last, self.pending, self.round,
                self.current_player, self.over, self.winner)

    def view(self, player):
        log = list(self.log)
        own = self.pending if player == 0 else -1
        return {
            "player": player,
            "board": self._text(),
            "observation": [float(v) for v in self._obs(player)],
            "log": log,
            "piles": list(self.piles),
            "lantern": self.lantern,
            "last": list(self.last),
            "round": self.round,
            "current": self.current_player,
            "waiting": self.pending >= 0,
            "own": own,
            "over": self.over,
            "winner": self.winner,
        }

    def resample(self, view, rng):
        self.piles = tuple(view["piles"])
        self.lantern = view["lantern"]
        self.last = tuple(view["last"])
        self.round = view["round"]
        self.current_player = view["current"]
        self.over = view["over"]
        self.winner = view["winner"]
        self.log = tuple(view["log"])
        self.pending = -1
        if view["waiting"]:
            if view["player"] == 0:
                self.pending = view["own"]
            else:
                choices = self._legal(0)
                self.pending = choices[int(rng.random() * len(choices)) % len(choices)]
