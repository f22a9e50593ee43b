import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 5
OPEN = 3
FEE = (0, 1, 2, 1, 0)
COINS = (4, 5)
LAST_MOVE = 36
NAMES = ("first", "second")
SIGNS = (".", "A", "B")
SIDES = ("row {} from left", "row {} from right",
         "column {} from top", "column {} from bottom")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(4 * SIZE)
        self.observation_space = Box(-1.0, 100.0, shape=(34,), dtype=np.float32)
        self._start()

    def _start(self):
        self.board = [0] * (SIZE * SIZE)
        self.cards = [0, 1, 2, 3, 4]
        self.coins = list(COINS)
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = list(self.board) + list(self.cards) + list(self.coins)
        values += [self.moves, self.current_player]
        return np.array([float(v) for v in values], dtype=np.float32)

    def _line(self, action):
        line, side = divmod(action, 4)
        if side < 2:
            cells = [line * SIZE + c for c in range(SIZE)]
        else:
            cells = [r * SIZE + line for r in range(SIZE)]
        if side % 2 == 1:
            cells.reverse()
        return cells

    def valid_moves(self):
        if self.done:
            return []
        purse = self.coins[self.current_player]
        opened = self.cards[:OPEN]
        payable = [n for n in opened if FEE[n] <= purse]
        lines = payable if payable else opened
        moves = []
        for n in sorted(lines):
            for side in range(4):
                moves.append(4 * n + side)
        return moves

    def _joined(self, player):
        stone = player + 1
        if player == 0:
            starts = [r * SIZE for r in range(SIZE)]
        else:
            starts = [c for c in range(SIZE)]
        seen = set(s for s in starts if self.board[s] == stone)
        todo = list(seen)
        while todo:
            cell = todo.pop()
            r, c = divmod(cell, SIZE)
            if player == 0 and c == SIZE - 1:
                return True
            if player == 1 and r == SIZE - 1:
                return True
            for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                if 0 <= r + dr < SIZE and 0 <= c + dc < SIZE:
                    near = (r + dr) * SIZE + c + dc
                    if self.board[near] == stone and near not in seen:
                        seen.add(near)
                        todo.append(near)
        return False

    def step(self, action):
        action = int(action)
        p = self.current_player
        q = 1 - p
        if action not in self.valid_moves():
            self.done = True
            self.winner = q
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        number = action // 4
        fee = FEE[number] if FEE[number] <= self.coins[p] else 0
        self.coins[p] -= fee
        self.coins[q] += fee
        self.cards.remove(number)
        self.cards.append(number)
        held = p + 1
        for cell in self._line(action):
            here = self.board[cell]
            self.board[cell] = held
            held = here
            if here == 0:
                break
        self.moves += 1
        self.current_player = q
        if self._joined(p):
            self.done = True
            self.winner = p
        elif self._joined(q):
            self.done = True
            self.winner = q
        elif self.moves >= LAST_MOVE:
            self.done = True
            self.winner = 0 if self.coins[0] > self.coins[1] else 1
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for r in range(SIZE):
            row = self.board[r * SIZE:(r + 1) * SIZE]
            lines.append("row " + str(r + 1) + ": " + " ".join(SIGNS[x] for x in row))
        lines.append("cards: " + " ".join(str(n + 1) for n in self.cards))
        lines.append("coins: first " + str(self.coins[0]) + " second " + str(self.coins[1]))
        lines.append("moves made: " + str(self.moves) + " of " + str(LAST_MOVE))
        who = "nobody" if self.done else NAMES[self.current_player]
        lines.append("to move: " + who)
        return "\n".join(lines)

    def move_name(self, action):
        line, side = divmod(int(action), 4)
        return SIDES[side].format(line + 1)

    def clone(self):
        other = CustomEnv()
        other.board = list(self.board)
        other.cards = list(self.cards)
        other.coins = list(self.coins)
        other.moves = self.moves
        other.current_player = self.current_player
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (tuple(self.board), tuple(self.cards), tuple(self.coins), self.moves,
                self.current_player, self.done, self.winner)
