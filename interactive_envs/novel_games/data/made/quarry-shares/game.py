import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

START = (5, 3, 8, 2, 6, 4, 7)
HAND = (4, 6, 9)
MOST = 10
KEEP = 19
SEAT = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(50)
        self.observation_space = Box(-100.0, 100.0, shape=(30,), dtype=np.float32)
        self._start()

    def _start(self):
        self.piles = START
        self.dusty = ()
        self.second_part = False
        self.hands = (HAND, HAND)
        self.points = (0, 0)
        self.current_player = 0
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        p = self.current_player
        out = list(self.piles) + [0] * (MOST - len(self.piles))
        out += [1 if i in self.dusty else 0 for i in range(MOST)]
        for q in (p, 1 - p):
            out += [1 if c in self.hands[q] else 0 for c in HAND]
        out += [self.points[p], self.points[1 - p]]
        out += [1 if self.second_part else 0, p]
        return np.array(out, dtype=np.float32)

    def valid_moves(self):
        if self.over:
            return []
        n = len(self.piles)
        moves = []
        if self.second_part:
            for j, card in enumerate(HAND):
                if card in self.hands[self.current_player]:
                    moves += [20 + j * 10 + i for i in range(n) if i not in self.dusty]
            return moves
        if 2 <= n < MOST:
            moves += [i for i in range(n) if self.piles[i] >= 2]
        if n >= 4:
            moves += [10 + i for i in range(n - 1)]
        return moves or [KEEP]

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.over or action not in self.valid_moves():
            self.over = True
            self.winner = 1 - player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        p = self.piles
        if not self.second_part:
            if action == KEEP:
                self.dusty = ()
            elif action < 10:
                small = p[action] // 2
                self.piles = p[:action] + (p[action] - small, small) + p[action + 1:]
                self.dusty = (action, action + 1)
            else:
                i = action - 10
                self.piles = p[:i] + (p[i] + p[i + 1],) + p[i + 2:]
                self.dusty = (i,)
            self.second_part = True
            return self._obs(), 0.0, False, False, {}
        card = HAND[(action - 20) // 10]
        i = (action - 20) % 10
        points = list(self.points)
        points[player] += min(card, p[i])
        self.points = tuple(points)
        self.piles = p[:i] + p[i + 1:]
        hands = list(self.hands)
        hands[player] = tuple(c for c in hands[player] if c != card)
        self.hands = tuple(hands)
        self.dusty = ()
        self.second_part = False
        self.current_player = 1 - player
        if not self.piles or not self.hands[self.current_player]:
            self.over = True
            self.winner = 0 if self.points[0] > self.points[1] else 1
            reward = 1.0 if self.winner == player else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = ["piles: " + " ".join(
            "%d%s" % (v, "*" if i in self.dusty else "") for i, v in enumerate(self.piles))]
        for q in range(2):
            cards = " ".join(str(c) for c in self.hands[q]) or "none"
            lines.append("%s: %d points, cards %s" % (SEAT[q], self.points[q], cards))
        lines.append("to move: %s, %s" % (
            SEAT[self.current_player], "take a pile" if self.second_part else "split or merge"))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == KEEP:
            return "keep"
        if action < 10:
            return "split %d" % (action + 1)
        if action < 19:
            return "merge %d" % (action - 9)
        return "take %d with %d" % ((action - 20) % 10 + 1, HAND[(action - 20) // 10])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        return other

    def key(self):
        return (self.piles, self.dusty, self.second_part, self.hands, self.points,
                self.current_player, self.over, self.winner)
