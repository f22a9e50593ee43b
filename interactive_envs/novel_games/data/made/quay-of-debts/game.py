import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

COPIES = 6
LEAD = 4
UNDO = 16
SIDES = ["north", "east", "south", "west"]
NAMES = ["first", "second"]
MIDDLE = [5, 6, 9, 10]


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(17)
        self.observation_space = Box(-1.0, 60.0, shape=(31,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.board = [-1] * 16
        self.hands = [[COPIES] * 4, [COPIES] * 4]
        self.debt = [0, 0]
        self.undo = [1, 1]
        self.banned = -1
        self.before = None       # (board, debts, hand of the last mover, his action)
        self.current_player = 0
        self.done = False

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        me = self.current_player
        values = [0 if b < 0 else (1 if b == me else 2) for b in self.board]
        values += self.hands[me] + self.hands[1 - me]
        values += [self.debt[me], self.debt[1 - me], self.undo[me], self.undo[1 - me],
                   self.banned, 1 if self.before is not None else 0, me]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        moves = [lane * 4 + side for lane in range(4) if self.hands[me][lane]
                 for side in range(4) if lane * 4 + side != self.banned]
        if self.undo[me] and self.before is not None:
            moves.append(UNDO)
        return moves

    def _line(self, lane, side):
        if side == 0:
            return [k * 4 + lane for k in range(4)]
        if side == 1:
            return [lane * 4 + 3 - k for k in range(4)]
        if side == 2:
            return [(3 - k) * 4 + lane for k in range(4)]
        return [lane * 4 + k for k in range(4)]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            self.done = True
            return self._obs(), -10.0, True, False, {"winner": 1 - me}
        if action == UNDO:
            board, debt, hand, old = self.before
            self.board = list(board)
            self.debt = list(debt)
            self.hands[1 - me] = list(hand)
            self.undo[me] = 0
            self.banned = old
            self.before = None
            self.current_player = 1 - me
            return self._obs(), 0.0, False, False, {}
        self.before = (tuple(self.board), tuple(self.debt), tuple(self.hands[me]), action)
        self.banned = -1
        lane, side = divmod(action, 4)
        self.hands[me][lane] -= 1
        carried = me
        for cell in self._line(lane, side):
            self.board[cell], carried = carried, self.board[cell]
            if carried < 0:
                break
        if carried >= 0:
            self.debt[carried] += 1
        winner = None
        if abs(self.debt[0] - self.debt[1]) >= LEAD:
            self.done = True
            winner = 0 if self.debt[0] < self.debt[1] else 1
        elif sum(self.hands[0]) + sum(self.hands[1]) == 0:
            self.done = True
            middle = [sum(1 for i in MIDDLE if self.board[i] == p) for p in range(2)]
            if self.debt[0] != self.debt[1]:
                winner = 0 if self.debt[0] < self.debt[1] else 1
            else:
                winner = 0 if middle[0] > middle[1] else 1
        if self.done:
            return self._obs(), (1.0 if winner == me else 0.0), True, False, {"winner": winner}
        self.current_player = 1 - me
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for r in range(4):
            cells = ["." if b < 0 else "xo"[b] for b in self.board[r * 4:r * 4 + 4]]
            lines.append("row " + str(r + 1) + ": " + " ".join(cells))
        for p in range(2):
            lines.append(NAMES[p] + ": debt " + str(self.debt[p])
                         + (", undo ready" if self.undo[p] else ", undo spent"))
            lines.append(NAMES[p] + " cards: " + ", ".join(
                str(self.hands[p][k]) + " of " + str(k + 1) for k in range(4)))
        ban = "none" if self.banned < 0 else self.move_name(self.banned)
        lines.append("forbidden: " + ban)
        who = "nobody" if self.done else NAMES[self.current_player]
        lines.append("to move: " + who)
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == UNDO:
            return "undo"
        lane, side = divmod(action, 4)
        return str(lane + 1) + " from " + SIDES[side]

    def clone(self):
        return copy.deepcopy(self)

    def key(self):
        return (tuple(self.board), tuple(self.hands[0]), tuple(self.hands[1]),
                tuple(self.debt), tuple(self.undo), self.banned, self.before,
                self.current_player, self.done)
