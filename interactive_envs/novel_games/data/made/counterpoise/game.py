import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

TARGET = 30
FALL_TO = 20
LEAD_WEIGHT = 5
START_TIN = (3, 4)
START_LEAD = 1
START_RATE = 3
LOW_RATE = 2
HIGH_RATE = 6
MOST_TIN = 12
MOST_LEAD = 5
MINE = 3
MINE_LIGHT = 4
LAST_MOVE = 80
OTHER_TIN = 6
OTHER_LEAD = 9
BUY = 10
SELL = 11
MINING = 12
UNDO = 13
TITLES = (
    "own tin 1",
    "own tin 2",
    "own tin 3",
    "own lead 1",
    "own lead 2",
    "own lead 3",
    "other tin 1",
    "other tin 2",
    "other tin 3",
    "other lead 1",
    "buy lead",
    "sell lead",
    "mine",
    "undo",
)
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(14)
        self.observation_space = Box(low=0.0, high=100.0, shape=(12,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.pans = [0, 0]
        self.tin = list(START_TIN)
        self.lead = [START_LEAD, START_LEAD]
        self.rate = START_RATE
        self.undos = [1, 1]
        self.before = None
        self.before_free = False
        self.last_action = None
        self.barred = None
        self.moves = 0
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observation(), {}

    def _observation(self):
        values = list(self.pans) + list(self.tin) + list(self.lead)
        values.append(self.rate)
        values += list(self.undos)
        values.append(0 if self.barred is None else self.barred + 1)
        values.append(self.moves)
        values.append(self.current_player)
        return np.array(values, dtype=np.float32)

    def _plain_moves(self):
        me = self.current_player
        moves = []
        for k in (1, 2, 3):
            if self.tin[me] >= k:
                moves.append(k - 1)
                moves.append(OTHER_TIN + k - 1)
            if self.lead[me] >= k:
                moves.append(3 + k - 1)
        if self.lead[me] >= 1:
            moves.append(OTHER_LEAD)
            moves.append(SELL)
        if self.tin[me] >= self.rate and self.lead[me] < MOST_LEAD:
            moves.append(BUY)
        moves.append(MINING)
        return sorted(moves)

    def _may_undo(self):
        return (
            self.undos[self.current_player] > 0
            and self.before is not None
            and self.before_free
        )

    def valid_moves(self):
        if self.over:
            return []
        moves = [m for m in self._plain_moves() if m != self.barred]
        if self._may_undo():
            moves.append(UNDO)
        return moves

    def _snapshot(self):
        return (tuple(self.pans), tuple(self.tin), tuple(self.lead), self.rate)

    def _load(self, owner, weight):
        self.pans[owner] += weight
        if self.pans[owner] == TARGET:
            self.over = True
            self.winner = owner
        elif self.pans[owner] > TARGET:
            self.pans[owner] = FALL_TO

    def step(self, action):
        action = int(action)
        me = self.current_player
        foe = 1 - me
        if self.over:
            return self._observation(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.over = True
            self.winner = foe
            return self._observation(), -10.0, True, False, {"winner": self.winner}
        if action == UNDO:
            self.undos[me] -= 1
            self.pans = list(self.before[0])
            self.tin = list(self.before[1])
            self.lead = list(self.before[2])
            self.rate = self.before[3]
            self.barred = self.last_action
            self.before = None
            self.before_free = False
            self.last_action = None
        else:
            self.before_free = len(self._plain_moves()) > 1
            self.before = self._snapshot()
            self.last_action = action
            self.barred = None
            if action < 3:
                self.tin[me] -= action + 1
                self._load(me, action + 1)
            elif action < OTHER_TIN:
                self.lead[me] -= action - 2
                self._load(me, LEAD_WEIGHT * (action - 2))
            elif action < OTHER_LEAD:
                self.tin[me] -= action - 5
                self._load(foe, action - 5)
            elif action == OTHER_LEAD:
                self.lead[me] -= 1
                self._load(foe, LEAD_WEIGHT)
            elif action == BUY:
                self.tin[me] -= self.rate
                self.lead[me] += 1
                self.rate = min(HIGH_RATE, self.rate + 1)
            elif action == SELL:
                self.lead[me] -= 1
                self.tin[me] = min(MOST_TIN, self.tin[me] + self.rate)
                self.rate = max(LOW_RATE, self.rate - 1)
            else:
                gain = MINE_LIGHT if self.pans[me] < self.pans[foe] else MINE
                self.tin[me] = min(MOST_TIN, self.tin[me] + gain)
                self.rate = max(LOW_RATE, self.rate - 1)
        self.moves += 1
        if not self.over and self.moves >= LAST_MOVE:
            self.over = True
            self.winner = 0 if self.pans[0] > self.pans[1] else 1
        self.current_player = foe
        if self.over:
            reward = 1.0 if self.winner == me else 0.0
            return self._observation(), reward, True, False, {"winner": self.winner}
        return self._observation(), 0.0, False, False, {}

    def render(self):
        lines = []
        for player in range(2):
            lines.append(
                "%s has: pan %d, tin %d, lead %d"
                % (NAMES[player], self.pans[player], self.tin[player], self.lead[player])
            )
        lines.append("rate: %d" % self.rate)
        if self.pans[0] == self.pans[1]:
            scale = "level"
        else:
            scale = NAMES[0 if self.pans[0] > self.pans[1] else 1] + " is heavier"
        lines.append("scale: " + scale)
        lines.append("undo left: first %d, second %d" % (self.undos[0], self.undos[1]))
        barred = "none" if self.barred is None else self.move_name(self.barred)
        lines.append("barred: " + barred)
        lines.append("moves made: %d of %d" % (self.moves, LAST_MOVE))
        if self.over:
            lines.append("game over")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        return TITLES[int(action)]

    def clone(self):
        other = copy.copy(self)
        other.pans = list(self.pans)
        other.tin = list(self.tin)
        other.lead = list(self.lead)
        other.undos = list(self.undos)
        return other

    def key(self):
        history = (self.before, self.last_action) if self._may_undo() else None
        return (
            self.current_player,
            self._snapshot(),
            tuple(self.undos),
            history,
            self.barred,
            self.moves,
            self.over,
        )
