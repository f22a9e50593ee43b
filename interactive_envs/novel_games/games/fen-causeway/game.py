"""Fen Causeway: a race over tiles that nobody knows before somebody stands on them."""

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

TILES = "ffffbbbbppww"
LENGTH = len(TILES)
KINDS = "fbpw"
NAMES = {"f": "firm", "b": "bog", "p": "plank", "w": "wisp", "?": "?"}
LEAPS = 2
CREEP, WALK, LEAP = 0, 1, 2
SEATS = ("First", "Second")
TILE_HOT = {kind: bytes(kind == other for other in "?fbpw") for kind in "?fbpw"}
SPOT_HOT = [bytes(spot == other for other in range(LENGTH + 1)) for spot in range(LENGTH + 1)]
SPOT_HOT.append(bytes(LENGTH + 1))
SCALE = np.array([1] * (5 * LENGTH + 2 * (LENGTH + 1)) + [LEAPS, LEAPS, 1, 1, 1], np.float32)


class CustomEnv(gymnasium.Env):
    """Twelve unknown tiles, three gaits, and a bank to reach first."""

    def __init__(self):
        self.action_space = Discrete(3)
        self.observation_space = Box(0, 1, SCALE.shape, np.float32)
        self._later = None
        self._start(TILES)

    def _start(self, hidden):
        self.current_player = 0
        self.hidden = hidden  # what the tiles are; only those in known have been seen
        self.known = "?" * LENGTH
        self.spots = (0, 0)
        self.leaps = (LEAPS, LEAPS)
        self.muddy = (False, False)
        self.legal = [CREEP, WALK, LEAP]

    def reset(self, seed=None, options=None):
        """Shuffle the tiles, face down."""
        super().reset(seed=seed)
        if self._np_random is None and self._later is not None:
            self._np_random = np.random.Generator(np.random.PCG64(0))
            self._np_random.bit_generator.state = self._later
        order = self.np_random.permutation(LENGTH).tolist()
        self._later = self.np_random.bit_generator.state
        self._start("".join(TILES[place] for place in order))
        return self._observe(self.current_player), {}

    def step(self, action):
        """Creep, walk or leap."""
        action = int(action)
        if action not in self.legal:
            return self._observe(self.current_player), -10.0, True, False, {"illegal": True}
        me = self.current_player
        self._go(me, action)
        if self.legal:
            return self._observe(self.current_player), 0.0, False, False, {}
        return self._observe(me), 1.0, True, False, {"winner": me}

    @staticmethod
    def _put(pair, player, value):
        return (pair[0], value) if player else (value, pair[1])

    def _go(self, me, action):
        spot = min(self.spots[me] + action + 1, LENGTH + 1)
        self.spots = self._put(self.spots, me, spot)
        if action == LEAP:
            self.leaps = self._put(self.leaps, me, self.leaps[me] - 1)
        if spot > LENGTH:
            self.legal = []
            return
        kind = self.hidden[spot - 1]
        known = self.known
        if known[spot - 1] == "?":
            self.known = known[: spot - 1] + kind + known[spot:]
        mover = 1 - me
        if action != CREEP:
            if kind == "b":
                self.muddy = self._put(self.muddy, me, True)
            elif kind == "p":
                mover = me
            elif kind == "w":
                self.spots = self.spots[::-1]
        while self.muddy[mover]:
            self.muddy = self._put(self.muddy, mover, False)
            mover = 1 - mover
        self.current_player = mover
        self.legal = self._moves()

    def _moves(self):
        return [CREEP, WALK, LEAP] if self.leaps[self.current_player] else [CREEP, WALK]

    def valid_moves(self):
        """List the actions that the rules allow now."""
        return self.legal[:]

    def move_name(self, action):
        """Name an action."""
        return ("creep", "walk", "leap")[action]

    def render(self):
        """Draw the causeway and both players."""
        tiles = " ".join(f"{place}:{NAMES[kind]}" for place, kind in enumerate(self.known, 1))
        still = ", ".join(f"{NAMES[kind]} {TILES.count(kind) - self.known.count(kind)}" for kind in KINDS)
        lines = [tiles, f"unseen: {still}"]
        for seat, name in enumerate(SEATS):
            spot = "bank" if self.spots[seat] > LENGTH else self.spots[seat]
            mud = ", loses the next turn" if self.muddy[seat] else ""
            lines.append(f"{name}: at {spot}, leaps left {self.leaps[seat]}{mud}")
        return "\n".join(lines)

    def clone(self):
        """Copy the game."""
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other._np_random = None
        return other

    def key(self):
        """Identify the position."""
        return self.current_player, self.known, self.spots, self.leaps, self.muddy

    def _lay(self, unseen):
        rest = iter(unseen)
        self.hidden = "".join(next(rest) if kind == "?" else kind for kind in self.known)

    def _unseen(self):
        return "".join(kind * (TILES.count(kind) - self.known.count(kind)) for kind in KINDS)

    @property
    def winner(self):
        """Tell who has won, once the game is over."""
        return 0 if self.spots[0] > LENGTH else 1

    def chance(self, action):
        """List what can come of an action: an unseen tile may be of any kind that is left."""
        me = self.current_player
        spot = min(self.spots[me] + action + 1, LENGTH + 1)
        outcomes = []
        if spot > LENGTH or self.known[spot - 1] != "?":
            other = self.clone()
            other._go(me, action)
            return [(1.0, other)]
        unseen = self._unseen()
        place = self.known[:spot].count("?") - 1
        for kind in dict.fromkeys(unseen):
            rest = unseen.replace(kind, "", 1)
            other = self.clone()
            other._lay(rest[:place] + kind + rest[place:])
            other._go(me, action)
            outcomes.append((unseen.count(kind) / len(unseen), other))
        return outcomes

    def view(self, player):
        """Tell what a player knows: everything but the tiles not yet seen."""
        return {
            "player": player,
            "board": self.render(),
            "observation": self._observe(player).tolist(),
            "mover": self.current_player,
            "known": self.known,
            "spots": list(self.spots),
            "leaps": list(self.leaps),
            "muddy": list(self.muddy),
        }

    def resample(self, view, rng):
        """Take over a view and shuffle the tiles not yet seen."""
        self.current_player = view["mover"]
        self.known = view["known"]
        self.spots = tuple(view["spots"])
        self.leaps = tuple(view["leaps"])
        self.muddy = tuple(view["muddy"])
        unseen = self._unseen()
        self._lay([unseen[place] for place in rng.permutation(len(unseen)).tolist()])
        self.legal = [] if max(self.spots) > LENGTH else self._moves()

    def _observe(self, me):
        other = 1 - me
        parts = [TILE_HOT[kind] for kind in self.known]
        parts += (SPOT_HOT[self.spots[me]], SPOT_HOT[self.spots[other]])
        flags = self.muddy[me], self.muddy[other], me == self.current_player
        parts.append(bytes((self.leaps[me], self.leaps[other], *flags)))
        return np.frombuffer(b"".join(parts), np.uint8) / SCALE
