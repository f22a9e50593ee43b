"""Anvil Clock: two squads of three fighters; every blow costs time and the squad with less time spent acts."""

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("dancer", "smith", "giant")
LIFE = (3, 3, 4)
HIT = (1, 2, 3)
TIME = (1, 2, 4)
GUARD_TIME = 1
HEAD_START = 0
LATEST = 5
FRESH = 3
GUARDING = 4
ACTIONS = 12
WIDTH = 6 + 2 * 7 + LATEST + 2


class CustomEnv(gymnasium.Env):
    """A squad's state is 0-2 (that fighter is tired), 3 (all are fresh) or 4-6 (fighter 0-2 guards and is tired)."""

    def __init__(self):
        self.action_space = Discrete(ACTIONS)
        self.observation_space = Box(low=0, high=1, shape=(WIDTH,), dtype=np.float32)
        self._start()

    def _start(self):
        self.life = [list(LIFE), list(LIFE)]
        self.state = [FRESH, FRESH]
        self.slack = HEAD_START
        self.current_player = 0
        self.over = False

    def reset(self, seed=None, options=None):
        """Starts a new game."""
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def step(self, action):
        """Plays a move for the player whose turn it is."""
        action = int(action)
        if action not in self.valid_moves():
            return self._observe(), -10, True, False, {"illegal": True}
        player = self.current_player
        if action < 9:
            fighter, target = divmod(action, 3)
            self.state[player] = fighter
            damage = HIT[fighter]
            if self.state[1 - player] >= GUARDING:
                target = self.state[1 - player] - GUARDING
                self.state[1 - player] = target
                damage = max(1, damage - 1)
            life = self.life[1 - player]
            life[target] = max(0, life[target] - damage)
            if not any(life):
                self.over = True
                return self._observe(), 1, True, False, {"winner": player}
            if not life[target] and self.state[1 - player] == target:
                self.state[1 - player] = FRESH
            self.slack -= TIME[fighter]
        else:
            self.state[player] = action - 9 + GUARDING
            self.slack -= GUARD_TIME
        if self.slack <= 0:
            self.slack = -self.slack
            self.current_player = 1 - player
        return self._observe(), 0, False, False, {}

    def valid_moves(self):
        """The legal action indices, ascending."""
        if self.over:
            return []
        player = self.current_player
        life, enemy, state = self.life[player], self.life[1 - player], self.state[player]
        alive = [i for i in (0, 1, 2) if life[i]]
        if len(alive) > 1:
            tired = state if state < GUARDING else state - GUARDING
            alive = [i for i in alive if i != tired]
        out = [3 * i + j for i in alive for j in (0, 1, 2) if enemy[j]]
        if state < GUARDING:
            out += [9 + i for i in alive]
        return out

    def move_name(self, action):
        """The move in words."""
        return f"{NAMES[action // 3]} hits {NAMES[action % 3]}" if action < 9 else f"{NAMES[action - 9]} guards"

    def render(self):
        """Both squads and the clock as text."""
        lines = []
        for player, title in enumerate(("first", "second")):
            state = self.state[player]
            texts = []
            for i, name in enumerate(NAMES):
                mood = " (guards)" if state == GUARDING + i else " (tired)" if state == i else ""
                texts.append(f"{name} {self.life[player][i]}{mood}" if self.life[player][i] else f"{name} out")
            lines.append(f"{title}: " + ", ".join(texts))
        if self.over:
            return "\n".join([*lines, "the fight is over"])
        lines.append(f"{('first', 'second')[self.current_player]} acts and is {self.slack} behind on the clock")
        return "\n".join(lines)

    def _observe(self):
        me = self.current_player
        mine, other = self.life[me], self.life[1 - me]
        cells = [0.0] * WIDTH
        for i in (0, 1, 2):
            cells[i] = mine[i] / LIFE[i]
            cells[3 + i] = other[i] / LIFE[i]
        cells[6 + self.state[me]] = 1.0
        cells[13 + self.state[1 - me]] = 1.0
        cells[20 + min(LATEST, self.slack)] = 1.0
        cells[-1] = me
        return np.array(cells, dtype=np.float32)

    def clone(self):
        """An independent copy."""
        new = CustomEnv.__new__(CustomEnv)
        new.__dict__.update(self.__dict__)
        new.life = [self.life[0].copy(), self.life[1].copy()]
        new.state = self.state.copy()
        return new

    def key(self):
        """The complete state."""
        return *self.life[0], *self.life[1], *self.state, self.slack, self.current_player
