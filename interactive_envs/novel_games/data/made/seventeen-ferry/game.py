import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

CARDS = 5
SHORE = 17
LAST_MOVE = 30
LETTERS = "abcde"
START = (1, 2, 3, 4, 5)
HIT = 25
REST = 50
UNDO = 51
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(52)
        self.observation_space = Box(low=0.0, high=60.0, shape=(25,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.values = [list(START), list(START)]
        self.tired = [[False] * CARDS, [False] * CARDS]
        self.undos = [1, 1]
        self.before = None
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
        values = list(self.values[0]) + list(self.values[1])
        values += [int(t) for t in self.tired[0]] + [int(t) for t in self.tired[1]]
        values += list(self.undos)
        values.append(self.current_player)
        values.append(self.moves)
        values.append(0 if self.barred is None else self.barred + 1)
        return np.array(values, dtype=np.float32)

    def _plain_moves(self):
        tired = self.tired[self.current_player]
        fresh = [i for i in range(CARDS) if not tired[i]]
        moves = []
        for i in fresh:
            for j in fresh:
                if i != j:
                    moves.append(i * CARDS + j)
        for i in fresh:
            for k in range(CARDS):
                moves.append(HIT + i * CARDS + k)
        if len(fresh) < CARDS:
            moves.append(REST)
        return moves

    def _may_undo(self):
        player = self.current_player
        if self.undos[player] == 0 or self.before is None:
            return False
        # a rest that was the only possible move cannot be undone
        return not all(self.before[1][1 - player])

    def valid_moves(self):
        if self.over:
            return []
        moves = [m for m in self._plain_moves() if m != self.barred]
        if self._may_undo():
            moves.append(UNDO)
        return moves

    def _snapshot(self):
        return (
            (tuple(self.values[0]), tuple(self.values[1])),
            (tuple(self.tired[0]), tuple(self.tired[1])),
        )

    def _fresh_total(self, player):
        return sum(v for v, t in zip(self.values[player], self.tired[player]) if not t)

    def step(self, action):
        action = int(action)
        player = self.current_player
        other = 1 - player
        if self.over:
            return self._observation(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.over = True
            self.winner = other
            return self._observation(), -10.0, True, False, {"winner": self.winner}
        if action == UNDO:
            self.undos[player] -= 1
            self.values = [list(v) for v in self.before[0]]
            self.tired = [list(t) for t in self.before[1]]
            self.barred = self.last_action
            self.before = None
            self.last_action = None
        else:
            self.before = self._snapshot()
            self.last_action = action
            self.barred = None
            mine = self.values[player]
            if action == REST:
                for i in range(CARDS):
                    if self.tired[player][i]:
                        self.tired[player][i] = False
                        mine[i] = max(1, mine[i] - 1)
            elif action >= HIT:
                i, k = divmod(action - HIT, CARDS)
                self.values[other][k] = max(1, self.values[other][k] - mine[i])
                self.tired[player][i] = True
            else:
                i, j = divmod(action, CARDS)
                total = mine[j] + mine[i]
                self.tired[player][i] = True
                if total == SHORE:
                    self.over = True
                    self.winner = player
                elif total > SHORE:
                    total -= SHORE
                mine[j] = total
        self.moves += 1
        if not self.over and self.moves >= LAST_MOVE:
            self.over = True
            self.winner = 0 if self._fresh_total(0) > self._fresh_total(1) else 1
        self.current_player = other
        if self.over:
            reward = 1.0 if self.winner == player else 0.0
            return self._observation(), reward, True, False, {"winner": self.winner}
        return self._observation(), 0.0, False, False, {}

    def render(self):
        lines = []
        for player in range(2):
            cards = []
            for i in range(CARDS):
                star = "*" if self.tired[player][i] else ""
                cards.append("%s%d%s" % (LETTERS[i], self.values[player][i], star))
            lines.append("%s holds: %s" % (NAMES[player], " ".join(cards)))
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
        action = int(action)
        if action == UNDO:
            return "undo"
        if action == REST:
            return "rest"
        if action >= HIT:
            i, k = divmod(action - HIT, CARDS)
            return LETTERS[i] + " hits " + LETTERS[k]
        i, j = divmod(action, CARDS)
        return LETTERS[i] + " feeds " + LETTERS[j]

    def clone(self):
        other = copy.copy(self)
        other.values = [list(v) for v in self.values]
        other.tired = [list(t) for t in self.tired]
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
