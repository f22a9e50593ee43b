"""Bellring Bazaar: a walk round a ring of stalls, and sets of wares that get in each other's way."""

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

WARES = "llllssssbbbhhh"
KINDS = "lsbh"
SPOTS = len(WARES)
STEPS = 3
SEATS = ("First", "Second")
NAMES = {"l": "lamp", "s": "silk", "b": "bell", "h": "hook"}
BELLS = (0, 1, 7, 8)
HOT = {kind: [float(kind == other) for other in KINDS] for kind in KINDS}
TAILS = [[0.0] * (len(KINDS) * gone) for gone in range(SPOTS + 1)]
STEPS_LEFT = [list(range(min(STEPS, left))) for left in range(SPOTS + 1)]


class CustomEnv(gymnasium.Env):
    """Fourteen wares in a ring, four kinds, and tolls for long steps."""

    def __init__(self):
        self.action_space = Discrete(STEPS)
        self.observation_space = Box(0, 1, (SPOTS * len(KINDS) + 2 * len(KINDS) + 2,), np.float32)
        self._later = None
        self._start(WARES)

    def _start(self, ring):
        self.current_player = 0
        self.ring = ring  # the wares still there, in the order in which the walker reaches them
        self.goods = ((0,) * len(KINDS), (0,) * len(KINDS))
        self.tolls = (0, 0)
        self.legal = STEPS_LEFT[SPOTS]

    def reset(self, seed=None, options=None):
        """Shuffle the ring of stalls."""
        super().reset(seed=seed)
        if self._np_random is None and self._later is not None:
            self._np_random = np.random.Generator(np.random.PCG64(0))
            self._np_random.bit_generator.state = self._later
        order = self.np_random.permutation(SPOTS).tolist()
        self._later = self.np_random.bit_generator.state
        self._start("".join(WARES[place] for place in order))
        return self._observe(self.current_player), {}

    def step(self, action):
        """Walk one to three stalls on and take the ware there."""
        action = int(action)
        if action not in self.legal:
            return self._observe(self.current_player), -10.0, True, False, {"illegal": True}
        me = self.current_player
        ring = self.ring
        goods = list(self.goods[me])
        goods[KINDS.index(ring[action])] += 1
        first, second = self.tolls
        self.goods = (self.goods[0], tuple(goods)) if me else (tuple(goods), self.goods[1])
        self.tolls = (first, second + action) if me else (first + action, second)
        self.ring = ring[action + 1 :] + ring[:action]
        self.current_player = 1 - me
        self.legal = STEPS_LEFT[len(self.ring)]
        if self.legal:
            return self._observe(1 - me), 0.0, False, False, {}
        winner = self.winner
        return self._observe(me), 1.0 if winner == me else -1.0, True, False, {"winner": winner}

    def points(self, player):
        """Count what a player's wares are worth now, less the tolls."""
        lamps, silks, bells, hooks = self.goods[player]
        other_lamps, other_silks, _, _ = self.goods[1 - player]
        light = 1 if lamps > other_lamps else 4
        return light * lamps + silks * silks + BELLS[bells] + other_silks * hooks - self.tolls[player]

    def valid_moves(self):
        """List the actions that the rules allow now."""
        return self.legal[:]

    def move_name(self, action):
        """Name an action."""
        return f"walk {action + 1}"

    def render(self):
        """Draw the stalls ahead and what both players hold."""
        lines = [f"ahead: {' '.join(NAMES[ware] for ware in self.ring) or 'nothing'}"]
        for seat, name in enumerate(SEATS):
            goods = ", ".join(f"{NAMES[kind]} {n}" for kind, n in zip(KINDS, self.goods[seat], strict=True))
            lines.append(f"{name}: {goods}, tolls {self.tolls[seat]}, points now {self.points(seat)}")
        return "\n".join(lines)

    def clone(self):
        """Copy the game."""
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other._np_random = None
        return other

    def key(self):
        """Identify the position; only the difference of the tolls matters."""
        return self.current_player, self.ring, self.goods, self.tolls[0] - self.tolls[1]

    @property
    def winner(self):
        """Tell who has won, once the game is over."""
        return 0 if self.points(0) > self.points(1) else 1

    def chance(self, action):
        """List the one thing that comes of an action: only the set-up is random."""
        other = self.clone()
        other.step(action)
        return [(1.0, other)]

    def view(self, player):
        """Tell what a player knows: everything."""
        return {
            "player": player,
            "board": self.render(),
            "observation": self._observe(player).tolist(),
            "mover": self.current_player,
            "ring": self.ring,
            "goods": [list(goods) for goods in self.goods],
            "tolls": list(self.tolls),
        }

    def resample(self, view, rng):
        """Take over a view, which leaves nothing open."""
        self.current_player = view["mover"]
        self.ring = view["ring"]
        self.goods = tuple(tuple(goods) for goods in view["goods"])
        self.tolls = tuple(view["tolls"])
        self.legal = STEPS_LEFT[len(self.ring)]

    def _observe(self, me):
        values = []
        for ware in self.ring:
            values += HOT[ware]
        values += TAILS[SPOTS - len(self.ring)]
        values += [count / 4 for count in self.goods[me] + self.goods[1 - me]]
        values += (self.tolls[me] / 14, self.tolls[1 - me] / 14)
        return np.array(values, np.float32)
