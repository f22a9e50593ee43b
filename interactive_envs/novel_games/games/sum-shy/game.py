"""Sum Shy: own no number that is the sum of two others of yours, and keep away from the number just taken."""

import gymnasium
import numpy as np

N = 14
AWAY = 3
WIDTH = 4 * N + N + 1


def _bits(mask):
    return [n for n in range(1, N + 1) if mask >> n & 1]


FAR = [sum(1 << n for n in range(1, N + 1) if not last or abs(n - last) >= AWAY) for last in range(N + 1)]
DIGITS = bytes.maketrans(b"01", b"\0\1")


class CustomEnv(gymnasium.Env):
    """Two players take numbers; who can take none loses."""

    def __init__(self):
        self.action_space = gymnasium.spaces.Discrete(N)
        self.observation_space = gymnasium.spaces.Box(0, 1, (WIDTH,), np.float32)
        self._begin()

    def _begin(self):
        self.mine, self.other = 0, 0
        self.mine_spoilt, self.other_spoilt = 0, 0
        self.last = 0
        self.open = FAR[0]
        self.current_player = 0

    def reset(self, seed=None, options=None):
        """Start a new game."""
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _obs(self):
        masks = (self.mine, self.other, self.mine_spoilt, self.other_spoilt, (1 << self.last) & ~1)
        text = "".join([f"{mask >> 1:014b}" for mask in masks]) + str(self.current_player)
        return np.frombuffer(text.encode().translate(DIGITS), np.uint8).astype(np.float32)

    def valid_moves(self):
        """List the numbers free to take, as indices from 0."""
        open_ = self.open
        return [n - 1 for n in range(1, N + 1) if open_ >> n & 1]

    def step(self, action):
        """Take a number."""
        n = int(action) + 1
        if not (1 <= n <= N and self.open >> n & 1):
            return self._obs(), -10, True, False, {"illegal": True}
        spoilt = self.mine_spoilt
        for other in _bits(self.mine):
            spoilt |= (1 << n + other | 1 << abs(n - other)) & FAR[0]
        self.mine, self.other = self.other, self.mine | 1 << n
        self.mine_spoilt, self.other_spoilt = self.other_spoilt, spoilt
        self.last = n
        self.current_player ^= 1
        self.open = FAR[n] & ~(self.mine | self.other | self.mine_spoilt)
        if self.open:
            return self._obs(), 0, False, False, {}
        return self._obs(), 1, True, False, {"winner": 1 - self.current_player}

    def render(self):
        """Draw the line of numbers, who took which, and what is forbidden to whom."""
        turn = ("first", "second")[self.current_player] + (" to move" if self.open else " cannot take a number")
        first, second = (self.mine, self.other) if not self.current_player else (self.other, self.mine)
        bad = (self.mine_spoilt, self.other_spoilt)
        taken = first | second
        words = [
            " ".join(str(n) for n in _bits(spoilt & ~taken)) or "-"
            for spoilt in (bad if not self.current_player else bad[::-1])
        ]
        marks = ["F" if first >> n & 1 else "S" if second >> n & 1 else "." for n in range(1, N + 1)]
        return "\n".join(
            (
                "number: " + " ".join(f"{n:2}" for n in range(1, N + 1)),
                "taken:  " + " ".join(f"{mark:>2}" for mark in marks),
                f"just taken: {self.last or '-'}",
                f"sum or difference for first: {words[0]}",
                f"sum or difference for second: {words[1]}",
                turn,
            )
        )

    def move_name(self, action):
        """Name a number."""
        return f"take {action + 1}"

    def clone(self):
        """Copy the game."""
        twin = CustomEnv.__new__(CustomEnv)
        twin.__dict__.update(self.__dict__)
        return twin

    def key(self):
        """Return the whole state."""
        return (self.mine, self.other, self.last, self.current_player)
