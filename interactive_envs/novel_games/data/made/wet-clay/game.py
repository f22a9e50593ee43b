import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

N = 4
NAMES = ["first", "second"]
STEPS = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, -1)]


def cell_name(i):
    return "abcd"[i % N] + str(i // N + 1)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(N * N)
        self.observation_space = Box(-3.0, 80.0, shape=(19,), dtype=np.float32)
        self._setup()

    def _setup(self):
        # 1 wet and 2 dry stone of first, -1 wet and -2 dry stone of second
        self.board = [0] * (N * N)
        self.round = 0
        self.pending = -1
        self.log = []
        self.current_player = 0
        self.done = False

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(self.current_player), {}

    def _right(self):
        return (self.round // 2) % 2

    def _obs(self, me):
        sign = 1 if me == 0 else -1
        values = [b * sign for b in self.board]
        values += [self.round, 1 if self._right() == me else 0, me]
        return np.array(values, dtype=np.float32)

    def _options(self, player):
        wet_enemy = -1 if player == 0 else 1
        return [i for i in range(N * N) if self.board[i] in (0, wet_enemy)]

    def valid_moves(self):
        if self.done:
            return []
        return self._options(self.current_player)

    def _joined(self, player):
        sign = 1 if player == 0 else -1
        if player == 0:
            edge = [r * N for r in range(N)]
        else:
            edge = list(range(N))
        stack = [i for i in edge if self.board[i] * sign > 0]
        seen = set(stack)
        while stack:
            r, c = divmod(stack.pop(), N)
            if (c if player == 0 else r) == N - 1:
                return True
            for dr, dc in STEPS:
                s, d = r + dr, c + dc
                if 0 <= s < N and 0 <= d < N:
                    j = s * N + d
                    if j not in seen and self.board[j] * sign > 0:
                        seen.add(j)
                        stack.append(j)
        return False

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            self.done = True
            return self._obs(me), -10.0, True, False, {"winner": 1 - me}
        if me == 0:
            self.pending = action
            self.current_player = 1
            return self._obs(1), 0.0, False, False, {}
        a, b = self.pending, action
        self.pending = -1
        old = self.board
        new = [0 if v == 0 else (2 if v > 0 else -2) for v in old]
        if a == b:
            new[a] = 1 if self._right() == 0 else -1
        else:
            new[a] = 1 if old[a] == 0 else 2
            new[b] = -1 if old[b] == 0 else -2
        self.board = new
        self.log.append("first named " + cell_name(a) + ", second named " + cell_name(b))
        self.round += 1
        self.current_player = 0
        winner = None
        if self._joined(0):
            winner = 0
        elif self._joined(1):
            winner = 1
        if winner is not None:
            self.done = True
            return self._obs(0), (1.0 if winner == me else 0.0), True, False, {"winner": winner}
        return self._obs(0), 0.0, False, False, {}

    def _public(self):
        letters = {0: ".", 1: "x", 2: "X", -1: "o", -2: "O"}
        lines = ["   a b c d"]
        for r in range(N):
            lines.append(str(r + 1) + ": " + " ".join(letters[v] for v in self.board[r * N:r * N + N]))
        lines.append("round: " + str(self.round + 1))
        lines.append("right of way: " + NAMES[self._right()])
        who = "nobody" if self.done else NAMES[self.current_player]
        lines.append("to move: " + who)
        return lines

    def render(self):
        return "\n".join(self._public())

    def move_name(self, action):
        return "name " + cell_name(int(action))

    def clone(self):
        return copy.deepcopy(self)

    def key(self):
        return (tuple(self.board), self.round, self.pending, self.current_player, self.done)

    def view(self, player):
        mine = self.pending if player == 0 else -1
        log = list(self.log)
        if mine >= 0:
            log.append("you named " + cell_name(mine))
        return {
            "player": player,
            "board": "\n".join(self._public()),
            "observation": [float(v) for v in self._obs(player)],
            "log": log,
            "cells": list(self.board),
            "round": self.round,
            "rounds": list(self.log),
            "mine": mine,
            "turn": self.current_player,
            "done": self.done,
        }

    def resample(self, view, rng):
        self.board = [int(v) for v in view["cells"]]
        self.round = int(view["round"])
        self.log = list(view["rounds"])
        self.current_player = int(view["turn"])
        self.done = bool(view["done"])
        self.pending = int(view["mine"])
        if self.current_player == 1 and self.pending < 0 and not self.done:
            options = self._options(0)
            self.pending = options[int(rng.integers(len(options)))]
