"""Ember Isles: two walkers on nine islands, and every bridge burns behind the one who crossed it."""

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

ISLES = "abcdefghi"
BRIDGES = "ab bc de ef gh hi ad dg be eh cf fi ae ce eg ei".split()
ENDS = [(ISLES.index(x), ISLES.index(y)) for x, y in BRIDGES]
STARTS = (0, 8)
PLANKS = 1
COUNT = len(BRIDGES)
TOUCH = [[i for i, ends in enumerate(ENDS) if isle in ends] for isle in range(9)]
OTHER = [{i: ends[0] + ends[1] - isle for i, ends in enumerate(ENDS) if isle in ends} for isle in range(9)]
STEPS = [[[(OTHER[isle][i], i) for i in TOUCH[isle]], TOUCH[isle]] for isle in range(9)]
for _walks, _ in STEPS:
    _walks.sort()
WIDTH = COUNT + 18 + 2 * (PLANKS + 1) + 1


class CustomEnv(gymnasium.Env):
    """Whoever can neither walk nor lay a plank loses."""

    def __init__(self):
        self.action_space = Discrete(9 + COUNT)
        self.observation_space = Box(low=0, high=1, shape=(WIDTH,), dtype=np.float32)
        self._start()

    def _start(self):
        self.bridges = (1 << COUNT) - 1
        self.places = list(STARTS)
        self.planks = [PLANKS, PLANKS]
        self.current_player = 0
        self.moves = self._options()

    def reset(self, seed=None, options=None):
        """Starts a new game."""
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def step(self, action):
        """Plays a move for the player whose turn it is."""
        action = int(action)
        if action not in self.moves:
            return self._observe(), -10, True, False, {"illegal": True}
        player = self.current_player
        if action < 9:
            place = self.places[player]
            bridge = next(i for to, i in STEPS[place][0] if to == action)
            self.bridges ^= 1 << bridge
            self.places[player] = action
        else:
            self.bridges |= 1 << action - 9
            self.planks[player] -= 1
        self.current_player = 1 - player
        self.moves = self._options()
        if self.moves:
            return self._observe(), 0, False, False, {}
        return self._observe(), 1, True, False, {"winner": player}

    def valid_moves(self):
        """The legal action indices, ascending."""
        return self.moves.copy()

    def _options(self):
        player = self.current_player
        walks, touching = STEPS[self.places[player]]
        bridges = self.bridges
        enemy = self.places[1 - player]
        out = [to for to, i in walks if bridges >> i & 1 and to != enemy]
        if self.planks[player]:
            out += [9 + i for i in touching if not bridges >> i & 1]
        return out

    def move_name(self, action):
        """The move in words."""
        return f"walk to {ISLES[action]}" if action < 9 else f"rebuild {BRIDGES[action - 9]}"

    def render(self):
        """The list of islands with the bridges that stand."""
        lines = []
        for isle in range(9):
            who = "".join(mark for mark, place in zip("12", self.places, strict=True) if place == isle) or "."
            near = sorted(OTHER[isle][i] for i in TOUCH[isle] if self.bridges >> i & 1)
            lines.append(f"{ISLES[isle]} {who} bridges to: " + (" ".join(ISLES[n] for n in near) or "none"))
        lines.append(f"planks: first {self.planks[0]}, second {self.planks[1]}")
        return "\n".join(lines)

    def _observe(self):
        me = self.current_player
        bits = self.bridges
        cells = [float(bits >> i & 1) for i in range(COUNT)] + [0.0] * (WIDTH - COUNT)
        cells[COUNT + self.places[me]] = 1.0
        cells[COUNT + 9 + self.places[1 - me]] = 1.0
        cells[COUNT + 18 + self.planks[me]] = 1.0
        cells[COUNT + 19 + PLANKS + self.planks[1 - me]] = 1.0
        cells[-1] = float(me)
        return np.array(cells, dtype=np.float32)

    def clone(self):
        """An independent copy."""
        new = CustomEnv.__new__(CustomEnv)
        new.__dict__.update(self.__dict__)
        new.places = self.places.copy()
        new.planks = self.planks.copy()
        return new

    def key(self):
        """The complete state."""
        return self.bridges, *self.places, *self.planks, self.current_player
