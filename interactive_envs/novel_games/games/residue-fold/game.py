"""Residue Fold: neighbouring digits fold into one, and the sum of the row says whom the new digit pays."""

import gymnasium
import numpy as np

ROW = (8, 3, 7, 9, 4, 1, 2, 0, 6, 5)
N = len(ROW)
SPAN = 40


def _result(x, y, kind):
    return abs(x - y) if kind else (x + y) % 10


FOLD = [[[_result(x, y, kind) for kind in (0, 1)] for y in range(10)] for x in range(10)]
EVERY = list(range(2 * (N - 1)))
WIDTH = 10 * N + 2 + 3


class CustomEnv(gymnasium.Env):
    """Two players fold one row of digits; more points win."""

    def __init__(self):
        self.action_space = gymnasium.spaces.Discrete(2 * (N - 1))
        self.observation_space = gymnasium.spaces.Box(0, 1, (WIDTH,), np.float32)
        self._begin()

    def _begin(self):
        self.row = ROW
        self.lead = 0
        self.current_player = 0

    def reset(self, seed=None, options=None):
        """Start a new game."""
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _obs(self):
        seen = np.zeros(WIDTH, np.float32)
        seen[[10 * i + digit for i, digit in enumerate(self.row)]] = 1
        lead = -self.lead if self.current_player else self.lead
        seen[10 * N] = min(max(lead / SPAN, 0), 1)
        seen[10 * N + 1] = min(max(-lead / SPAN, 0), 1)
        seen[10 * N + 2 + sum(self.row) % 3] = 1
        return seen

    def valid_moves(self):
        """List the folds: two for each pair of neighbours."""
        return EVERY[: 2 * (len(self.row) - 1)]

    def step(self, action):
        """Fold two neighbours."""
        row = self.row
        if not 0 <= action < 2 * (len(row) - 1):
            return self._obs(), -10, True, False, {"illegal": True}
        me = self.current_player
        i = int(action) >> 1
        made = FOLD[row[i]][row[i + 1]][action & 1]
        self.row = row = (*row[:i], made, *row[i + 2 :])
        residue = sum(row) % 3
        if residue == 0:
            self.lead += -made if me else made
        elif residue == 1:
            self.lead += made if me else -made
        if residue != 2:
            self.current_player = 1 - me
        if len(row) > 1:
            return self._obs(), 0, False, False, {}
        winner = 1 - me if self.lead == 0 else int(self.lead < 0)
        return self._obs(), 1 if winner == me else -1, True, False, {"winner": winner}

    def render(self):
        """Draw the row with the number of each place, its sum and the lead."""
        turn = "over" if len(self.row) == 1 else ("first", "second")[self.current_player] + " to move"
        lead = "even" if not self.lead else f"{('first', 'second')[self.lead < 0]} leads by {abs(self.lead)}"
        total = sum(self.row)
        return "\n".join(
            (
                "place: " + " ".join(f"{i + 1:2}" for i in range(len(self.row))),
                "digit: " + " ".join(f"{digit:2}" for digit in self.row),
                f"sum {total}, residue {total % 3}",
                lead,
                turn,
            )
        )

    def move_name(self, action):
        """Name a fold by the place of its left digit."""
        return f"{('add', 'gap')[action & 1]} {(action >> 1) + 1}"

    def clone(self):
        """Copy the game."""
        twin = CustomEnv.__new__(CustomEnv)
        twin.action_space, twin.observation_space = self.action_space, self.observation_space
        twin.row, twin.lead, twin.current_player = self.row, self.lead, self.current_player
        return twin

    def key(self):
        """Return the whole state."""
        return (self.row, self.lead, self.current_player)
