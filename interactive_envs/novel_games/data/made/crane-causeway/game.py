import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

SIDE = 5
CELLS = SIDE * SIDE
TOP = 3
WORK = 25
SWAP = 26
NAMES = ("first", "second")
GROUND_NAMES = ("clay", "slate", "marble")
GROUND_LETTERS = "csm"
COLUMNS = "abcde"
# the crane walks b2 c2 d2 d3 d4 c4 b4 b3 and round again
LOOP = (6, 7, 8, 13, 18, 17, 16, 11)
GROUND = [(r + c) % 3 for r in range(SIDE) for c in range(SIDE)]


def _neighbours():
    table = []
    for r in range(SIDE):
        for c in range(SIDE):
            near = []
            for rr, cc in ((r, c - 1), (r, c + 1), (r - 1, c), (r + 1, c), (r - 1, c + 1), (r + 1, c - 1)):
                if 0 <= rr < SIDE and 0 <= cc < SIDE:
                    near.append(rr * SIDE + cc)
            table.append(near)
    return table


NEAR = _neighbours()


def _cell_name(cell):
    return COLUMNS[cell % SIDE] + str(cell // SIDE + 1)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(27)
        self.observation_space = Box(low=-1.0, high=100.0, shape=(58,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.owner = [-1] * CELLS
        self.level = [0] * CELLS
        self.coins = [4, 4]
        self.price = [2, 2, 2]
        self.crane = 0
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        values = list(self.owner) + list(self.level) + list(self.price) + list(self.coins)
        values += [self.crane, min(self.moves, 2), self.current_player]
        return np.array(values, dtype=np.float32)

    def _cost(self, cell):
        return self.price[GROUND[cell]] + self.level[cell]

    def _can_build(self, player, cell):
        if cell == LOOP[self.crane]:
            return False
        height = self.level[cell]
        if height >= TOP:
            return False
        if self.coins[player] < self.price[GROUND[cell]] + height:
            return False
        if height == 0:
            return True
        for other in NEAR[cell]:
            if self.owner[other] == player and self.level[other] >= height:
                return True
        return False

    def valid_moves(self):
        if self.done:
            return []
        player = self.current_player
        moves = [cell for cell in range(CELLS) if self._can_build(player, cell)]
        if self.coins[player] <= 5 or not moves:
            moves.append(WORK)
        if self.moves == 1 and 0 in self.owner:
            moves.append(SWAP)
        return moves

    def _joined(self, player):
        if player == 0:
            start = [c for c in range(SIDE)]
            goal = set(range(CELLS - SIDE, CELLS))
        else:
            start = [r * SIDE for r in range(SIDE)]
            goal = set(r * SIDE + SIDE - 1 for r in range(SIDE))
        stack = [cell for cell in start if self.owner[cell] == player]
        seen = set(stack)
        while stack:
            cell = stack.pop()
            if cell in goal:
                return True
            for other in NEAR[cell]:
                if other not in seen and self.owner[other] == player:
                    seen.add(other)
                    stack.append(other)
        return False

    def step(self, action):
        action = int(action)
        if self.done:
            return self._obs(), 0.0, True, False, {"winner": self.winner}
        mover = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - mover
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action == WORK:
            self.coins[mover] = min(9, self.coins[mover] + 4)
        elif action == SWAP:
            cell = self.owner.index(0)
            mirror = (cell % SIDE) * SIDE + cell // SIDE
            self.owner[cell] = -1
            self.level[cell] = 0
            self.owner[mirror] = 1
            self.level[mirror] = 1
            self.coins = [self.coins[1], self.coins[0]]
        else:
            ground = GROUND[action]
            self.coins[mover] -= self._cost(action)
            self.owner[action] = mover
            self.level[action] += 1
            self.price[ground] = min(4, self.price[ground] + 1)
            after = (ground + 1) % 3
            self.price[after] = max(1, self.price[after] - 1)
            if self._joined(mover):
                self.done = True
                self.winner = mover
        self.moves += 1
        if self.done:
            return self._obs(), 1.0, True, False, {"winner": self.winner}
        if mover == 1:
            self.crane = (self.crane + 1) % len(LOOP)
        self.current_player = 1 - mover
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = ["prices: " + ", ".join(GROUND_NAMES[i] + " " + str(self.price[i]) for i in range(3))]
        lines.append("coins: first " + str(self.coins[0]) + ", second " + str(self.coins[1]))
        lines.append("crane: " + _cell_name(LOOP[self.crane]))
        lines.append("columns: a b c d e")
        for r in range(SIDE):
            parts = []
            for c in range(SIDE):
                cell = r * SIDE + c
                text = GROUND_LETTERS[GROUND[cell]]
                if self.owner[cell] < 0:
                    text += "--"
                else:
                    text += "FS"[self.owner[cell]] + str(self.level[cell])
                parts.append(text)
            lines.append(str(r + 1) + ": " + " ".join(parts))
        if self.done:
            lines.append("game over: " + NAMES[self.winner] + " wins")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == WORK:
            return "work"
        if action == SWAP:
            return "swap"
        return "build " + _cell_name(action)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.owner = list(self.owner)
        other.level = list(self.level)
        other.coins = list(self.coins)
        other.price = list(self.price)
        return other

    def key(self):
        return (tuple(self.owner), tuple(self.level), tuple(self.coins), tuple(self.price),
                self.crane, min(self.moves, 2), self.current_player, self.done, self.winner)
