import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

LINES = ("ab", "bc", "de", "ef", "gh", "hi", "ad", "be", "cf", "dg", "eh", "fi")
BOARDS = ("north", "south")
CARDS = (
    dict(zip("abcdefghi", (1, 2, 3, 3, 1, 2, 2, 3, 1))),
    dict(zip("abcdefghi", (2, 1, 3, 1, 3, 2, 3, 2, 1))),
)
SEAT = ("first", "second")
MARK = {-1: "-", 0: "1", 1: "2"}


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(24)
        self.observation_space = Box(-100.0, 100.0, shape=(28,), dtype=np.float32)
        self._start()

    def _start(self):
        self.owner = (-1,) * 24
        self.must = -1
        self.current_player = 0
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _chain(self, player, board):
        link = {}
        for i, name in enumerate(LINES):
            if self.owner[board * 12 + i] == player:
                link.setdefault(name[0], []).append(name[1])
                link.setdefault(name[1], []).append(name[0])
        seen = set()
        best = 0
        for start in link:
            if start in seen:
                continue
            seen.add(start)
            todo = [start]
            total = 0
            while todo:
                cell = todo.pop()
                total += CARDS[board][cell]
                for other in link[cell]:
                    if other not in seen:
                        seen.add(other)
                        todo.append(other)
            best = max(best, total)
        return best

    def _chains(self, player):
        return (self._chain(player, 0), self._chain(player, 1))

    def _obs(self):
        p = self.current_player
        out = [0 if o < 0 else 1 if o == p else -1 for o in self.owner]
        out.append(self.must)
        out.append(p)
        out.append(max(self._chains(p)))
        out.append(max(self._chains(1 - p)))
        return np.array(out, dtype=np.float32)

    def valid_moves(self):
        if self.over:
            return []
        free = [a for a in range(24) if self.owner[a] < 0]
        if self.must < 0:
            return free
        there = [a for a in free if a // 12 == self.must]
        if not there or len(there) == len(free):
            return free
        p = self.current_player
        if max(self._chains(p)) < max(self._chains(1 - p)):
            return free
        return there

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.over or action not in self.valid_moves():
            self.over = True
            self.winner = 1 - player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        owner = list(self.owner)
        owner[action] = player
        self.owner = tuple(owner)
        self.must = 0 if action % 12 < 6 else 1
        self.current_player = 1 - player
        if -1 not in self.owner:
            self.over = True
            one, two = self._chains(0), self._chains(1)
            k1, k2 = (max(one), sum(one)), (max(two), sum(two))
            self.winner = 0 if k1 > k2 else 1
            reward = 1.0 if self.winner == player else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for b in range(2):
            cards = " ".join("%s%d" % (c, CARDS[b][c]) for c in "abcdefghi")
            lines.append("%s cards: %s" % (BOARDS[b], cards))
            for title, low in (("across", 0), ("down", 6)):
                part = " ".join("%s%s" % (LINES[i], MARK[self.owner[b * 12 + i]])
                                for i in range(low, low + 6))
                lines.append("%s %s: %s" % (BOARDS[b], title, part))
        for p in range(2):
            lines.append("%s chains: north %d, south %d" % ((SEAT[p],) + self._chains(p)))
        lines.append("sent to: " + (BOARDS[self.must] if self.must >= 0 else "any"))
        lines.append("to move: " + SEAT[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        return "%s %s" % (BOARDS[action // 12], LINES[action % 12])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        return other

    def key(self):
        return (self.owner, self.must, self.current_player, self.over, self.winner)
