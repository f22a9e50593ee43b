import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

LETTERS = "RABCDEFGHIJKLMNOPQ"
PARENT = (-1, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9, 9)
STRENGTH = (0, 4, 4, 4, 3, 3, 3, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1)
FRUIT = (0, 0, 4, 0, 3, 3, 4, 4, 3, 3, 6, 5, 7, 8, 8, 7, 5, 6)
COUNT = 18
CHILDREN = [[c for c in range(COUNT) if PARENT[c] == n] for n in range(COUNT)]
LIMIT = 24
UNDO = 69
NAMES = ("first", "second")


def _above(node):
    found = [node]
    for child in CHILDREN[node]:
        found += _above(child)
    return found


ABOVE = [_above(n) for n in range(COUNT)]


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(70)
        self.observation_space = Box(-1.0, 1000.0, shape=(63,), dtype=np.float32)
        self._start()

    def _start(self):
        self.pos = [1, 3]
        self.score = [0, 0]
        self.strength = list(STRENGTH)
        self.locked = [False] * COUNT
        self.fruit = list(FRUIT)
        self.undo_left = [True, True]
        self.prev = None
        self.banned = None
        self.turn = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _core(self):
        return (
            tuple(self.pos),
            tuple(self.score),
            tuple(self.strength),
            tuple(self.locked),
            tuple(self.fruit),
        )

    def _load(self, core):
        self.pos = list(core[0])
        self.score = list(core[1])
        self.strength = list(core[2])
        self.locked = list(core[3])
        self.fruit = list(core[4])

    def _obs(self):
        values = self.pos + self.score + self.strength
        values = values + [int(x) for x in self.locked] + self.fruit
        values = values + [int(x) for x in self.undo_left]
        values = values + [-1 if self.banned is None else self.banned]
        values = values + [self.turn, self.current_player]
        return np.array(values, dtype=np.float32)

    @staticmethod
    def _base_moves(core, p):
        pos, _, strength, locked, _ = core
        node = pos[p]
        rising = [c for c in CHILDREN[node] if strength[c] > 0]
        moves = []
        if node != 0:
            moves.append(PARENT[node])
        moves += rising
        for b in rising:
            if not locked[b]:
                moves.append(17 + b)
        touching = rising + ([node] if node != 0 else [])
        for b in touching:
            if locked[b]:
                moves.append(51 + b)
            else:
                moves.append(34 + b)
        return moves

    def valid_moves(self):
        if self.done:
            return []
        p = self.current_player
        moves = [m for m in self._base_moves(self._core(), p) if m != self.banned]
        if self.undo_left[p] and self.prev is not None:
            if len(self._base_moves(self.prev[0], 1 - p)) >= 2:
                moves.append(UNDO)
        return moves

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        p = self.current_player
        if action == UNDO:
            core, done_move = self.prev
            self._load(core)
            self.undo_left[p] = False
            self.prev = None
            self.banned = done_move
        else:
            self.prev = (self._core(), action)
            self.banned = None
            if action < 18:
                self.pos[p] = action
                self.score[p] += self.fruit[action]
                self.fruit[action] = 0
            elif action < 35:
                b = action - 17
                self.strength[b] -= 1
                if self.strength[b] == 0:
                    for n in ABOVE[b]:
                        self.strength[n] = 0
                        self.locked[n] = False
                        self.fruit[n] = 0
                    if self.pos[1 - p] in ABOVE[b]:
                        self.done = True
                        self.winner = p
            elif action < 52:
                self.locked[action - 34] = True
            else:
                self.locked[action - 51] = False
        self.turn += 1
        self.current_player = 1 - p
        if not self.done:
            if self.turn >= LIMIT or not self.valid_moves():
                self.done = True
                self.winner = 0 if self.score[0] > self.score[1] else 1
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        branches = []
        fruits = []
        for n in range(1, COUNT):
            if self.strength[n] == 0:
                branches.append(LETTERS[n] + "-")
                fruits.append(LETTERS[n] + "-")
            else:
                branches.append(LETTERS[n] + str(self.strength[n]) + ("*" if self.locked[n] else ""))
                fruits.append(LETTERS[n] + str(self.fruit[n]))
        lines = ["branches: " + " ".join(branches), "fruit: " + " ".join(fruits)]
        for p in range(2):
            lines.append("%s: at %s, fruit %d" % (NAMES[p], LETTERS[self.pos[p]], self.score[p]))
        words = ["yes" if x else "no" for x in self.undo_left]
        lines.append("undo left: first %s, second %s" % (words[0], words[1]))
        if self.prev is not None:
            lines.append("last move: " + self.move_name(self.prev[1]))
        if self.banned is not None:
            lines.append("not allowed now: " + self.move_name(self.banned))
        lines.append("turns made: %d of %d" % (self.turn, LIMIT))
        if self.done:
            lines.append("game over: %s wins" % NAMES[self.winner])
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < 18:
            return "climb to " + LETTERS[action]
        if action < 35:
            return "saw " + LETTERS[action - 17]
        if action < 52:
            return "lock " + LETTERS[action - 34]
        if action < 69:
            return "unlock " + LETTERS[action - 51]
        return "undo"

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.pos = list(self.pos)
        other.score = list(self.score)
        other.strength = list(self.strength)
        other.locked = list(self.locked)
        other.fruit = list(self.fruit)
        other.undo_left = list(self.undo_left)
        return other

    def key(self):
        return (
            self._core(),
            tuple(self.undo_left),
            self.prev,
            self.banned,
            self.turn,
            self.current_player,
            self.done,
            self.winner,
        )
