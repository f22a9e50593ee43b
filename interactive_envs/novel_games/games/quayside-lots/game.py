"""Quayside Lots: open bids for crates that come up in random order, paid to the other bidder."""

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

CRATES = (1, 2, 3, 4, 5, 6, 8)
WORTH = sum(CRATES)
HALF = WORTH // 2
PURSE = 7
COINS = 2 * PURSE
PASS = 0
SEATS = ("First", "Second")
ONE_HOT = [[float(spot == bid) for spot in range(COINS + 1)] for bid in range(COINS + 1)]
ZEROS = [0.0] * (COINS + 1)
CRATE_HOT = {crate: [float(crate == other) for other in CRATES] for crate in CRATES}


class CustomEnv(gymnasium.Env):
    """Seven crates, fourteen coins that only change hands, and a majority to win."""

    def __init__(self):
        self.action_space = Discrete(COINS + 2)
        self.observation_space = Box(0, 1, (2 * len(CRATES) + 2 * (COINS + 1) + 3,), np.float32)
        self._later = None
        self._start(CRATES)

    def _start(self, order):
        self.current_player = 0
        self.order = order  # the crate on the block, then those to come; only the first one is known
        self.score = (0, 0)
        self.purse = PURSE  # First's coins; Second has the rest
        self.bid = -1
        self.legal = self._moves()

    def reset(self, seed=None, options=None):
        """Shuffle the crates."""
        super().reset(seed=seed)
        if self._np_random is None and self._later is not None:
            self._np_random = np.random.Generator(np.random.PCG64(0))
            self._np_random.bit_generator.state = self._later
        order = tuple(self.np_random.permutation(CRATES).tolist())
        self._later = self.np_random.bit_generator.state
        self._start(order)
        return self._observe(self.current_player), {}

    def step(self, action):
        """Bid or pass."""
        action = int(action)
        if action not in self.legal:
            return self._observe(self.current_player), -10.0, True, False, {"illegal": True}
        me = self.current_player
        self._act(action)
        winner = self._settle()
        if winner is None:
            return self._observe(self.current_player), 0.0, False, False, {}
        return self._observe(me), 1.0 if winner == me else -1.0, True, False, {"winner": winner}

    def _act(self, action):
        me = self.current_player
        if action != PASS:
            self.bid = action - 1
            self.current_player = 1 - me
            return
        crate = self.order[0]
        first, second = self.score
        self.score = (first + crate, second) if me else (first, second + crate)
        self.purse += -self.bid if me else self.bid
        self.order = self.order[1:]
        self.bid = -1

    def _settle(self):
        first, second = self.score
        if first > HALF or second > HALF:
            self.legal = []
            self.order = ()
            return 0 if first > HALF else 1
        self.legal = self._moves()
        return None

    def _moves(self):
        coins = COINS - self.purse if self.current_player else self.purse
        bids = range(self.bid + 2, coins + 2)
        return [PASS, *bids] if self.bid >= 0 else [*bids]

    def valid_moves(self):
        """List the actions that the rules allow now."""
        return self.legal[:]

    def move_name(self, action):
        """Name an action."""
        return f"bid {action - 1}" if action else "pass"

    def render(self):
        """Draw the crates, the bid and what both players have."""
        bid = "none" if self.bid < 0 else f"{self.bid} by {SEATS[1 - self.current_player]}"
        later = " ".join(map(str, sorted(self.order[1:]))) or "none"
        lines = [f"on the block: {self.order[0] if self.order else 'none'}", f"bid: {bid}", f"still to come: {later}"]
        for name, coins, worth in zip(SEATS, (self.purse, COINS - self.purse), self.score, strict=True):
            lines.append(f"{name}: {coins} coins, crates worth {worth}")
        return "\n".join(lines)

    def clone(self):
        """Copy the game."""
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other._np_random = None
        return other

    def key(self):
        """Identify the position."""
        left = 0
        for crate in self.order[1:]:
            left |= 1 << crate
        return self.current_player, self.order[:1], left, self.score[0], self.purse, self.bid

    @property
    def winner(self):
        """Tell who has won, once the game is over."""
        return 0 if self.score[0] > HALF else 1

    def chance(self, action):
        """List what can come of an action: a pass brings up any crate still to come."""
        other = self.clone()
        other._act(action)
        if other._settle() is not None or action != PASS or len(other.order) < 2:
            return [(1.0, other)]
        outcomes = []
        for place, crate in enumerate(other.order):
            case = other.clone()
            case.order = (crate, *other.order[:place], *other.order[place + 1 :])
            outcomes.append((1 / len(other.order), case))
        return outcomes

    def view(self, player):
        """Tell what a player knows: everything but the order of the crates to come."""
        return {
            "player": player,
            "board": self.render(),
            "observation": self._observe(player).tolist(),
            "mover": self.current_player,
            "block": list(self.order[:1]),
            "later": sorted(self.order[1:]),
            "score": list(self.score),
            "purse": self.purse,
            "bid": self.bid,
        }

    def resample(self, view, rng):
        """Take over a view and shuffle the crates to come."""
        self.current_player = view["mover"]
        self.order = (*view["block"], *rng.permutation(view["later"]).astype(int).tolist())
        self.score = tuple(view["score"])
        self.purse = view["purse"]
        self.bid = view["bid"]
        self._settle()

    def _observe(self, me):
        later = self.order[1:]
        values = [float(crate in later) for crate in CRATES]
        values += CRATE_HOT[self.order[0]] if self.order else [0.0] * len(CRATES)
        values += ONE_HOT[COINS - self.purse if me else self.purse]
        values += ONE_HOT[self.bid] if self.bid >= 0 else ZEROS
        values += (self.score[me] / WORTH, self.score[1 - me] / WORTH, float(me == self.current_player))
        return np.array(values, np.float32)
