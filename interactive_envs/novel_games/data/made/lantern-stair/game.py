import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

TOP = 24
LANTERN = 22
LOWEST_LANTERN = 4
THROW = 5
LIMIT = 30
SEATS = ("first", "second")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(18)
        self.observation_space = Box(0.0, float(LIMIT), shape=(10,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.pos = [[0, 0], [0, 0]]
        self.lantern = LANTERN
        self.recent = (0, 0)
        self.first_number = 0
        self.turns = 0
        self.events = []
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(self.current_player), {}

    def _obs(self, player):
        values = [self.lantern] + self.pos[player] + self.pos[1 - player]
        values += [self.recent[0], self.recent[1], self.first_number]
        values += [self.current_player, self.turns]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.over:
            return []
        moves = []
        for c in range(2):
            at = self.pos[self.current_player][c]
            for j in range(9):
                kind = THROW if j == 8 else j % 4 + 1
                if kind in self.recent:
                    continue
                if j == 8:
                    if at < TOP:
                        moves.append(c * 9 + j)
                elif j < 4:
                    if at + kind <= TOP:
                        moves.append(c * 9 + j)
                elif at - kind >= 0:
                    moves.append(c * 9 + j)
        return moves

    def _nearest(self):
        gaps = [sorted(abs(x - self.lantern) for x in self.pos[p]) for p in range(2)]
        return 0 if gaps[0] < gaps[1] else 1

    def _apply(self, action, roll):
        c, j = divmod(action, 9)
        p = self.current_player
        event = "%s: %s" % (SEATS[p], self.move_name(action))
        if j == 8:
            number, kind, change = roll, THROW, roll
            event += ", rolled %d" % roll
        else:
            number = kind = j % 4 + 1
            change = number if j < 4 else -number
        self.events.append(event)
        at = min(TOP, self.pos[p][c] + change)
        self.pos[p][c] = at
        if at > 0:
            for i in range(2):
                if self.pos[1 - p][i] == at:
                    self.pos[1 - p][i] = 0
        self.recent = (self.recent[1], kind)
        self.turns += 1
        if at == self.lantern:
            self.over = True
            self.winner = p
            return 1.0
        if p == 0:
            self.first_number = number
        else:
            if (self.first_number + number) % 2 == 0:
                self.lantern = max(LOWEST_LANTERN, self.lantern - 2)
            else:
                self.lantern = min(TOP, self.lantern + 1)
            self.first_number = 0
        if self.turns >= LIMIT:
            self.over = True
            self.winner = self._nearest()
            return 1.0 if self.winner == p else 0.0
        self.current_player = 1 - p
        return 0.0

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            if not self.over:
                self.over = True
                self.winner = 1 - self.current_player
            return self._obs(self.current_player), -10.0, True, False, {"winner": self.winner}
        roll = 0
        if action % 9 == 8:
            roll = int(self.np_random.integers(1, 7))
        reward = self._apply(action, roll)
        info = {"winner": self.winner} if self.over else {}
        return self._obs(self.current_player), reward, self.over, False, info

    def chance(self, action):
        action = int(action)
        if action % 9 != 8 or action not in self.valid_moves():
            after = self.clone()
            after.step(action)
            return [(1.0, after)]
        outcomes = []
        for roll in range(1, 7):
            after = self.clone()
            after._apply(action, roll)
            outcomes.append((1.0 / 6.0, after))
        return outcomes

    def render(self):
        closed = ["throw" if k == THROW else str(k) for k in self.recent if k]
        lines = ["lantern: %d" % self.lantern]
        for p in range(2):
            lines.append("%s: A %d, B %d" % (SEATS[p], self.pos[p][0], self.pos[p][1]))
        lines.append("closed: " + (" ".join(closed) if closed else "none"))
        number = str(self.first_number) if self.first_number else "none"
        lines.append("number of this round: " + number)
        lines.append("turns made: %d of %d" % (self.turns, LIMIT))
        lines.append("to move: " + ("nobody" if self.over else SEATS[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        c, j = divmod(int(action), 9)
        if j == 8:
            return "%s throw" % "AB"[c]
        return "%s %s %d" % ("AB"[c], "up" if j < 4 else "down", j % 4 + 1)

    def view(self, player):
        player = int(player)
        return {
            "player": player,
            "board": self.render(),
            "observation": [float(x) for x in self._obs(player)],
            "log": list(self.events),
            "pos": [[int(x) for x in row] for row in self.pos],
            "lantern": int(self.lantern),
            "recent": [int(k) for k in self.recent],
            "first_number": int(self.first_number),
            "turns": int(self.turns),
            "to_move": int(self.current_player),
            "over": bool(self.over),
            "winner": self.winner,
        }

    def resample(self, view, rng):
        self.pos = [list(row) for row in view["pos"]]
        self.lantern = view["lantern"]
        self.recent = tuple(view["recent"])
        self.first_number = view["first_number"]
        self.turns = view["turns"]
        self.current_player = view["to_move"]
        self.over = view["over"]
        self.winner = view["winner"]
        self.events = list(view["log"])
        # The throws to come are not known to anybody: take new ones from rng.
        if hasattr(rng, "integers"):
            seed = int(rng.integers(0, 2 ** 31 - 1))
        else:
            seed = int(rng.randint(0, 2 ** 31 - 2))
        self._np_random = np.random.default_rng(seed)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.pos = [list(row) for row in self.pos]
        other.events = list(self.events)
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (self.current_player, tuple(self.pos[0]), tuple(self.pos[1]), self.lantern,
                self.recent, self.first_number, self.turns, self.over, self.winner)
