"""Lane Levy: coins fill four lanes, the larger share of a full lane earns it, and the last coin earns a toll."""

import gymnasium
import numpy as np

ROOM = (3, 5, 5, 7)
WORTH = (5, 5, 6, 7)
TOLL = 1
COINS = 11
STAKES = (1, 2, 3)
LANES = range(len(ROOM))
LETTERS = "abcd"
ALL = sum(WORTH) + TOLL * len(ROOM)
WIDTH = 5 * len(ROOM) + 2 * COINS + 2


class CustomEnv(gymnasium.Env):
    """Two players fill lanes with coins; more points win."""

    def __init__(self):
        self.action_space = gymnasium.spaces.Discrete(len(ROOM) * len(STAKES))
        self.observation_space = gymnasium.spaces.Box(0, 1, (WIDTH,), np.float32)
        self._begin()

    def _begin(self):
        self.put = ((0,) * len(ROOM), (0,) * len(ROOM))
        self.coins = (COINS, COINS)
        self.free = ROOM
        self.barred = -1
        self.lead = 0
        self.current_player = 0
        self._list()

    def _list(self):
        purse = self.coins[self.current_player]
        free = self.free
        self.moves = [3 * i + k - 1 for i in LANES if i != self.barred for k in STAKES if k <= free[i] and k <= purse]

    def reset(self, seed=None, options=None):
        """Start a new game."""
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _obs(self):
        me = self.current_player
        mine, other = self.put[me], self.put[1 - me]
        seen = []
        for i in LANES:
            room = ROOM[i]
            open_ = self.free[i] > 0
            seen += (mine[i] / room, other[i] / room, open_, mine[i] > other[i] and not open_, i == self.barred)
        for coins in (self.coins[me], self.coins[1 - me]):
            seen += [1] * coins + [0] * (COINS - coins)
        lead = -self.lead if me else self.lead
        seen += (max(lead, 0) / ALL, max(-lead, 0) / ALL)
        return np.array(seen, np.float32)

    def valid_moves(self):
        """List the bets that are allowed now."""
        return self.moves[:]

    def step(self, action):
        """Put coins on a lane."""
        if action not in self.moves:
            return self._obs(), -10, True, False, {"illegal": True}
        me = self.current_player
        i, k = int(action) // 3, int(action) % 3 + 1
        put = [list(self.put[0]), list(self.put[1])]
        put[me][i] += k
        self.put = (tuple(put[0]), tuple(put[1]))
        free = list(self.free)
        free[i] -= k
        self.free = tuple(free)
        self.coins = (self.coins[0] - k, self.coins[1]) if me == 0 else (self.coins[0], self.coins[1] - k)
        if not free[i]:
            self.lead += (WORTH[i] if put[0][i] > put[1][i] else -WORTH[i]) + (-TOLL if me else TOLL)
        if not any(free):
            self.moves = []
            self.current_player = 1 - me
            winner = int(self.lead < 0)
            return self._obs(), 1 if winner == me else -1, True, False, {"winner": winner}
        self.barred = -1
        if self.coins[1 - me]:
            self.current_player = 1 - me
            if free[i] and any(free[j] for j in LANES if j != i):
                self.barred = i
        self._list()
        return self._obs(), 0, False, False, {}

    def render(self):
        """Draw the lanes, the coins left and the score."""
        rows = ["lane  worth  room  first  second  state"]
        for i in LANES:
            first, second = self.put[0][i], self.put[1][i]
            if not self.free[i]:
                state = "won by " + ("first" if first > second else "second")
            else:
                state = "barred" if i == self.barred else f"open, {self.free[i]} left"
            rows.append(f"{LETTERS[i]:4}  {WORTH[i]:5}  {ROOM[i]:4}  {first:5}  {second:6}  {state}")
        rows.append(f"coins: first {self.coins[0]}, second {self.coins[1]}")
        rows.append("even" if not self.lead else f"{('first', 'second')[self.lead < 0]} leads by {abs(self.lead)}")
        rows.append(("first", "second")[self.current_player] + " to move" if self.moves else "over")
        return "\n".join(rows)

    def move_name(self, action):
        """Name a bet."""
        return f"put {action % 3 + 1} on {LETTERS[action // 3]}"

    def clone(self):
        """Copy the game."""
        twin = CustomEnv.__new__(CustomEnv)
        twin.__dict__.update(self.__dict__)
        return twin

    def key(self):
        """Return the whole state; the shares of a full lane no longer matter."""
        shares = tuple((self.put[0][i], left) if left else 0 for i, left in enumerate(self.free))
        return (shares, self.coins, self.lead, self.barred, self.current_player)
