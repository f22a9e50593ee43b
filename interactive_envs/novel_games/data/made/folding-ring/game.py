import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

LETTERS = "abcdefghijklmnop"
START = "FS.FF.S.SF.SS.F."
SEASON = 4
SEASONS = ("over", "under")
WAYS = ("cw", "ccw")
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(64)
        self.observation_space = Box(0.0, 20.0, shape=(18,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.order = list(range(16))
        self.stone = list(START)
        self.moves = 0
        self.over = False

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = [
            ".FS".index(self.stone[i]) if i in self.order else 3 for i in range(16)
        ]
        values += [self.current_player, self.moves]
        return np.array(values, dtype=np.float32)

    def _season(self):
        return self.moves // SEASON % 2

    def _arc(self, action):
        """The cells folded and the cells below them, or None where forbidden."""
        cell, rest = divmod(action, 4)
        length, way = rest // 2 + 1, rest % 2
        n = len(self.order)
        if cell not in self.order or n < 2 * length:
            return None
        i = self.order.index(cell)
        d = -1 if way else 1
        arc = [self.order[(i + d * k) % n] for k in range(length)]
        below = [self.order[(i + d * (length + k)) % n] for k in range(length)]
        own = "FS"[self.current_player]
        foe = "SF"[self.current_player]
        stones = [self.stone[x] for x in arc]
        if own not in stones or foe in stones:
            return None
        return arc, below

    def valid_moves(self):
        if self.over:
            return []
        return [a for a in range(64) if self._arc(a) is not None]

    def _alive(self, player):
        return any(self.stone[x] == "FS"[player] for x in self.order)

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.over or action not in self.valid_moves():
            self.over = True
            return self._obs(), -10.0, True, False, {"winner": 1 - player}
        arc, below = self._arc(action)
        under = self._season() == 1
        for moving, target in zip(reversed(arc), below):
            a, b = self.stone[moving], self.stone[target]
            if under:
                self.stone[target] = b if b != "." else a
            else:
                self.stone[target] = a if a != "." else b
        for x in arc:
            self.stone[x] = "."
            self.order.remove(x)
        self.moves += 1
        self.current_player = 1 - player
        winner = None
        if not self._alive(1 - player):
            winner = player
        elif not self._alive(player):
            winner = 1 - player
        if winner is None:
            return self._obs(), 0.0, False, False, {}
        self.over = True
        reward = 1.0 if winner == player else 0.0
        return self._obs(), reward, True, False, {"winner": winner}

    def render(self):
        lines = ["ring: " + " ".join(LETTERS[x] + self.stone[x] for x in self.order)]
        lines.append(
            "season: %s, moves left in it: %d"
            % (SEASONS[self._season()], SEASON - self.moves % SEASON)
        )
        if self.over:
            lines.append("to move: nobody")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        cell, rest = divmod(int(action), 4)
        return "fold %s %d %s" % (LETTERS[cell], rest // 2 + 1, WAYS[rest % 2])

    def clone(self):
        return copy.deepcopy(self)

    def key(self):
        return (
            self.current_player,
            tuple(self.order),
            tuple(self.stone),
            self.moves,
            self.over,
        )
