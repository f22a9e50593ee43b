import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
BRANCHES = "abcdef"
# from the trunk outwards
START = ((1, 2, 3, 4),
         (5, 6, 1, 2),
         (3, 4, 5, 6),
         (2, 5, 4, 1),
         (6, 3, 2, 5),
         (4, 1, 6, 3))
USES = (4, 3, 1)
SHOW = 6


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(18)
        self.observation_space = Box(low=0.0, high=100.0, shape=(44,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.tree = [list(branch) for branch in START]
        self.hand = [[0] * 7, [0] * 7]
        self.uses = [list(USES), list(USES)]
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        values = []
        for branch in self.tree:
            values += branch + [0] * (4 - len(branch))
        values += self.hand[0][1:] + self.hand[1][1:]
        values += self.uses[0] + self.uses[1]
        values += [self.moves, self.current_player]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        left = self.uses[self.current_player]
        moves = []
        for branch in range(6):
            if self.tree[branch]:
                for depth in range(3):
                    if left[depth] > 0:
                        moves.append(branch * 3 + depth)
        return moves

    def _trio(self, player):
        return max(self.hand[player]) >= 3

    def _pairs(self, player):
        return sum(1 for n in self.hand[player] if n >= 2)

    def step(self, action):
        action = int(action)
        if self.done:
            return self._obs(), 0.0, True, False, {"winner": self.winner}
        mover = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - mover
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        branch, depth = divmod(action, 3)
        self.uses[mover][depth] -= 1
        cards = self.tree[branch]
        number = min(depth + 1, len(cards))
        fallen = cards[len(cards) - number:]
        self.tree[branch] = cards[:len(cards) - number]
        for i, card in enumerate(fallen):
            taker = mover if i % 2 == 0 else 1 - mover
            self.hand[taker][card] += 1
        self.moves += 1
        if self.moves >= SHOW:
            if self._trio(mover):
                self.done = True
                self.winner = mover
            elif self._trio(1 - mover):
                self.done = True
                self.winner = 1 - mover
        if not self.done:
            bare = not any(self.tree)
            spent = sum(self.uses[1 - mover]) == 0
            if bare or spent:
                self.done = True
                self.winner = 0 if self._pairs(0) > self._pairs(1) else 1
        if self.done:
            reward = 1.0 if self.winner == mover else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - mover
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for i in range(6):
            cards = " ".join(str(card) for card in self.tree[i]) or "-"
            lines.append(BRANCHES[i] + ": " + cards)
        for who in (0, 1):
            cards = []
            for card in range(1, 7):
                cards += [str(card)] * self.hand[who][card]
            lines.append("hand " + NAMES[who] + ": " + (" ".join(cards) or "-"))
        for who in (0, 1):
            lines.append("cuts left " + NAMES[who] + ": " + " ".join(str(n) for n in self.uses[who]))
        lines.append("moves made: " + str(self.moves))
        if self.done:
            lines.append("game over: " + NAMES[self.winner] + " wins")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        branch, depth = divmod(int(action), 3)
        return "cut " + str(depth + 1) + " off " + BRANCHES[branch]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.tree = [list(branch) for branch in self.tree]
        other.hand = [list(self.hand[0]), list(self.hand[1])]
        other.uses = [list(self.uses[0]), list(self.uses[1])]
        return other

    def key(self):
        return (tuple(tuple(branch) for branch in self.tree), tuple(self.hand[0]), tuple(self.hand[1]),
                tuple(self.uses[0]), tuple(self.uses[1]), self.moves, self.current_player,
                self.done, self.winner)
