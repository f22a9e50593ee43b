import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

LAYOUT = "F.S..FS.F.SF.S"
SIZE = 14
UNDO = SIZE
STONES = ("F", "S")
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        self.action_space = Discrete(SIZE + 1)
        self.observation_space = Box(0.0, 1.0, shape=(2 * SIZE + 4,), dtype=np.float32)
        self._start()

    def _start(self):
        self.cells = list(LAYOUT)
        self.sealed = [False] * SIZE
        self.undos = [1, 1]
        self.last = -1
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        code = {".": 0.0, "F": 0.5, "S": 1.0}
        values = [code[c] for c in self.cells]
        values += [1.0 if s else 0.0 for s in self.sealed]
        values += [float(u) for u in self.undos]
        values.append((self.last + 1) / SIZE)
        values.append(float(self.current_player))
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        return self._moves_of(self.current_player)

    def _moves_of(self, player):
        own = STONES[player]
        moves = []
        for i in range(SIZE):
            if self.sealed[i]:
                continue
            a = self.cells[i]
            b = self.cells[(i + 1) % SIZE]
            if a != b and own in (a, b):
                moves.append(i)
        if self.undos[player] > 0 and self.last >= 0:
            moves.append(UNDO)
        return moves

    def _swap(self, i):
        j = (i + 1) % SIZE
        self.cells[i], self.cells[j] = self.cells[j], self.cells[i]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done or action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._observe(), -10.0, True, False, {"winner": 1 - me}
        if action == UNDO:
            self._swap(self.last)
            self.undos[me] -= 1
            self.last = -1
        else:
            self._swap(action)
            self.sealed[action] = True
            self.last = action
        if not self._moves_of(1 - me):
            self.done = True
            self.winner = me
            return self._observe(), 1.0, True, False, {"winner": me}
        self.current_player = 1 - me
        return self._observe(), 0.0, False, False, {}

    def render(self):
        sealed = " ".join(str(i + 1) for i in range(SIZE) if self.sealed[i]) or "none"
        last = str(self.last + 1) if self.last >= 0 else "none"
        mover = "game over" if self.done else NAMES[self.current_player]
        return "\n".join([
            "ring: " + " ".join(self.cells),
            f"sealed: {sealed}",
            f"last swap: {last}",
            f"undos: first {self.undos[0]}, second {self.undos[1]}",
            f"to move: {mover}",
        ])

    def move_name(self, action):
        action = int(action)
        return "undo" if action == UNDO else f"swap {action + 1}"

    def clone(self):
        other = CustomEnv()
        other.cells = list(self.cells)
        other.sealed = list(self.sealed)
        other.undos = list(self.undos)
        other.last = self.last
        other.current_player = self.current_player
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return ("".join(self.cells), tuple(self.sealed), tuple(self.undos),
                self.last, self.current_player, self.done)
