"""Wandering Pivot: weights go on a beam that must stay nearly level, and each player may once move its pivot."""

import gymnasium
import numpy as np

PEGS = 9
HEAVY = (1, 2, 3, 4, 5)
LIMIT = 8
K = len(HEAVY)
LEFT, RIGHT = K * PEGS, K * PEGS + 1
FULL = (1 << K) - 1
SPAN = 2 * LIMIT + 1
WIDTH = 2 * PEGS + 2 * K + SPAN + 3
MIDDLE = (PEGS + 1) // 2
ALL = 2 * sum(HEAVY)
SHARE = [w / HEAVY[-1] for w in range(HEAVY[-1] + 1)]
ARM = [[int(p + 1 == pivot) for p in range(PEGS)] for pivot in range(PEGS + 1)]
BITS = [[hand >> k & 1 for k in range(K)] for hand in range(FULL + 1)]
TILT = [[int(i == tilt) for i in range(SPAN)] for tilt in range(SPAN)]
MIRROR = [int(f"{used:0{PEGS}b}"[::-1], 2) for used in range(1 << PEGS)]


def _safe(tilt, pivot, hand):
    return tuple(
        (k * PEGS + p, 1 << p)
        for k, w in enumerate(HEAVY)
        for p in range(PEGS)
        if hand >> k & 1 and abs(tilt + w * (p + 1 - pivot)) <= LIMIT
    )


# SAFE[pivot][tilt + LIMIT][hand]: each safe action with the bit of its peg
SAFE = [
    [[_safe(tilt, pivot, hand) for hand in range(FULL + 1)] for tilt in range(-LIMIT, LIMIT + 1)]
    if abs(pivot - MIDDLE) <= 2
    else None
    for pivot in range(PEGS + 1)
]


class CustomEnv(gymnasium.Env):
    """Two players load one beam; who has no safe move loses."""

    def __init__(self):
        self.action_space = gymnasium.spaces.Discrete(K * PEGS + 2)
        self.observation_space = gymnasium.spaces.Box(0, 1, (WIDTH,), np.float32)
        self._begin()

    def _begin(self):
        self.pegs = (0,) * PEGS
        self.used = 0
        self.hands = (FULL, FULL)
        self.shifts = (1, 1)
        self.pivot = MIDDLE
        self.tilt = 0
        self.load = 0
        self.current_player = 0
        self._list()

    def _list(self):
        tilt, used = self.tilt, self.used
        safe = SAFE[self.pivot][tilt + LIMIT][self.hands[self.current_player]]
        moves = [action for action, bit in safe if not used & bit]
        if self.shifts[self.current_player]:
            if tilt + self.load <= LIMIT:
                moves.append(LEFT)
            if tilt - self.load >= -LIMIT:
                moves.append(RIGHT)
        self.moves = moves

    def reset(self, seed=None, options=None):
        """Start a new game."""
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _obs(self):
        me = self.current_player
        seen = [
            *[SHARE[w] for w in self.pegs],
            *ARM[self.pivot],
            *BITS[self.hands[me]],
            *BITS[self.hands[1 - me]],
            *TILT[self.tilt + LIMIT],
            self.load / ALL,
            self.shifts[me],
            self.shifts[1 - me],
        ]
        return np.array(seen, np.float32)

    def valid_moves(self):
        """List the safe moves."""
        return self.moves[:]

    def step(self, action):
        """Put a weight on a peg, or move the pivot."""
        if action not in self.moves:
            return self._obs(), -10, True, False, {"illegal": True}
        me = self.current_player
        if action < LEFT:
            k, p = divmod(int(action), PEGS)
            w = HEAVY[k]
            self.pegs = (*self.pegs[:p], w, *self.pegs[p + 1 :])
            self.used |= 1 << p
            left = self.hands[me] & ~(1 << k)
            self.hands = (self.hands[0], left) if me else (left, self.hands[1])
            self.tilt += w * (p + 1 - self.pivot)
            self.load += w
        else:
            way = 1 if action == RIGHT else -1
            self.pivot += way
            self.tilt -= way * self.load
            self.shifts = (self.shifts[0], 0) if me else (0, self.shifts[1])
        self.current_player = 1 - me
        self._list()
        if self.moves:
            return self._obs(), 0, False, False, {}
        return self._obs(), 1, True, False, {"winner": me}

    def render(self):
        """Draw the beam, the pivot, the tilt and the weights left."""
        rows = [
            "peg:    " + " ".join(str(p + 1) for p in range(PEGS)),
            "weight: " + " ".join(str(w or ".") for w in self.pegs),
            "pivot:  " + " ".join("^" if p + 1 == self.pivot else " " for p in range(PEGS)).rstrip(),
            f"tilt {self.tilt} (safe from {-LIMIT} to {LIMIT}), load {self.load}",
        ]
        for player, name in enumerate(("first", "second")):
            hand = " ".join(str(w) for k, w in enumerate(HEAVY) if self.hands[player] >> k & 1) or "-"
            rows.append(f"{name} has: {hand}" + ("   and a pivot move" if self.shifts[player] else ""))
        rows.append(("first", "second")[self.current_player] + (" to move" if self.moves else " has no allowed move"))
        return "\n".join(rows)

    def move_name(self, action):
        """Name a move."""
        if action < LEFT:
            return f"put {HEAVY[action // PEGS]} at {action % PEGS + 1}"
        return "pivot left" if action == LEFT else "pivot right"

    def clone(self):
        """Copy the game."""
        twin = CustomEnv.__new__(CustomEnv)
        twin.__dict__.update(self.__dict__)
        return twin

    def key(self):
        """Return the whole state; which peg holds which weight matters only by the tilt, and mirror images are one."""
        this = (self.used, self.tilt, self.pivot)
        other = (MIRROR[self.used], -self.tilt, PEGS + 1 - self.pivot)
        return (*min(this, other), self.hands, self.shifts, self.current_player)
