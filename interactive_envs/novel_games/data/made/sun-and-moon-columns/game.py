import gymnasium
import numpy as np
from gymnasium import spaces

DECK = (5, 2, 8, 1, 6, 9, 3, 7, 4, 5, 8, 2, 6, 1, 9, 4, 7, 3)
SWAPS = 3
NAMES = ("first", "second")
BOARDS = ("sun", "moon")
PLACES = 72


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(84)
        self.observation_space = spaces.Box(-1.0, 100.0, shape=(72,), dtype=np.float32)
        self._setup()

    def _setup(self):
        # cell = 9 * board + 3 * row + column
        self.owner = [-1] * 18
        self.number = [0] * 18
        self.deck = list(DECK)
        self.swaps = [SWAPS, SWAPS]
        self.used = [False] * 12
        self.closed = [-1, -1, -1]
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        deck = self.deck + [0] * (18 - len(self.deck))
        vals = self.owner + self.number + deck + self.swaps
        vals = vals + [1 if u else 0 for u in self.used] + self.closed + [self.current_player]
        return np.array(vals, dtype=np.float32)

    def _strength(self, column, player):
        total = 0
        count = 0
        for r in range(3):
            if self.owner[3 * r + column] == player:
                total += self.number[3 * r + column]
            if self.owner[9 + 3 * r + column] == player:
                count += 1
        return total * count

    def _leads(self):
        leads = [0, 0]
        for c in range(3):
            if self.closed[c] >= 0:
                leads[self.closed[c]] += 1
                continue
            a, b = self._strength(c, 0), self._strength(c, 1)
            if a > b:
                leads[0] += 1
            elif b > a:
                leads[1] += 1
        return leads

    def _open_slots(self):
        leads = self._leads()
        me = self.current_player
        n = 4 if leads[me] < leads[1 - me] else 3
        return min(n, len(self.deck))

    def _pair(self, k):
        board, rest = divmod(k, 6)
        row, side = divmod(rest, 2)
        a = 9 * board + 3 * row + side
        return a, a + 1, side

    def _allowed(self, action, open_slots):
        if action < PLACES:
            slot, cell = divmod(action, 18)
            return slot < open_slots and self.owner[cell] < 0
        k = action - PLACES
        if self.swaps[self.current_player] <= 0 or self.used[k]:
            return False
        a, b, side = self._pair(k)
        if self.closed[side] >= 0 or self.closed[side + 1] >= 0:
            return False
        return self.owner[a] >= 0 and self.owner[b] >= 0

    def valid_moves(self):
        if self.done:
            return []
        n = self._open_slots()
        return [a for a in range(84) if self._allowed(a, n)]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done or not (0 <= action < 84) or not self._allowed(action, self._open_slots()):
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action < PLACES:
            slot, cell = divmod(action, 18)
            self.number[cell] = self.deck.pop(slot)
            self.owner[cell] = me
            column = cell % 3
            full = all(self.owner[9 * b + 3 * r + column] >= 0 for b in range(2) for r in range(3))
            if full:
                a, b = self._strength(column, 0), self._strength(column, 1)
                if a > b:
                    self.closed[column] = 0
                elif b > a:
                    self.closed[column] = 1
                else:
                    self.closed[column] = 1 - me
        else:
            k = action - PLACES
            a, b, _ = self._pair(k)
            self.owner[a], self.owner[b] = self.owner[b], self.owner[a]
            self.number[a], self.number[b] = self.number[b], self.number[a]
            self.used[k] = True
            self.swaps[me] -= 1
        self.current_player = 1 - me
        for p in (0, 1):
            if self.closed.count(p) >= 2:
                self.done = True
                self.winner = p
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for b in range(2):
            for r in range(3):
                cells = []
                for c in range(3):
                    i = 9 * b + 3 * r + c
                    if self.owner[i] < 0:
                        cells.append("--")
                    else:
                        cells.append("AB"[self.owner[i]] + str(self.number[i]))
                lines.append(BOARDS[b] + " row " + str(r + 1) + ": " + " ".join(cells))
        for c in range(3):
            text = ("column " + str(c + 1) + ": first " + str(self._strength(c, 0))
                    + ", second " + str(self._strength(c, 1)))
            if self.closed[c] >= 0:
                text += ", won by " + NAMES[self.closed[c]]
            lines.append(text)
        lines.append("deck: " + " ".join(str(x) for x in self.deck))
        lines.append("swaps left: first " + str(self.swaps[0]) + ", second " + str(self.swaps[1]))
        used = [self.move_name(PLACES + k)[5:] for k in range(12) if self.used[k]]
        lines.append("swapped: " + (", ".join(used) if used else "none"))
        if self.done:
            lines.append("game over, winner: " + NAMES[self.winner])
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < PLACES:
            slot, cell = divmod(action, 18)
            board, rest = divmod(cell, 9)
            row, column = divmod(rest, 3)
            return ("slot " + str(slot + 1) + " to " + BOARDS[board] + " " + str(row + 1)
                    + "-" + str(column + 1))
        board, rest = divmod(action - PLACES, 6)
        row, side = divmod(rest, 2)
        return "swap " + BOARDS[board] + " row " + str(row + 1) + " " + ("left", "right")[side]

    def clone(self):
        new = CustomEnv()
        new.owner = list(self.owner)
        new.number = list(self.number)
        new.deck = list(self.deck)
        new.swaps = list(self.swaps)
        new.used = list(self.used)
        new.closed = list(self.closed)
        new.current_player = self.current_player
        new.done = self.done
        new.winner = self.winner
        return new

    def key(self):
        return (self.current_player, tuple(self.owner), tuple(self.number), tuple(self.deck),
                tuple(self.swaps), tuple(self.used), tuple(self.closed), self.done, self.winner)
