import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

BRANCHES = 5
SLOTS = 4
LEAST_BRANCHES = 3
LEAST_BEADS = 2
SUPPLY = 16
LETTERS = "ABCDE"
NAMES = ("first", "second")
BEADS = "XO"


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(BRANCHES * 3)
        self.observation_space = Box(low=0.0, high=20.0, shape=(25,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.branches = [[] for _ in range(BRANCHES)]
        self.supply = [SUPPLY, SUPPLY]
        self.cuts = [0, 0]
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observation(), {}

    def _observation(self):
        values = []
        for branch in self.branches:
            if branch is None:
                values += [3] * SLOTS
            else:
                values += [bead + 1 for bead in branch]
                values += [0] * (SLOTS - len(branch))
        values += list(self.supply)
        values += list(self.cuts)
        values.append(self.current_player)
        return np.array(values, dtype=np.float32)

    def _counts(self, player):
        return [branch.count(player) for branch in self.branches if branch is not None]

    def _on_tree(self, player):
        return sum(self._counts(player))

    def _even(self, player):
        counts = self._counts(player)
        return min(counts) == max(counts) and counts[0] >= LEAST_BEADS

    def valid_moves(self):
        if self.over:
            return []
        player = self.current_player
        standing = [i for i in range(BRANCHES) if self.branches[i] is not None]
        behind = self._on_tree(player) < self._on_tree(1 - player)
        may_cut = behind and len(standing) > LEAST_BRANCHES
        moves = []
        for i in standing:
            moves.append(i * 3)
            moves.append(i * 3 + 1)
            if may_cut:
                moves.append(i * 3 + 2)
        return moves

    def _count_out(self):
        mine, theirs = self._on_tree(0), self._on_tree(1)
        if mine != theirs:
            return 0 if mine > theirs else 1
        if self.cuts[0] != self.cuts[1]:
            return 0 if self.cuts[0] < self.cuts[1] else 1
        return 1

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
        index, kind = divmod(action, 3)
        if kind == 2:
            self.branches[index] = None
            self.cuts[player] += 1
        else:
            branch = self.branches[index]
            self.supply[player] -= 1
            if kind == 0:
                branch.insert(0, player)
                if len(branch) > SLOTS:
                    branch.pop()
            else:
                branch.append(player)
                if len(branch) > SLOTS:
                    branch.pop(0)
        if self._even(player):
            self.over = True
            self.winner = player
        elif self._even(other):
            self.over = True
            self.winner = other
        elif self.supply[other] == 0:
            self.over = True
            self.winner = self._count_out()
        self.current_player = other
        if self.over:
            reward = 1.0 if self.winner == player else 0.0
            return self._observation(), reward, True, False, {"winner": self.winner}
        return self._observation(), 0.0, False, False, {}

    def render(self):
        lines = []
        for i in range(BRANCHES):
            branch = self.branches[i]
            if branch is None:
                text = "cut"
            elif not branch:
                text = "-"
            else:
                text = " ".join(BEADS[bead] for bead in branch)
            lines.append("branch %s: %s" % (LETTERS[i], text))
        lines.append(
            "beads on the tree: first %d, second %d" % (self._on_tree(0), self._on_tree(1))
        )
        lines.append(
            "beads in hand: first %d, second %d" % (self.supply[0], self.supply[1])
        )
        lines.append("cuts made: first %d, second %d" % (self.cuts[0], self.cuts[1]))
        if self.over:
            lines.append("game over")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        index, kind = divmod(int(action), 3)
        if kind == 2:
            return "cut " + LETTERS[index]
        return "push %s %s" % (LETTERS[index], "tip" if kind == 0 else "trunk")

    def clone(self):
        other = copy.copy(self)
        other.branches = [None if b is None else list(b) for b in self.branches]
        other.supply = list(self.supply)
        other.cuts = list(self.cuts)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(None if b is None else tuple(b) for b in self.branches),
            tuple(self.supply),
            tuple(self.cuts),
            self.over,
        )
