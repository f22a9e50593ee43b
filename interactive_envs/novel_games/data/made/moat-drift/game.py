import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

LANES = 3
LENGTH = 8
NAMES = ("first", "second")
START = ((3, 7, 1, 5, 9, 2, 6, 4),
         (5, 2, 8, 4, 1, 6, 3, 7),
         (6, 1, 4, 9, 2, 8, 5, 3))
SPEED = (1, 2, 3)
GOAL = 55
ROUNDS = 14


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(12)
        self.observation_space = Box(low=0.0, high=200.0, shape=(34,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.river = [list(lane) for lane in START]
        self.boat = [(1, 0), (1, 4)]
        self.total = [0, 0]
        self.last = [0, 0]
        self.rounds = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        values = []
        for lane in self.river:
            values += lane
        values += list(self.boat[0]) + list(self.boat[1]) + list(self.total) + list(self.last)
        values += [self.rounds, self.current_player]
        return np.array(values, dtype=np.float32)

    def _target(self, player, action):
        lane, ahead = divmod(action, 4)
        return lane, (self.boat[player][1] + ahead) % LENGTH

    def valid_moves(self):
        if self.done:
            return []
        player = self.current_player
        here = self.boat[player][0]
        moves = []
        for action in range(12):
            if abs(action // 4 - here) <= 1 and self._target(player, action) != self.boat[1 - player]:
                moves.append(action)
        return moves

    def _score(self, player):
        return self.total[player] + self.last[player]

    def step(self, action):
        action = int(action)
        if self.done:
            return self._obs(), 0.0, True, False, {"winner": self.winner}
        mover = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - mover
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        lane, cell = self._target(mover, action)
        self.boat[mover] = (lane, cell)
        number = self.river[lane][cell]
        if number > 0:
            self.river[lane][cell] = 0
            self.total[mover] += number
            self.last[mover] = number
        if mover == 1:
            self.rounds += 1
            first = self._score(0)
            second = self._score(1)
            if max(first, second) >= GOAL or self.rounds >= ROUNDS:
                self.done = True
                self.winner = 0 if first > second else 1
            else:
                for i in range(LANES):
                    speed = SPEED[i]
                    self.river[i] = self.river[i][speed:] + self.river[i][:speed]
        if self.done:
            reward = 1.0 if self.winner == mover else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - mover
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = ["cells: 1 2 3 4 5 6 7 8"]
        for i in range(LANES):
            lines.append("lane " + str(i + 1) + ": " + " ".join(str(n) if n else "." for n in self.river[i]))
        for who in (0, 1):
            lines.append("boat " + NAMES[who] + ": lane " + str(self.boat[who][0] + 1)
                         + " cell " + str(self.boat[who][1] + 1))
        lines.append("last: first " + str(self.last[0]) + ", second " + str(self.last[1]))
        lines.append("score: first " + str(self._score(0)) + ", second " + str(self._score(1)))
        lines.append("rounds done: " + str(self.rounds) + " of " + str(ROUNDS))
        if self.done:
            lines.append("game over: " + NAMES[self.winner] + " wins")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        lane, ahead = divmod(int(action), 4)
        return "lane " + str(lane + 1) + " up " + str(ahead)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.river = [list(lane) for lane in self.river]
        other.boat = list(self.boat)
        other.total = list(self.total)
        other.last = list(self.last)
        return other

    def key(self):
        return (tuple(tuple(lane) for lane in self.river), tuple(self.boat), tuple(self.total),
                tuple(self.last), self.rounds, self.current_player, self.done, self.winner)
