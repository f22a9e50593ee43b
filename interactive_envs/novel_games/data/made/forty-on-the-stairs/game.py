import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

STEPS = 7
WORTH = (1, 2, 4, 7, 11, 16, 22)
CARRY = (3, 2, 1, 1, 2, 3)
STONES = 5
GOAL = 40
LAST_MOVE = 44
FALL = 2
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(36)
        self.observation_space = Box(-1.0, 100.0, shape=(18,), dtype=np.float32)
        self._start()

    def _start(self):
        self.stones = [[STONES] + [0] * (STEPS - 1), [STONES] + [0] * (STEPS - 1)]
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _sum(self, player):
        return sum(n * w for n, w in zip(self.stones[player], WORTH))

    def _obs(self):
        p = self.current_player
        values = list(self.stones[p]) + list(self.stones[1 - p])
        values += [self._sum(p), self._sum(1 - p), self.moves, p]
        return np.array([float(v) for v in values], dtype=np.float32)

    def _parts(self, action):
        rest, k = divmod(action, 3)
        edge, down = divmod(rest, 2)
        if down:
            return edge, edge + 1, edge, k + 1
        return edge, edge, edge + 1, k + 1

    def valid_moves(self):
        if self.done:
            return []
        mine = self.stones[self.current_player]
        moves = []
        for action in range(36):
            edge, source, target, k = self._parts(action)
            if k <= CARRY[edge] and mine[source] >= k:
                moves.append(action)
        return moves

    def step(self, action):
        action = int(action)
        p = self.current_player
        q = 1 - p
        if action not in self.valid_moves():
            self.done = True
            self.winner = q
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        edge, source, target, k = self._parts(action)
        mine = self.stones[p]
        other = self.stones[q]
        mine[source] -= k
        mine[target] += k
        if target > 0 and 0 < other[target] < mine[target]:
            pushed = other[target]
            other[target] = 0
            other[max(0, target - FALL)] += pushed
        if self._sum(p) > GOAL:
            top = max(i for i in range(STEPS) if mine[i] > 0)
            fallen = mine[top]
            mine[top] = 0
            mine[0] += fallen
        self.moves += 1
        self.current_player = q
        if self._sum(p) == GOAL:
            self.done = True
            self.winner = p
        elif self.moves >= LAST_MOVE:
            self.done = True
            if self._sum(0) > self._sum(1):
                self.winner = 0
            else:
                self.winner = 1
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for i in range(STEPS - 1, -1, -1):
            lines.append("step " + str(i + 1) + ": first " + str(self.stones[0][i])
                         + " second " + str(self.stones[1][i]))
        lines.append("sums: first " + str(self._sum(0)) + " second " + str(self._sum(1)))
        lines.append("moves made: " + str(self.moves) + " of " + str(LAST_MOVE))
        who = "nobody" if self.done else NAMES[self.current_player]
        lines.append("to move: " + who)
        return "\n".join(lines)

    def move_name(self, action):
        edge, source, target, k = self._parts(int(action))
        word = "up" if target > source else "down"
        return word + " " + str(k) + " from " + str(source + 1)

    def clone(self):
        other = CustomEnv()
        other.stones = [list(self.stones[0]), list(self.stones[1])]
        other.moves = self.moves
        other.current_player = self.current_player
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (tuple(self.stones[0]), tuple(self.stones[1]), self.moves,
                self.current_player, self.done, self.winner)
