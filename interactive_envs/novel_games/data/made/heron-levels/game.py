import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

ROW = [2, 4, 1, 3, 2, 4, 5, 1, 3, 4, 2, 1, 3]
WELLS = "ABCD"
NAMES = ["first", "second"]


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(len(ROW) * 4)
        self.observation_space = Box(-1.0, 60.0, shape=(23,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.row = list(ROW)
        self.heron = 6
        self.wells = [[0, 0, 0, 0], [0, 0, 0, 0]]
        self.current_player = 0
        self.done = False

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        me = self.current_player
        values = self.row + [self.heron] + self.wells[me] + self.wells[1 - me] + [me]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        moves = []
        for i, card in enumerate(self.row):
            if card and i != self.heron:
                moves.extend(i * 4 + w for w in range(4))
        return moves

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            self.done = True
            return self._obs(), -10.0, True, False, {"winner": 1 - me}
        place, well = divmod(action, 4)
        self.wells[me][well] += self.row[place]
        self.row[place] = 0
        winner = None
        if min(self.wells[me]) == max(self.wells[me]):
            self.done = True
            winner = me
        elif sum(1 for card in self.row if card) == 1:
            self.done = True
            gaps = [max(w) - min(w) for w in self.wells]
            winner = 0 if gaps[0] < gaps[1] else 1
        else:
            if me == 1:
                spot = (self.heron + 1) % len(self.row)
                while not self.row[spot]:
                    spot = (spot + 1) % len(self.row)
                self.heron = spot
            self.current_player = 1 - me
        if self.done:
            return self._obs(), (1.0 if winner == me else 0.0), True, False, {"winner": winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        cells = []
        for i, card in enumerate(self.row):
            text = str(card) if card else "."
            cells.append("[" + text + "]" if i == self.heron else text)
        who = "nobody" if self.done else NAMES[self.current_player]
        return "\n".join([
            "row: " + " ".join(cells),
            "heron: " + str(self.heron + 1),
            "first wells: " + " ".join(str(v) for v in self.wells[0]),
            "second wells: " + " ".join(str(v) for v in self.wells[1]),
            "to move: " + who,
        ])

    def move_name(self, action):
        place, well = divmod(int(action), 4)
        return "card " + str(place + 1) + " to " + WELLS[well]

    def clone(self):
        return copy.deepcopy(self)

    def key(self):
        return (tuple(self.row), self.heron, tuple(self.wells[0]), tuple(self.wells[1]),
                self.current_player, self.done)
