"""Fading Wards: two wizards with mana, dice and shields that wear away turn by turn."""

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

LIFE = 20
MANA = 8
WARD = 8
START_MANA = (1, 2)
TURNS = 80
SEATS = ("first", "second")
NAMES = ("draw", "draw deep", "ward", "spark", "lance", "storm")
COST = (0, 0, 2, 1, 3, 5)
DRAW, DEEP, SHIELD, STORM = 0, 1, 2, 5
GAIN = 2
BACKLASH = 3
WARD_GAIN = 4
NOTHING = 6
DIE = (1, 2, 3, 4)
DEEP_ROLLS = [0 if x == y else max(x, y) for x in DIE for y in DIE]
ROLLS = ([0], DEEP_ROLLS, [0], list(DIE), [x + 2 for x in DIE], [x + y + 2 for x in DIE for y in DIE])
WIDTH = 6 + 2 * (NOTHING + 1) + 2


class CustomEnv(gymnasium.Env):
    """A spell other than draw may not be cast twice in a row by the same wizard."""

    def __init__(self):
        self.action_space = Discrete(len(NAMES))
        self.observation_space = Box(low=0, high=1, shape=(WIDTH,), dtype=np.float32)
        self._shared = False
        self._fresh = None
        self._start()

    def _start(self):
        self.life = [LIFE, LIFE]
        self.mana = list(START_MANA)
        self.ward = [0, 0]
        self.last = [NOTHING, NOTHING]
        self.played = 0
        self.news = "nothing yet"
        self.current_player = 0
        self.over = False

    def reset(self, seed=None, options=None):
        """Starts a new game."""
        super().reset(seed=seed)
        if seed is not None:
            self._shared, self._fresh = False, None
        self._start()
        return self._observe(0), {}

    def _roll(self, rolls):
        if self._fresh is not None:
            self._np_random = np.random.Generator(np.random.PCG64(self._fresh))
            self._shared, self._fresh = False, None
        elif self._shared:
            # The generator is copied only when a die falls: most clones of a search never roll one.
            bits = self.np_random.bit_generator
            self._np_random = np.random.Generator(type(bits)(0))
            self._np_random.bit_generator.state = bits.state
            self._shared = False
        return rolls[int(self.np_random.random() * len(rolls))]

    def step(self, action):
        """Casts a spell for the player whose turn it is."""
        action = int(action)
        player = self.current_player
        if action not in self.valid_moves():
            return self._observe(player), -10, True, False, {"illegal": True}
        rolls = ROLLS[action]
        self._cast(action, rolls[0] if len(rolls) == 1 else self._roll(rolls))
        if not self.over:
            return self._observe(1 - player), 0, False, False, {}
        winner = self.winner
        return self._observe(1 - player), 1 if winner == player else -1, True, False, {"winner": winner}

    def _cast(self, action, roll):
        me = self.current_player
        foe = 1 - me
        self.mana[me] -= COST[action]
        self.last[me] = action
        if action == DRAW:
            self.mana[me] = min(MANA, self.mana[me] + GAIN)
        elif action == DEEP:
            self.mana[me] = min(MANA, self.mana[me] + roll)
            if not roll:
                self.life[me] = max(0, self.life[me] - BACKLASH)
        elif action == SHIELD:
            self.ward[me] = min(WARD, self.ward[me] + WARD_GAIN)
        else:
            if action == STORM:
                self.ward[foe] = 0
            stopped = min(roll, self.ward[foe])
            self.ward[foe] -= stopped
            self.life[foe] = max(0, self.life[foe] - roll + stopped)
        self.news = f"{SEATS[me]} casts {NAMES[action]}" + (f", rolled {roll}" if len(ROLLS[action]) > 1 else "")
        self.played += 1
        self.current_player = foe
        if self.ward[foe]:
            self.ward[foe] -= 1
        self.over = not (self.life[0] and self.life[1]) or self.played == TURNS

    def valid_moves(self):
        """The legal action indices, ascending."""
        if self.over:
            return []
        me = self.current_player
        mana, last = self.mana[me], self.last[me]
        return [a for a in range(6) if COST[a] <= mana and (a != last or a == DRAW)]

    def move_name(self, action):
        """The move in words."""
        return NAMES[action]

    def render(self):
        """Both wizards as text."""
        lines = []
        for p in (0, 1):
            last = NAMES[self.last[p]] if self.last[p] < NOTHING else "nothing"
            state = f"life {self.life[p]}, mana {self.mana[p]}, ward {self.ward[p]}"
            lines.append(f"{SEATS[p]}: {state}, last spell {last}")
        lines.append(f"{self.news}; turns left {TURNS - self.played}")
        return "\n".join(lines)

    def _observe(self, me):
        foe = 1 - me
        cells = [0.0] * WIDTH
        cells[0] = self.life[me] / LIFE
        cells[1] = self.life[foe] / LIFE
        cells[2] = self.mana[me] / MANA
        cells[3] = self.mana[foe] / MANA
        cells[4] = self.ward[me] / WARD
        cells[5] = self.ward[foe] / WARD
        cells[6 + self.last[me]] = 1.0
        cells[7 + NOTHING + self.last[foe]] = 1.0
        cells[-2] = self.played / TURNS
        cells[-1] = me
        return np.array(cells, dtype=np.float32)

    def clone(self):
        """An independent copy."""
        self._shared = True
        new = CustomEnv.__new__(CustomEnv)
        new.__dict__.update(self.__dict__)
        new.life = self.life.copy()
        new.mana = self.mana.copy()
        new.ward = self.ward.copy()
        new.last = self.last.copy()
        return new

    def key(self):
        """The complete state."""
        return *self.life, *self.mana, *self.ward, *self.last, self.played

    @property
    def winner(self):
        """Tell who has won, once the game is over."""
        scores = [(self.life[p], self.mana[p] + self.ward[p]) for p in (0, 1)]
        return int(scores[0] <= scores[1])

    def chance(self, action):
        """Every outcome of an action with its probability."""
        rolls = ROLLS[action]
        out = []
        for roll in sorted(set(rolls)):
            new = self.clone()
            new._cast(action, roll)
            out.append((rolls.count(roll) / len(rolls), new))
        return out

    def view(self, player):
        """All that a player may know: everything but the dice to come."""
        return {
            "player": player,
            "board": self.render(),
            "observation": self._observe(player).tolist(),
            "life": self.life.copy(),
            "mana": self.mana.copy(),
            "ward": self.ward.copy(),
            "last": self.last.copy(),
            "played": self.played,
            "to_move": self.current_player,
            "over": self.over,
            "news": self.news,
        }

    def resample(self, view, rng):
        """Takes over the state of the view and new dice from the generator."""
        for name in ("life", "mana", "ward", "last"):
            setattr(self, name, list(view[name]))
        self.played = view["played"]
        self.current_player = view["to_move"]
        self.over = view["over"]
        self.news = view["news"]
        self._fresh = int(rng.integers(1 << 62))
