import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 4
CELLS = SIZE * SIZE
HAND = 7
NAMES = ("first", "second")


def _cell_name(cell):
    return "abcd"[cell % SIZE] + str(cell // SIZE + 1)


def _make_blocks():
    blocks = [[] for _ in range(CELLS)]
    for r in range(SIZE - 1):
        for c in range(SIZE - 1):
            corner = r * SIZE + c
            block = (corner, corner + 1, corner + SIZE, corner + SIZE + 1)
            for cell in block:
                blocks[cell].append(block)
    return blocks


BLOCKS = _make_blocks()


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(HAND + CELLS)
        self.observation_space = Box(low=-1.0, high=100.0, shape=(37,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.grid = [0] * CELLS
        self.hands = [[1] * HAND, [1] * HAND]
        self.phase = 0  # 0 leader bids, 1 other bids, 2 winner places, 3 loser places
        self.leader = 0
        self.bids = [0, 0]
        self.boss = -1
        self.last = -1
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        values = list(self.grid) + self.hands[0] + self.hands[1] + self.bids
        values += [self.phase, self.leader, self.boss, self.last, self.current_player]
        return np.array(values, dtype=np.float32)

    def _completes(self, cell):
        for block in BLOCKS[cell]:
            if all(self.grid[other] for other in block if other != cell):
                return True
        return False

    def _allowed(self):
        free = [c for c in range(CELLS) if not self.grid[c]]
        if self.phase == 2:
            return free
        if self.bids[self.boss] % 2 == 1:
            line = [c for c in free if c // SIZE == self.last // SIZE]
        else:
            line = [c for c in free if c % SIZE == self.last % SIZE]
        return line if line else free

    def valid_moves(self):
        if self.done:
            return []
        if self.phase < 2:
            return [i for i in range(HAND) if self.hands[self.current_player][i]]
        allowed = self._allowed()
        safe = [c for c in allowed if not self._completes(c)]
        return [HAND + c for c in (safe if safe else allowed)]

    def move_name(self, action):
        action = int(action)
        if action < HAND:
            return "bid %d" % (action + 1)
        return "place " + _cell_name(action - HAND)

    def _apply(self, action):
        player = self.current_player
        if self.phase < 2:
            self.hands[player][action] = 0
            self.bids[player] = action + 1
            if self.phase == 0:
                self.phase = 1
                self.current_player = 1 - player
            else:
                if self.bids[player] > self.bids[self.leader]:
                    self.boss = player
                else:
                    self.boss = self.leader
                self.phase = 2
                self.current_player = self.boss
            return
        cell = action - HAND
        if self._completes(cell):
            self.grid[cell] = 1
            self.done = True
            self.winner = 1 - player
            return
        self.grid[cell] = 1
        if self.phase == 2:
            self.last = cell
            self.phase = 3
            self.current_player = 1 - player
        else:
            self.leader = self.boss
            self.current_player = self.leader
            self.bids = [0, 0]
            self.boss = -1
            self.last = -1
            self.phase = 0

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
        elif self.phase < 2:
            head = "%s to move, bids" % NAMES[self.current_player]
        else:
            head = "%s to move, places" % NAMES[self.current_player]
        lines = [head, "columns: a b c d"]
        for r in range(SIZE):
            row = " ".join("#" if self.grid[r * SIZE + c] else "." for c in range(SIZE))
            lines.append("row %d: %s" % (r + 1, row))
        for p in (0, 1):
            cards = [str(i + 1) for i in range(HAND) if self.hands[p][i]]
            lines.append("hand %s: %s" % (NAMES[p], " ".join(cards) if cards else "empty"))
        words = [str(x) if x else "-" for x in self.bids]
        lines.append("bids: first %s, second %s" % (words[0], words[1]))
        if self.phase == 3 and not self.done:
            if self.bids[self.boss] % 2 == 1:
                lines.append("limit: row %d" % (self.last // SIZE + 1))
            else:
                lines.append("limit: column %s" % "abcd"[self.last % SIZE])
        else:
            lines.append("limit: none")
        return "\n".join(lines)

    def clone(self):
        other = CustomEnv()
        other.current_player = self.current_player
        other.grid = list(self.grid)
        other.hands = [list(x) for x in self.hands]
        other.phase = self.phase
        other.leader = self.leader
        other.bids = list(self.bids)
        other.boss = self.boss
        other.last = self.last
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.grid),
            tuple(map(tuple, self.hands)),
            self.phase,
            self.leader,
            tuple(self.bids),
            self.boss,
            self.last,
            self.done,
            self.winner,
        )
