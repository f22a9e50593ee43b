import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
SIZE = 4
SPAN = 4
MARKS = ".FS"


def _name(cell):
    return "abcd"[cell % SIZE] + str(cell // SIZE + 1)


def _near(cell):
    r, c = divmod(cell, SIZE)
    around = [(r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c), (r - 1, c + 1), (r + 1, c - 1)]
    return [a * SIZE + b for a, b in around if 0 <= a < SIZE and 0 <= b < SIZE]


NEAR = [_near(cell) for cell in range(16)]
BORDER = [cell for cell in range(16) if cell // SIZE in (0, 3) or cell % SIZE in (0, 3)]
BLOCKS = []
for _r in range(3):
    for _c in range(3):
        _k = _r * SIZE + _c
        BLOCKS.append((_k, _k + 1, _k + SIZE + 1, _k + SIZE))


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self, render_mode=None):
        self.render_mode = render_mode
        self.action_space = Discrete(41)
        self.observation_space = Box(-1.0, 100.0, shape=(24,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.current_player = 0
        self.board = [0] * 16
        self.turns = [2, 2]
        self.ambushes = [2, 2]
        self.moves = 0
        self.done = False
        self.winner = None
        self.log = []

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _windy(self):
        return (self.moves // SPAN) % 2 == 1

    def _support(self, cell):
        mine = self.current_player + 1
        return sum(1 for k in NEAR[cell] if self.board[k] == mine)

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        if self.moves == 0:
            return list(BORDER)
        out = [k for k in range(16) if self.board[k] == 0]
        if self._windy():
            if self.turns[me] > 0:
                for b in range(9):
                    if len(set(self.board[k] for k in BLOCKS[b])) > 1:
                        out.append(16 + b)
        elif self.ambushes[me] > 0:
            for k in range(16):
                if self.board[k] == 2 - me and self._support(k) > 0:
                    out.append(25 + k)
        return out

    def _need(self, cell):
        return min(6, 2 + self._support(cell))

    def _joined(self, player):
        mine = player + 1
        if player == 0:
            start = [k for k in range(16) if k % SIZE == 0]
        else:
            start = [k for k in range(16) if k // SIZE == 0]
        todo = [k for k in start if self.board[k] == mine]
        seen = set(todo)
        while todo:
            k = todo.pop()
            if (player == 0 and k % SIZE == 3) or (player == 1 and k // SIZE == 3):
                return True
            for n in NEAR[k]:
                if n not in seen and self.board[n] == mine:
                    seen.add(n)
                    todo.append(n)
        return False

    def _play(self, action, hit):
        me = self.current_player
        line = NAMES[me] + ": " + self.move_name(action)
        if action >= 25:
            line += ", succeeded" if hit else ", failed"
        self.log.append(line)
        if action < 16:
            self.board[action] = me + 1
        elif action < 25:
            a, b, c, d = BLOCKS[action - 16]
            old = list(self.board)
            self.board[b] = old[a]
            self.board[c] = old[b]
            self.board[d] = old[c]
            self.board[a] = old[d]
            self.turns[me] -= 1
        else:
            self.ambushes[me] -= 1
            if hit:
                self.board[action - 25] = me + 1
        self.moves += 1
        for p in (me, 1 - me):
            if self._joined(p):
                self.done = True
                self.winner = p
                return
        self.current_player = 1 - me

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done:
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        hit = False
        if action >= 25:
            roll = int(self.np_random.integers(1, 7))
            hit = roll <= self._need(action - 25)
        self._play(action, hit)
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def chance(self, action):
        action = int(action)
        if action < 25 or action not in self.valid_moves():
            env = self.clone()
            env.step(action)
            return [(1.0, env)]
        need = self._need(action - 25)
        out = []
        for probability, hit in ((need / 6.0, True), ((6 - need) / 6.0, False)):
            if probability > 0:
                env = self.clone()
                env._play(action, hit)
                out.append((probability, env))
        return out

    def _obs(self):
        me = self.current_player
        out = [0 if v == 0 else (1 if v == me + 1 else 2) for v in self.board]
        out += [self.turns[me], self.turns[1 - me], self.ambushes[me], self.ambushes[1 - me]]
        out += [self.moves, 1 if self._windy() else 0, me, 1 if self.done else 0]
        return np.array(out, dtype=np.float32)

    def render(self):
        lines = ["columns: a b c d"]
        for r in range(SIZE):
            lines.append("row %d: %s" % (r + 1, " ".join(MARKS[self.board[r * SIZE + c]] for c in range(SIZE))))
        for p in (0, 1):
            lines.append("cards of %s: turn %d, ambush %d" % (NAMES[p], self.turns[p], self.ambushes[p]))
        lines.append("move: %d" % (self.moves + 1))
        lines.append("weather: " + ("wind" if self._windy() else "calm"))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < 16:
            return "stone " + _name(action)
        if action < 25:
            return "turn " + _name(BLOCKS[action - 16][0])
        return "ambush " + _name(action - 25)

    def view(self, player):
        # nothing is hidden, so both players see the whole position
        return {
            "player": int(player),
            "board": self.render(),
            "observation": [float(x) for x in self._obs()],
            "log": list(self.log),
            "cells": [int(x) for x in self.board],
            "turns": [int(x) for x in self.turns],
            "ambushes": [int(x) for x in self.ambushes],
            "moves": int(self.moves),
            "current_player": int(self.current_player),
            "done": bool(self.done),
            "winner": None if self.winner is None else int(self.winner),
        }

    def resample(self, view, rng):
        self.board = [int(x) for x in view["cells"]]
        self.turns = [int(x) for x in view["turns"]]
        self.ambushes = [int(x) for x in view["ambushes"]]
        self.moves = int(view["moves"])
        self.current_player = int(view["current_player"])
        self.done = bool(view["done"])
        self.winner = None if view["winner"] is None else int(view["winner"])
        self.log = [str(line) for line in view["log"]]
        # only the dice to come are unknown
        self.np_random = rng

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.board = list(self.board)
        other.log = list(self.log)
        other.turns = list(self.turns)
        other.ambushes = list(self.ambushes)
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.board),
            tuple(self.turns),
            tuple(self.ambushes),
            self.moves,
            self.done,
            self.winner,
        )
