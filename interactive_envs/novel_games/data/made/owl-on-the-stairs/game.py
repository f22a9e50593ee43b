import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
TOWERS = "ABC"
CARDS = 12
LEVELS = 4
STRIDE = 4


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self, render_mode=None):
        super().__init__()
        self.render_mode = render_mode
        self.action_space = Discrete(CARDS * 3)
        self.observation_space = Box(low=0.0, high=12.0, shape=(38,), dtype=np.float32)
        self._start([k % 3 for k in range(CARDS)])

    def _start(self, flights):
        self.flights = tuple(flights)
        self.row = [True] * CARDS
        self.towers = [[], [], []]
        self.owl = 0
        self.current_player = 0
        self.done = False
        self.winner = None
        self.log = []

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        order = self.np_random.permutation(CARDS)
        self._start([int(k) % 3 for k in order])
        return self._obs(), {}

    def _obs(self):
        values = []
        for tower in self.towers:
            values += tower + [0] * (LEVELS - len(tower))
        values += [1 if here else 0 for here in self.row]
        values += list(self.flights)
        values += [self.owl, self.current_player]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        moves = []
        for card in range(1, CARDS + 1):
            if not self.row[card - 1]:
                continue
            for t in range(3):
                tower = self.towers[t]
                top = tower[-1] if tower else 0
                if len(tower) < LEVELS and top < card <= top + STRIDE:
                    moves.append((card - 1) * 3 + t)
        return moves

    def step(self, action):
        action = int(action)
        p = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        index, t = divmod(action, 3)
        self.row[index] = False
        self.towers[t].append(index + 1)
        self.log.append(NAMES[p] + ": " + self.move_name(action))
        self.current_player = 1 - p
        standing = all(len(tower) > 0 for tower in self.towers)
        if self.owl == t and len(self.towers[t]) == LEVELS and standing:
            self.done = True
            self.winner = p
        else:
            self.owl = (self.owl + self.flights[index]) % 3
            if not self.valid_moves():
                self.done = True
                self.winner = p
        if self.done:
            return self._obs(), 1.0, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def view(self, player):
        """Nothing is hidden: the wings lie open from the start."""
        return {
            "player": int(player),
            "board": self.render(),
            "observation": [float(v) for v in self._obs()],
            "log": list(self.log),
            "flights": [int(v) for v in self.flights],
            "row": [1 if here else 0 for here in self.row],
            "towers": [[int(c) for c in tower] for tower in self.towers],
            "owl": int(self.owl),
            "current_player": int(self.current_player),
            "done": bool(self.done),
            "winner": None if self.winner is None else int(self.winner),
        }

    def resample(self, view, rng):
        """Takes the position from the view, with the wings that were dealt."""
        self.flights = tuple(int(v) for v in view["flights"])
        self.row = [bool(here) for here in view["row"]]
        self.towers = [[int(c) for c in tower] for tower in view["towers"]]
        self.owl = int(view["owl"])
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
        left = [str(k + 1) for k in range(CARDS) if self.row[k]]
        lines.append("row: " + (" ".join(left) if left else "empty"))
        for t in range(3):
            cards = " ".join(str(c) for c in self.towers[t]) or "empty"
            lines.append(TOWERS[t] + ": " + cards)
        lines.append("owl: " + TOWERS[self.owl])
        wings = " ".join(str(k + 1) + "/" + str(self.flights[k]) for k in range(CARDS))
        lines.append("wings: " + wings)
        return "\n".join(lines)

    def move_name(self, action):
        index, t = divmod(int(action), 3)
        return str(index + 1) + " on " + TOWERS[t]

    def chance(self, action):
        other = self.clone()
        other.step(action)
        return [(1.0, other)]

    def clone(self):
        other = copy.copy(self)
        other._np_random = copy.deepcopy(self._np_random)
        other.row = list(self.row)
        other.towers = [list(tower) for tower in self.towers]
        other.log = list(self.log)
        return other

    def key(self):
        return (
            self.current_player,
            self.done,
            self.owl,
            self.flights,
            tuple(self.row),
            tuple(tuple(tower) for tower in self.towers),
        )
