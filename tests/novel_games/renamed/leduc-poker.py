"""leduc-poker"""

import gymnasium, numpy as np
from gymnasium.spaces import Box, Discrete

GIVE_UP, MATCH, LIFT = 0, 1, 2


class CustomEnv(gymnasium.Env):
    """Six gems, two of each of three kinds. One is held by each, one is laid open after the first round."""

    def __init__(self):
        self.action_space = Discrete(3)
        self.observation_space = Box(-1, 20, shape=(7,), dtype=np.float32)
        self.current_player = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        bag = self.np_random.permutation(6)
        self.held = [int(bag[0]) // 2, int(bag[1]) // 2]
        self.table = int(bag[2]) // 2
        self.paid = [1, 1]
        self.stage = 0
        self.lifts = 0
        self.spoken = 0
        self.current_player = 0
        return self._obs(), {}

    def _obs(self):
        p = self.current_player
        return np.array(
            [self.held[p], self.table if self.stage else -1, *self.paid, self.stage, self.lifts, p], dtype=np.float32
        )

    def valid_moves(self):
        p = self.current_player
        acts = [MATCH]
        if self.paid[p] < self.paid[1 - p]:
            acts.insert(0, GIVE_UP)
        if self.lifts < 2:
            acts.append(LIFT)
        return acts

    def _best(self):
        a, b = self.held
        if a == b:
            return None
        if self.table in (a, b):
            return 0 if a == self.table else 1
        return 0 if a > b else 1

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            return self._obs(), -10, True, False, {"winner": 1 - me}
        if action == GIVE_UP:
            return self._obs(), 0, True, False, {"winner": 1 - me}
        self.spoken += 1
        self.paid[me] = self.paid[1 - me]
        self.current_player = 1 - me
        if action == LIFT:
            self.paid[me] += 2 if self.stage == 0 else 4
            self.lifts += 1
        elif self.spoken >= 2:
            if self.stage == 1:
                w = self._best()
                return self._obs(), 1 if w == me else 0, True, False, {"winner": w}
            self.stage, self.lifts, self.spoken, self.current_player = 1, 0, 0, 0
        return self._obs(), 0, False, False, {}

    def render(self):
        return f"held {self.held}, table {self.table if self.stage else '?'}, paid {self.paid}"
