import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
MOVES = ("turn", "shove", "swap", "stamp", "trim", "flip")
USES = (4, 4, 4, 3, 3, 2)
LINE = (2, 6, 4, 1, 5)
HEAD_START = 2
GAP = 30
LIMIT = 40


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self):
        self.action_space = Discrete(6)
        self.observation_space = Box(0.0, 1000.0, shape=(26,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.lines = [list(LINE), list(LINE)]
        self.debt = [HEAD_START, 0]
        self.left = [list(USES), list(USES)]
        self.count = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        data = [float(x) for x in self.lines[0]] + [float(x) for x in self.lines[1]]
        data += [float(x) for x in self.left[0]] + [float(x) for x in self.left[1]]
        data += [float(self.debt[0]), float(self.debt[1]), float(self.count), float(self.current_player)]
        return np.array(data, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        return [a for a in range(6) if self.left[self.current_player][a] > 0]

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.done:
            return self._obs(), 0.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        own = self.lines[player]
        other = self.lines[1 - player]
        if action == 0:
            own.append(own.pop(0))
        elif action == 1:
            mine = own.pop(0)
            theirs = other.pop(0)
            other.append(mine)
            own.append(theirs)
        elif action == 2:
            own[0], own[1] = own[1], own[0]
        elif action == 3:
            other[0] += 2
        elif action == 4:
            own[0] = max(0, own[0] - 1)
        else:
            other.reverse()
        self.left[player][action] -= 1
        self.debt[player] += own[0]
        self.count += 1
        self.current_player = 1 - player
        if self.debt[player] - self.debt[1 - player] >= GAP:
            self.done = True
            self.winner = 1 - player
        elif self.count == LIMIT:
            self.done = True
            sums = [sum(self.lines[0]), sum(self.lines[1])]
            if self.debt[0] != self.debt[1]:
                self.winner = 0 if self.debt[0] < self.debt[1] else 1
            elif sums[0] != sums[1]:
                self.winner = 0 if sums[0] < sums[1] else 1
            else:
                self.winner = 1
        if self.done:
            reward = 1.0 if self.winner == player else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for p in (0, 1):
            lines.append("line %s: %s" % (NAMES[p], " ".join(str(x) for x in self.lines[p])))
        lines.append("debt: first %d, second %d" % (self.debt[0], self.debt[1]))
        for p in (0, 1):
            parts = ", ".join("%s %d" % (MOVES[a], self.left[p][a]) for a in range(6))
            lines.append("left %s: %s" % (NAMES[p], parts))
        lines.append("moves made: %d" % self.count)
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        return MOVES[int(action)]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.lines = [list(self.lines[0]), list(self.lines[1])]
        other.debt = list(self.debt)
        other.left = [list(self.left[0]), list(self.left[1])]
        return other

    def key(self):
        return (tuple(self.lines[0]), tuple(self.lines[1]), tuple(self.debt), tuple(self.left[0]),
                tuple(self.left[1]), self.count, self.current_player, self.done, self.winner)
