import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

GRID = ["A1", "B3", "C2", "D4",
        "C4", "D2", "A3", "B1",
        "B2", "A4", "D1", "C3",
        "D3", "C1", "B4", "A2"]
NAMES = ["first", "second"]
COINS = 8
LEAVE = 17
OUTBID = 18
WAYS = [("north", -1, 0), ("east", 0, 1), ("south", 1, 0), ("west", 0, -1)]


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(23)
        self.observation_space = Box(-2.0, 40.0, shape=(24,), dtype=np.float32)
        self._setup()

    def _setup(self):
        # owner of each card: -1 on the grid, -2 out of the game, 0 or 1 held
        self.owner = [-1] * 16
        self.owner[0] = -2
        self.held = [[], []]
        self.ferry = 0
        self.coins = [COINS, COINS]
        self.leader = 0
        self.phase = 0
        self.bid = 0
        self.current_player = 0
        self.done = False

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        me = self.current_player
        cells = []
        for o in self.owner:
            if o < 0:
                cells.append(o)
            else:
                cells.append(1 if o == me else 2)
        values = cells + [self.ferry, self.coins[me], self.coins[1 - me],
                          self.phase, self.bid, self.leader, me, 0]
        return np.array(values, dtype=np.float32)

    def _target(self, way):
        _, dr, dc = WAYS[way]
        r, c = divmod(self.ferry, 4)
        for _ in range(3):
            r = (r + dr) % 4
            c = (c + dc) % 4
            if self.owner[r * 4 + c] == -1:
                return r * 4 + c
        return None

    def _ways(self):
        return [w for w in range(4) if self._target(w) is not None]

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        if self.phase == 0:
            return list(range(self.coins[me] + 1))
        if self.phase == 1:
            moves = [LEAVE]
            if self.coins[me] >= self.bid + 1:
                moves.append(OUTBID)
            return moves
        return [19 + w for w in self._ways()]

    def _belongs(self, player):
        cards = [GRID[i] for i in self.held[player]]
        for rank in "1234":
            if sum(1 for card in cards if card[1] == rank) >= 3:
                return True
        for suit in "ABCD":
            if all(suit + rank in cards for rank in "123"):
                return True
            if all(suit + rank in cards for rank in "234"):
                return True
        return False

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            self.done = True
            return self._obs(), -10.0, True, False, {"winner": 1 - me}
        winner = None
        if self.phase == 0:
            self.bid = action
            self.phase = 1
            self.current_player = 1 - me
        elif self.phase == 1:
            if action == LEAVE:
                actor, price = 1 - me, self.bid
            else:
                actor, price = me, self.bid + 1
            self.coins[actor] -= price
            self.coins[1 - actor] += price
            self.current_player = actor
            self.phase = 2
        else:
            cell = self._target(action - 19)
            self.owner[cell] = me
            self.held[me].append(cell)
            self.ferry = cell
            if self._belongs(me):
                self.done = True
                winner = me
            elif not self._ways():
                self.done = True
                points = [sum(int(GRID[i][1]) for i in hand) for hand in self.held]
                points[me] += int(GRID[cell][1])
                if points[0] != points[1]:
                    winner = 0 if points[0] > points[1] else 1
                else:
                    winner = 0 if self.coins[0] > self.coins[1] else 1
            else:
                self.leader = 1 - self.leader
                self.current_player = self.leader
                self.phase = 0
                self.bid = 0
        if self.done:
            return self._obs(), (1.0 if winner == me else 0.0), True, False, {"winner": winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for r in range(4):
            cells = []
            for c in range(4):
                i = r * 4 + c
                if i == self.ferry:
                    cells.append("@@")
                elif self.owner[i] == -1:
                    cells.append(GRID[i])
                else:
                    cells.append("..")
            lines.append("row " + str(r + 1) + ": " + " ".join(cells))
        for p in range(2):
            cards = " ".join(GRID[i] for i in self.held[p]) or "none"
            lines.append(NAMES[p] + ": coins " + str(self.coins[p]) + ", cards " + cards)
        if self.phase == 0:
            lines.append("now: bid")
        elif self.phase == 1:
            lines.append("now: answer the bid of " + str(self.bid))
        else:
            lines.append("now: move the ferry")
        who = "nobody" if self.done else NAMES[self.current_player]
        lines.append("to move: " + who)
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < LEAVE:
            return "bid " + str(action)
        if action == LEAVE:
            return "leave"
        if action == OUTBID:
            return "outbid"
        return "go " + WAYS[action - 19][0]

    def clone(self):
        return copy.deepcopy(self)

    def key(self):
        return (tuple(self.owner), self.ferry, tuple(self.coins), self.leader,
                self.phase, self.bid, self.current_player, self.done)
