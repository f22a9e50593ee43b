import copy

import gymnasium
import numpy as np
from gymnasium import spaces

PLAYERS = ("first", "second")
SHIRES = ("hill", "lake", "wood")
CELLS = 12
PER = 4
BAGS = 5
GUSTS = 2
LIMIT = 10


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(2 * BAGS * CELLS)
        self.observation_space = spaces.Box(low=-20.0, high=20.0, shape=(29,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.cells = [0] * CELLS     # tokens, positive for the first, negative for the second
        self.last = [-1, -1, -1]     # the cell taken last in each shire
        self.bags = [[True] * BAGS, [True] * BAGS]
        self.gusts = [GUSTS, GUSTS]
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None
        self.log = []

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._observe(), {}

    def _observe(self):
        values = list(self.cells) + [v + 1 for v in self.last]
        for p in (0, 1):
            values += [1 if v else 0 for v in self.bags[p]]
        values += list(self.gusts)
        values += [self.moves, self.current_player]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        player = self.current_player
        moves = []
        for gust in (0, 1):
            if gust and self.gusts[player] == 0:
                continue
            for bag in range(BAGS):
                if not self.bags[player][bag]:
                    continue
                for cell in range(CELLS):
                    moves.append((gust * BAGS + bag) * CELLS + cell)
        return moves

    def _score(self):
        result = []
        for s in range(3):
            pair = [0, 0]
            for cell in range(s * PER, (s + 1) * PER):
                worth = 2 if cell == self.last[s] else 1
                if self.cells[cell] > 0:
                    pair[0] += worth
                elif self.cells[cell] < 0:
                    pair[1] += worth
            result.append(pair)
        return result

    def _play(self, action, die):
        player = self.current_player
        sign = 1 if player == 0 else -1
        rest, cell = divmod(action, CELLS)
        gust, bag = divmod(rest, BAGS)
        tokens = bag + 1
        line = PLAYERS[player] + ": " + self.move_name(action)
        if gust:
            tokens += 1
            cell += die - 1
            self.gusts[player] -= 1
            line += ", the die shows " + str(die)
        self.log.append(line)
        self.bags[player][bag] = False
        for i in range(tokens):
            at = (cell + i) % CELLS
            if self.cells[at] == 0:
                self.last[at // PER] = at
            self.cells[at] += sign
        self.moves += 1
        if self.moves >= LIMIT:
            self.done = True
            score = self._score()
            won = [sum(1 for a, b in score if a > b), sum(1 for a, b in score if b > a)]
            held = [sum(v for v in self.cells if v > 0), -sum(v for v in self.cells if v < 0)]
            if won[0] != won[1]:
                self.winner = 0 if won[0] > won[1] else 1
            else:
                self.winner = 0 if held[0] >= held[1] else 1
        else:
            self.current_player = ((self.moves + 1) // 2) % 2

    def step(self, action):
        action = int(action)
        player = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - player
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        die = 1
        if action >= BAGS * CELLS:
            die = int(self.np_random.integers(1, 4))
        self._play(action, die)
        if self.done:
            reward = 1.0 if self.winner == player else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        return self._observe(), 0.0, False, False, {}

    def chance(self, action):
        action = int(action)
        if action not in self.valid_moves():
            env = self.clone()
            env.step(action)
            return [(1.0, env)]
        dice = [1, 2, 3] if action >= BAGS * CELLS else [1]
        result = []
        for die in dice:
            env = self.clone()
            env._play(action, die)
            result.append((1.0 / len(dice), env))
        return result

    def render(self):
        lines = ["moves made: %d of %d" % (self.moves, LIMIT)]
        for s in range(3):
            shown = []
            for cell in range(s * PER, (s + 1) * PER):
                value = self.cells[cell]
                if value == 0:
                    shown.append(".")
                elif value > 0:
                    shown.append("x" + str(value))
                else:
                    shown.append("o" + str(-value))
            lines.append("%s %d-%d: %s" % (SHIRES[s], s * PER + 1, (s + 1) * PER, " ".join(shown)))
        taken = []
        for s in range(3):
            taken.append(SHIRES[s] + " " + (str(self.last[s] + 1) if self.last[s] >= 0 else "none"))
        lines.append("taken last: " + ", ".join(taken))
        score = self._score()
        lines.append(
            "score: " + ", ".join("%s %d-%d" % (SHIRES[s], score[s][0], score[s][1]) for s in range(3))
        )
        for p in (0, 1):
            left = [str(b + 1) for b in range(BAGS) if self.bags[p][b]]
            lines.append(
                "bags of %s: %s, gusts %d" % (PLAYERS[p], " ".join(left) if left else "none", self.gusts[p])
            )
        if self.done:
            lines.append("winner: " + PLAYERS[self.winner])
        else:
            lines.append("to move: " + PLAYERS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        rest, cell = divmod(int(action), CELLS)
        gust, bag = divmod(rest, BAGS)
        return "%s %d at %d" % ("gust" if gust else "sow", bag + 1, cell + 1)

    def _state(self):
        return {
            "cells": list(self.cells),
            "last": list(self.last),
            "bags": [list(b) for b in self.bags],
            "gusts": list(self.gusts),
            "moves": self.moves,
            "turn": self.current_player,
            "done": self.done,
            "winner": self.winner,
            "log": list(self.log),
        }

    def _load(self, state):
        self.cells = list(state["cells"])
        self.last = list(state["last"])
        self.bags = [list(b) for b in state["bags"]]
        self.gusts = list(state["gusts"])
        self.moves = state["moves"]
        self.current_player = state["turn"]
        self.done = state["done"]
        self.winner = state["winner"]
        self.log = list(state["log"])

    def clone(self):
        env = CustomEnv()
        env._load(self._state())
        env.np_random = copy.deepcopy(self.np_random)
        return env

    def key(self):
        return (
            tuple(self.cells),
            tuple(self.last),
            tuple(self.bags[0]),
            tuple(self.bags[1]),
            tuple(self.gusts),
            self.moves,
            self.current_player,
            self.done,
            self.winner,
        )

    def view(self, player):
        return {
            "player": int(player),
            "board": self.render(),
            "observation": [float(v) for v in self._observe()],
            "log": list(self.log),
            "state": self._state(),
        }

    def resample(self, view, rng):
        self._load(view["state"])
        self.np_random = rng
