import copy

import gymnasium
import numpy as np
from gymnasium import spaces

SIZE = 5
CAP = 9
LAST_ROUND = 45
DIRS = ((-1, 0), (0, 1), (1, 0), (0, -1))
DIR_NAMES = ("north", "east", "south", "west")
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(8)
        self.observation_space = spaces.Box(-1000.0, 1000.0, shape=(34,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.food = [[2] * SIZE for _ in range(SIZE)]
        self.pos = [(1, 1), (3, 3)]
        self.food[1][1] = 0
        self.food[3][3] = 0
        self.energy = [12, 13]
        self.round = 1
        self.last_eater = 1
        self.current_player = 0
        self.done = False
        self.winner = None
        self.log = []

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        vals = [x for r in self.food for x in r]
        vals += [self.pos[0][0], self.pos[0][1], self.pos[1][0], self.pos[1][1]]
        vals += [self.energy[0], self.energy[1], self.round, self.last_eater, self.current_player]
        return np.array(vals, dtype=np.float32)

    def _cost(self):
        return 2 + self.round // 4

    def _legal(self, action):
        me = self.current_player
        r, c = self.pos[me]
        dr, dc = DIRS[action % 4]
        ahead = ((r + dr) % SIZE, (c + dc) % SIZE)
        if action < 4:
            return ahead != self.pos[1 - me]
        behind = ((r - dr) % SIZE, (c - dc) % SIZE)
        return self.food[ahead[0]][ahead[1]] > 0 and behind != self.pos[1 - me]

    def valid_moves(self):
        if self.done:
            return []
        return [a for a in range(8) if self._legal(a)]

    def _act(self, action):
        # plays a legal action without the die; True when the die must be thrown now
        me = self.current_player
        self.log.append(NAMES[me] + ": " + self.move_name(action))
        r, c = self.pos[me]
        dr, dc = DIRS[action % 4]
        ar, ac = (r + dr) % SIZE, (c + dc) % SIZE
        if action < 4:
            got = self.food[ar][ac]
            self.food[ar][ac] = 0
            if got > 0:
                if sum(self.food[ar]) == 0:
                    got *= 2
                self.energy[me] += got
                self.last_eater = me
            self.pos[me] = (ar, ac)
        else:
            br, bc = (r - dr) % SIZE, (c - dc) % SIZE
            self.food[br][bc] = min(CAP, self.food[br][bc] + self.food[ar][ac])
        self.current_player = 1 - me
        if me == 0:
            return False
        cost = self._cost()
        self.energy[0] -= cost
        self.energy[1] -= cost
        a, b = self.energy
        if a > 0 and b > 0 and self.round < LAST_ROUND:
            self.round += 1
            return True
        self.done = True
        if a > b:
            self.winner = 0
        elif b > a:
            self.winner = 1
        else:
            self.winner = self.last_eater
        return False

    def _grow(self, column):
        self.log.append("column " + str(column + 1) + " grows")
        for r in range(SIZE):
            if self.food[r][column] > 0:
                self.food[r][column] = min(CAP, self.food[r][column] + 1)

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done or not (0 <= action < 8) or not self._legal(action):
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if self._act(action):
            self._grow(int(self.np_random.integers(SIZE)))
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def chance(self, action):
        base = self.clone()
        action = int(action)
        if base.done or not (0 <= action < 8) or not base._legal(action):
            base.done = True
            base.winner = 1 - base.current_player
            return [(1.0, base)]
        if not base._act(action):
            return [(1.0, base)]
        out = []
        for column in range(SIZE):
            env = base.clone()
            env._grow(column)
            out.append((1.0 / SIZE, env))
        return out

    def render(self):
        lines = []
        for r in range(SIZE):
            cells = []
            for c in range(SIZE):
                if (r, c) == self.pos[0]:
                    cells.append("A")
                elif (r, c) == self.pos[1]:
                    cells.append("B")
                else:
                    cells.append(str(self.food[r][c]))
            lines.append("row " + str(r + 1) + ": " + " ".join(cells))
        lines.append("energy: first " + str(self.energy[0]) + ", second " + str(self.energy[1]))
        lines.append("round: " + str(self.round) + ", cost " + str(self._cost()))
        lines.append("last eater: " + NAMES[self.last_eater])
        if self.done:
            lines.append("game over, winner: " + NAMES[self.winner])
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        return ("move " if action < 4 else "fold ") + DIR_NAMES[action % 4]

    def view(self, player):
        # nothing is hidden, so both players see the whole position
        return {
            "player": int(player),
            "board": self.render(),
            "observation": [float(x) for x in self._obs()],
            "log": list(self.log),
            "food": [[int(x) for x in r] for r in self.food],
            "pos": [[int(a), int(b)] for a, b in self.pos],
            "energy": [int(x) for x in self.energy],
            "round": int(self.round),
            "last_eater": int(self.last_eater),
            "current_player": int(self.current_player),
            "done": bool(self.done),
            "winner": None if self.winner is None else int(self.winner),
        }

    def resample(self, view, rng):
        self.food = [[int(x) for x in r] for r in view["food"]]
        self.pos = [(int(a), int(b)) for a, b in view["pos"]]
        self.energy = [int(x) for x in view["energy"]]
        self.round = int(view["round"])
        self.last_eater = int(view["last_eater"])
        self.current_player = int(view["current_player"])
        self.done = bool(view["done"])
        self.winner = None if view["winner"] is None else int(view["winner"])
        self.log = [str(line) for line in view["log"]]
        # only the dice to come are unknown
        self.np_random = rng

    def clone(self):
        new = CustomEnv()
        new.log = list(self.log)
        new.food = [list(r) for r in self.food]
        new.pos = list(self.pos)
        new.energy = list(self.energy)
        new.round = self.round
        new.last_eater = self.last_eater
        new.current_player = self.current_player
        new.done = self.done
        new.winner = self.winner
        new._np_random = copy.deepcopy(self._np_random)
        return new

    def key(self):
        return (self.current_player, tuple(tuple(r) for r in self.food), tuple(self.pos),
                tuple(self.energy), self.round, self.last_eater, self.done, self.winner)
