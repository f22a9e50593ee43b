import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
GOAL = 30
FLOORS = (10, 20)
COPIES = 4
ROLLS = 10
LAST_MOVE = 44


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self, render_mode=None):
        super().__init__()
        self.render_mode = render_mode
        self.action_space = Discrete(7)
        self.observation_space = Box(low=0.0, high=44.0, shape=(14,), dtype=np.float32)
        self._start()

    def _start(self):
        self.sums = [0, 0]
        self.floors = [0, 0]
        self.blocks = [[COPIES] * 3, [COPIES] * 3]
        self.rolls = [ROLLS, ROLLS]
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None
        self.log = []

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = []
        for p in (0, 1):
            values += [self.sums[p], self.floors[p]] + self.blocks[p] + [self.rolls[p]]
        values += [self.moves, self.current_player]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        p = self.current_player
        moves = [k for k in range(3) if self.blocks[p][k] > 0]
        moves += [k + 3 for k in range(3) if self.blocks[p][k] > 0]
        if self.rolls[p] > 0:
            moves.append(6)
        return moves

    def _raise(self, player, number):
        total = self.sums[player] + number
        if total > GOAL:
            total = self.floors[player]
        self.sums[player] = total
        if total in FLOORS and total > self.floors[player]:
            self.floors[player] = total

    def step(self, action):
        action = int(action)
        p = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        rolled = 0
        if action == 6:
            rolled = int(self.np_random.integers(6)) + 1
        return self._apply(action, rolled)

    def _apply(self, action, rolled):
        p = self.current_player
        line = NAMES[p] + ": " + self.move_name(action)
        if action == 6:
            self.rolls[p] -= 1
            self._raise(p, rolled)
            line += ", the die shows " + str(rolled)
        else:
            k = action % 3
            self.blocks[p][k] -= 1
            self._raise(p if action < 3 else 1 - p, k + 1)
        self.log.append(line)
        self.moves += 1
        self.current_player = 1 - p
        if self.sums[0] == GOAL:
            self.done = True
            self.winner = 0
        elif self.sums[1] == GOAL:
            self.done = True
            self.winner = 1
        elif self.moves >= LAST_MOVE:
            self.done = True
            first = (self.sums[0], self.floors[0])
            second = (self.sums[1], self.floors[1])
            self.winner = 0 if first > second else 1
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def chance(self, action):
        action = int(action)
        if action != 6 or action not in self.valid_moves():
            other = self.clone()
            other.step(action)
            return [(1.0, other)]
        result = []
        for rolled in range(1, 7):
            other = self.clone()
            other._apply(action, rolled)
            result.append((1.0 / 6.0, other))
        return result

    def view(self, player):
        """Nothing is hidden: both players see the whole position."""
        return {
            "player": int(player),
            "board": self.render(),
            "observation": [float(v) for v in self._obs()],
            "log": list(self.log),
            "sums": [int(v) for v in self.sums],
            "floors": [int(v) for v in self.floors],
            "blocks": [[int(v) for v in row] for row in self.blocks],
            "rolls": [int(v) for v in self.rolls],
            "moves": int(self.moves),
            "current_player": int(self.current_player),
            "done": bool(self.done),
            "winner": None if self.winner is None else int(self.winner),
        }

    def resample(self, view, rng):
        """Takes the position from the view. Rolls to come are drawn from rng."""
        self.sums = [int(v) for v in view["sums"]]
        self.floors = [int(v) for v in view["floors"]]
        self.blocks = [[int(v) for v in row] for row in view["blocks"]]
        self.rolls = [int(v) for v in view["rolls"]]
        self.moves = int(view["moves"])
        self.current_player = int(view["current_player"])
        self.done = bool(view["done"])
        self.winner = None if view["winner"] is None else int(view["winner"])
        self.log = [str(line) for line in view["log"]]
        self.np_random = rng

    def render(self):
        if self.done:
            lines = ["game over"]
        else:
            lines = ["to move: " + NAMES[self.current_player]]
        for p in (0, 1):
            lines.append(
                NAMES[p] + ": sum " + str(self.sums[p]) + ", floor " + str(self.floors[p])
            )
        for p in (0, 1):
            blocks = " ".join(str(k + 1) + "x" + str(self.blocks[p][k]) for k in range(3))
            lines.append(NAMES[p] + " has: " + blocks + ", rolls " + str(self.rolls[p]))
        lines.append("moves made: " + str(self.moves))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == 6:
            return "roll"
        return ("lay " if action < 3 else "push ") + str(action % 3 + 1)

    def clone(self):
        other = copy.copy(self)
        other._np_random = copy.deepcopy(self._np_random)
        other.sums = list(self.sums)
        other.floors = list(self.floors)
        other.blocks = [list(self.blocks[0]), list(self.blocks[1])]
        other.rolls = list(self.rolls)
        other.log = list(self.log)
        return other

    def key(self):
        return (
            self.current_player,
            self.done,
            self.moves,
            tuple(self.sums),
            tuple(self.floors),
            tuple(self.blocks[0]),
            tuple(self.blocks[1]),
            tuple(self.rolls),
        )
