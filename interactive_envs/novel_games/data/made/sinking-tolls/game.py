import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

SIDE = 6
CELLS = 36
NAMES = ("first", "second")
COLUMNS = "abcdef"
DIRECTIONS = ("north", "east", "south", "west")
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))
TOLL = (4, 7, 2, 5, 3, 6,
        1, 5, 8, 3, 6, 4,
        6, 2, 4, 7, 1, 5,
        3, 8, 5, 2, 4, 7,
        5, 1, 6, 4, 8, 2,
        7, 4, 3, 6, 2, 5)
UNDO = 8
WAIT = 9
UNDO_COST = 3
WAIT_COST = 8
LIMIT = 30
ROUNDS = 10


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(10)
        self.observation_space = Box(low=-1.0, high=200.0, shape=(50,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.sunk = [0] * CELLS
        # first on a1 and f6, second on f1 and a6
        self.place = [[0, 35], [5, 30]]
        self.debt = [0, 0]
        self.undo_left = [1, 1]
        self.last = None
        self.rounds = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        values = list(self.sunk) + list(self.place[0]) + list(self.place[1]) + list(self.debt)
        values += list(self.undo_left)
        values += list(self.last) if self.last is not None else [-1, -1, -1]
        values += [self.rounds, self.current_player, 1 if self.done else 0]
        return np.array(values, dtype=np.float32)

    def _slide(self, start, direction):
        dr, dc = STEPS[direction]
        taken = self.place[0] + self.place[1]
        r, c = divmod(start, SIDE)
        cell = start
        while True:
            r += dr
            c += dc
            if not (0 <= r < SIDE and 0 <= c < SIDE):
                return cell
            ahead = r * SIDE + c
            if self.sunk[ahead] or ahead in taken:
                return cell
            cell = ahead

    def valid_moves(self):
        if self.done:
            return []
        player = self.current_player
        moves = []
        for piece in (0, 1):
            start = self.place[player][piece]
            for direction in range(4):
                if self._slide(start, direction) != start:
                    moves.append(piece * 4 + direction)
        stuck = not moves
        if self.undo_left[player] and self.last is not None and self.last[0] != player:
            moves.append(UNDO)
        if stuck:
            moves.append(WAIT)
        return moves

    def step(self, action):
        action = int(action)
        if self.done:
            return self._obs(), 0.0, True, False, {"winner": self.winner}
        mover = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - mover
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action == UNDO:
            who, piece, start = self.last
            self.place[who][piece] = start
            self.sunk[start] = 0
            self.undo_left[mover] = 0
            self.debt[mover] += UNDO_COST
            self.last = None
        elif action == WAIT:
            self.debt[mover] += WAIT_COST
            self.last = None
        else:
            piece, direction = divmod(action, 4)
            start = self.place[mover][piece]
            stop = self._slide(start, direction)
            self.place[mover][piece] = stop
            self.sunk[start] = 1
            self.debt[mover] += TOLL[stop]
            self.last = (mover, piece, start)
        if mover == 1:
            self.rounds += 1
            if max(self.debt) >= LIMIT or self.rounds >= ROUNDS:
                self.done = True
                if self.debt[0] != self.debt[1]:
                    self.winner = 0 if self.debt[0] < self.debt[1] else 1
                elif self.undo_left[0] > self.undo_left[1]:
                    self.winner = 0
                else:
                    self.winner = 1
        if self.done:
            reward = 1.0 if self.winner == mover else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - mover
        return self._obs(), 0.0, False, False, {}

    def _token(self, cell):
        for who in (0, 1):
            for piece in (0, 1):
                if self.place[who][piece] == cell:
                    return "FS"[who] + str(piece + 1)
        if self.sunk[cell]:
            return "~"
        return str(TOLL[cell])

    def render(self):
        lines = ["columns: a b c d e f"]
        for r in range(SIDE):
            lines.append(str(r + 1) + ": " + " ".join(self._token(r * SIDE + c) for c in range(SIDE)))
        lines.append("debt: first " + str(self.debt[0]) + ", second " + str(self.debt[1]))
        words = ["yes" if left else "no" for left in self.undo_left]
        lines.append("undo left: first " + words[0] + ", second " + words[1])
        lines.append("rounds done: " + str(self.rounds) + " of " + str(ROUNDS))
        if self.last is None:
            lines.append("last slide: none")
        else:
            who, piece, start = self.last
            lines.append("last slide: " + "FS"[who] + str(piece + 1) + " from "
                         + COLUMNS[start % SIDE] + str(start // SIDE + 1))
        if self.done:
            lines.append("game over: " + NAMES[self.winner] + " wins")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == UNDO:
            return "undo"
        if action == WAIT:
            return "wait"
        piece, direction = divmod(action, 4)
        return "skater " + str(piece + 1) + " " + DIRECTIONS[direction]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.sunk = list(self.sunk)
        other.place = [list(self.place[0]), list(self.place[1])]
        other.debt = list(self.debt)
        other.undo_left = list(self.undo_left)
        return other

    def key(self):
        return (tuple(self.sunk), tuple(self.place[0]), tuple(self.place[1]), tuple(self.debt),
                tuple(self.undo_left), self.last, self.rounds, self.current_player,
                self.done, self.winner)
