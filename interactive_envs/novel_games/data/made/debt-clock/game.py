import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

HOURS = 24
LIMIT = 50
UNDO = 6
NUMBER = (1, 6, 3, 8, 5, 2, 7, 4, 1, 6, 3, 8, 5, 2, 7, 4, 1, 6, 3, 8, 5, 2, 7, 4)
SUITS = ("sun", "moon", "star")
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(7)
        self.observation_space = Box(-1.0, 100.0, shape=(56,), dtype=np.float32)
        self._start()

    def _start(self):
        self.present = [True] * HOURS
        self.hand = 0
        self.debt = [0, 0]
        self.undo_left = [True, True]
        self.last = None
        self.barred = None
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        p = self.current_player
        values = [1 if x else 0 for x in self.present]
        where = [0] * HOURS
        where[self.hand] = 1
        values += where
        values += [self.debt[p], self.debt[1 - p]]
        values += [1 if self.undo_left[p] else 0, 1 if self.undo_left[1 - p] else 0]
        values.append(-1 if self.barred is None else self.barred)
        values.append(-1 if self.last is None else self.last[0])
        values.append(-1 if self.last is None else self.last[1])
        values.append(p)
        return np.array([float(v) for v in values], dtype=np.float32)

    def _target(self, action, hand, present):
        suit, back = divmod(action, 2)
        change = -1 if back else 1
        for d in range(1, HOURS + 1):
            hour = (hand + change * d) % HOURS
            if present[hour] and hour % 3 == suit:
                return hour
        return None

    def _takes(self, hand, present, barred):
        found = []
        for action in range(UNDO):
            hour = self._target(action, hand, present)
            if hour is not None and hour != barred:
                found.append(action)
        return found

    def valid_moves(self):
        if self.done:
            return []
        p = self.current_player
        moves = self._takes(self.hand, self.present, self.barred)
        if self.last is not None and self.undo_left[p]:
            hour, old = self.last
            before = list(self.present)
            before[hour] = True
            if self._takes(old, before, hour):
                moves.append(UNDO)
        return moves

    def step(self, action):
        action = int(action)
        p = self.current_player
        q = 1 - p
        if action not in self.valid_moves():
            self.done = True
            self.winner = q
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        self.current_player = q
        if action == UNDO:
            hour, old = self.last
            self.present[hour] = True
            self.debt[q] -= NUMBER[hour]
            self.hand = old
            self.barred = hour
            self.last = None
            self.undo_left[p] = False
            return self._obs(), 0.0, False, False, {}
        hour = self._target(action, self.hand, self.present)
        self.present[hour] = False
        self.debt[p] += NUMBER[hour]
        self.last = (hour, self.hand)
        self.hand = hour
        self.barred = None
        if self.debt[p] >= LIMIT:
            self.done = True
            self.winner = q
            return self._obs(), 0.0, True, False, {"winner": q}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for start in range(0, HOURS, 6):
            parts = []
            for hour in range(start, start + 6):
                if self.present[hour]:
                    parts.append(SUITS[hour % 3] + " " + str(NUMBER[hour]))
                else:
                    parts.append("empty")
            lines.append(str(start) + "-" + str(start + 5) + ": " + " | ".join(parts))
        lines.append("hand: " + str(self.hand))
        lines.append("debts: first " + str(self.debt[0]) + " second " + str(self.debt[1]))
        left = [NAMES[i] for i in (0, 1) if self.undo_left[i]]
        lines.append("undo left: " + (" ".join(left) if left else "none"))
        lines.append("barred hour: " + ("none" if self.barred is None else str(self.barred)))
        who = "nobody" if self.done else NAMES[self.current_player]
        lines.append("to move: " + who)
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == UNDO:
            return "undo"
        suit, back = divmod(action, 2)
        return SUITS[suit] + (" back" if back else " forward")

    def clone(self):
        other = CustomEnv()
        other.present = list(self.present)
        other.hand = self.hand
        other.debt = list(self.debt)
        other.undo_left = list(self.undo_left)
        other.last = self.last
        other.barred = self.barred
        other.current_player = self.current_player
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (tuple(self.present), self.hand, tuple(self.debt), tuple(self.undo_left),
                self.last, self.barred, self.current_player, self.done, self.winner)
