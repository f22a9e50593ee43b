import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
LETTERS = "abcde"
START = (2, 5, 9, 14, 20)
SIZE = 5
FOLD = 25


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self):
        self.action_space = Discrete(30)
        self.observation_space = Box(0.0, 100.0, shape=(13,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.ranks = [list(START), list(START)]
        self.count = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _half(self):
        return (self.count // 4) % 2 == 1

    def _force(self, value):
        return (value + 1) // 2 if self._half() else value

    def _obs(self):
        data = [float(x) for x in self.ranks[0]] + [float(x) for x in self.ranks[1]]
        data += [float(self.count), 1.0 if self._half() else 0.0, float(self.current_player)]
        return np.array(data, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        own = self.ranks[self.current_player]
        enemy = self.ranks[1 - self.current_player]
        moves = []
        for i in range(SIZE):
            force = self._force(own[i])
            for j in range(SIZE):
                if enemy[j] - force >= 1:
                    moves.append(i * SIZE + j)
        for i in range(SIZE):
            if own[i] >= 2:
                moves.append(FOLD + i)
        return moves

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.done:
            return self._obs(), 0.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        own = self.ranks[player]
        enemy = self.ranks[1 - player]
        if action >= FOLD:
            i = action - FOLD
            own[i] = (own[i] + 1) // 2
        else:
            i, j = divmod(action, SIZE)
            enemy[j] -= self._force(own[i])
        self.count += 1
        self.current_player = 1 - player
        if min(enemy) == max(enemy):
            self.done = True
            self.winner = player
        elif min(own) == max(own):
            self.done = True
            self.winner = 1 - player
        if self.done:
            reward = 1.0 if self.winner == player else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = ["ranks: " + " ".join(LETTERS)]
        for p in (0, 1):
            lines.append("numbers %s: %s" % (NAMES[p], " ".join(str(x) for x in self.ranks[p])))
        lines.append("turn: %d" % (self.count + 1))
        lines.append("rule: " + ("half" if self._half() else "full"))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action >= FOLD:
            return "fold " + LETTERS[action - FOLD]
        i, j = divmod(action, SIZE)
        return "strike %s with %s" % (LETTERS[j], LETTERS[i])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.ranks = [list(self.ranks[0]), list(self.ranks[1])]
        return other

    def key(self):
        return (tuple(self.ranks[0]), tuple(self.ranks[1]), self.count, self.current_player,
                self.done, self.winner)
