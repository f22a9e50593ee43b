import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SEATS = ("first", "second")
HILLS = ("north", "east", "west")
ROADS = ((0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1))
SIZES = (2, 3, 4, 5)
START = 5


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(3 + len(ROADS) * len(SIZES))
        self.observation_space = Box(-1.0, 30.0, shape=(8,), dtype=np.float32)
        self._set_up()

    def _set_up(self):
        self.men = [[START] * 3, [START] * 3]
        self.closed = -1
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._set_up()
        return self._observe(), {}

    def _observe(self):
        values = self.men[0] + self.men[1] + [self.closed, self.current_player]
        return np.array(values, dtype=np.float32)

    def _march(self, action):
        index = action - 3
        source, target = ROADS[index // len(SIZES)]
        return source, target, SIZES[index % len(SIZES)]

    def _moves(self, player):
        own = self.men[player]
        foe = self.men[1 - player]
        moves = []
        for hill in range(3):
            if hill != self.closed and own[hill] > 0 and foe[hill] > 0:
                moves.append(hill)
        for action in range(3, 3 + len(ROADS) * len(SIZES)):
            source, target, size = self._march(action)
            if target != self.closed and own[source] >= size:
                moves.append(action)
        return moves

    def valid_moves(self):
        if self.done:
            return []
        return self._moves(self.current_player)

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.done or action not in self._moves(player):
            self.done = True
            self.winner = 1 - player
            return self._observe(), -10, True, False, {"winner": self.winner}
        own = self.men[player]
        foe = self.men[1 - player]
        if action < 3:
            killed = 2 if own[action] >= 2 * foe[action] else 1
            foe[action] -= min(killed, foe[action])
            self.closed = action
        else:
            source, target, size = self._march(action)
            own[source] -= size
            own[target] += size - 1
            self.closed = target
        if not self._moves(1 - player):
            self.done = True
            self.winner = player
            return self._observe(), 1, True, False, {"winner": player}
        self.current_player = 1 - player
        return self._observe(), 0, False, False, {}

    def render(self):
        lines = []
        for hill in range(3):
            lines.append("%s: first %d, second %d" % (
                HILLS[hill], self.men[0][hill], self.men[1][hill]))
        lines.append("closed: %s" % ("none" if self.closed < 0 else HILLS[self.closed]))
        if self.done:
            lines.append("game over: %s has won" % SEATS[self.winner])
        else:
            lines.append("to move: %s" % SEATS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < 3:
            return "strike %s" % HILLS[action]
        source, target, size = self._march(action)
        return "march %s %s %d" % (HILLS[source], HILLS[target], size)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.men = [list(row) for row in self.men]
        return other

    def key(self):
        return (tuple(self.men[0]), tuple(self.men[1]), self.closed,
                self.current_player, self.done, self.winner)
