import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

LANES = 3
LENGTH = 6
CELLS = LANES * LENGTH
LOGS = ((0, 2), (3, 3), (7, 1), (10, 4), (14, 2))
TOP = 5
NETS = 3
TARGET = 20
PENALTY = 10
CAP = 60
NAMES = ("first", "second")


def _cell_name(cell):
    return "ABC"[cell // LENGTH] + str(cell % LENGTH + 1)


def _neighbours(cell):
    lane, place = divmod(cell, LENGTH)
    result = []
    for dl, dp in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if 0 <= lane + dl < LANES and 0 <= place + dp < LENGTH:
            result.append((lane + dl) * LENGTH + place + dp)
    return result


NEIGHBOURS = [_neighbours(cell) for cell in range(CELLS)]


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(CELLS)
        self.observation_space = Box(low=-100.0, high=100.0, shape=(40,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.logs = [0] * CELLS
        for cell, value in LOGS:
            self.logs[cell] = value
        self.nets = [[], []]  # oldest first
        self.sums = [0, 0]
        self.moves = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        net = [0] * CELLS
        for p in (0, 1):
            for age, cell in enumerate(self.nets[p]):
                net[cell] = (age + 1) if p == 0 else -(age + 1)
        values = list(self.logs) + net + list(self.sums)
        values += [self.current_player, self.moves]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        result = []
        for cell in range(CELLS):
            if not self.logs[cell] and cell not in self.nets[0] and cell not in self.nets[1]:
                result.append(cell)
        return result

    def move_name(self, action):
        return "net at " + _cell_name(int(action))

    def _flow(self, opener):
        moved = [0] * CELLS
        for cell in range(CELLS):
            if self.logs[cell]:
                moved[(cell + 1) % CELLS] = self.logs[cell]
        self.logs = moved
        for p in (0, 1):
            for cell in list(self.nets[p]):
                if self.logs[cell]:
                    self.sums[p] += self.logs[cell]
                    self.logs[cell] = 1
                    self.nets[p].remove(cell)
        exact = [self.sums[p] == TARGET for p in (0, 1)]
        if exact[0] or exact[1]:
            self.done = True
            if exact[0] and exact[1]:
                self.winner = opener
            else:
                self.winner = 0 if exact[0] else 1
            return
        for p in (0, 1):
            if self.sums[p] > TARGET:
                self.sums[p] -= PENALTY

    def _apply(self, action):
        player = self.current_player
        self.nets[player].append(action)
        if len(self.nets[player]) > NETS:
            self.nets[player].pop(0)
        for cell in NEIGHBOURS[action]:
            if self.logs[cell]:
                self.logs[cell] = self.logs[cell] % TOP + 1
        self.moves += 1
        if self.moves % 2 == 1:
            self.current_player = 1 - player
            return
        self._flow(1 - player)
        if not self.done and self.moves >= CAP:
            self.done = True
            self.winner = 0 if self.sums[0] > self.sums[1] else 1
        # the player who moved second opens the next round, so the turn stays

    def step(self, action):
        player = self.current_player
        if self.done:
            return self._observe(), 0, True, False, {"winner": self.winner}
        if int(action) not in self.valid_moves():
            self.done = True
            self.winner = 1 - player
            return self._observe(), -10, True, False, {"winner": self.winner}
        self._apply(int(action))
        reward = 1 if self.done and self.winner == player else 0
        info = {"winner": self.winner} if self.done else {}
        return self._observe(), reward, self.done, False, info

    def render(self):
        if self.done:
            head = "game over, winner %s" % NAMES[self.winner]
        else:
            part = "opens" if self.moves % 2 == 0 else "closes"
            head = "round %d, %s to move and %s it" % (
                self.moves // 2 + 1,
                NAMES[self.current_player],
                part,
            )
        lines = [head, "places: 1 2 3 4 5 6"]
        for lane in range(LANES):
            marks = []
            for place in range(LENGTH):
                cell = lane * LENGTH + place
                if self.logs[cell]:
                    marks.append(str(self.logs[cell]))
                elif cell in self.nets[0]:
                    marks.append("f")
                elif cell in self.nets[1]:
                    marks.append("s")
                else:
                    marks.append(".")
            lines.append("%s: %s" % ("ABC"[lane], " ".join(marks)))
        for p in (0, 1):
            words = [_cell_name(cell) for cell in self.nets[p]]
            lines.append("nets %s: %s" % (NAMES[p], " ".join(words) if words else "none"))
        lines.append("sum: first %d, second %d" % (self.sums[0], self.sums[1]))
        return "\n".join(lines)

    def clone(self):
        other = CustomEnv()
        other.current_player = self.current_player
        other.logs = list(self.logs)
        other.nets = [list(x) for x in self.nets]
        other.sums = list(self.sums)
        other.moves = self.moves
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.logs),
            tuple(map(tuple, self.nets)),
            tuple(self.sums),
            self.moves,
            self.done,
            self.winner,
        )
