import gymnasium
import numpy as np
from gymnasium import spaces

NAMES = ("first", "second")
SIZE = 4
CELLS = SIZE * SIZE
VALUES = 4
COPIES = 2
DISCARD = CELLS * VALUES
LAST_MOVE = 2 * VALUES * COPIES
STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, 1), (1, -1))


def cell_name(cell):
    return "abcd"[cell % SIZE] + str(cell // SIZE + 1)


def cell_cost(cell):
    row, column = divmod(cell, SIZE)
    return 2 if row in (1, 2) and column in (1, 2) else 1


def neighbours(cell):
    row, column = divmod(cell, SIZE)
    found = []
    for dr, dc in STEPS:
        r, c = row + dr, column + dc
        if 0 <= r < SIZE and 0 <= c < SIZE:
            found.append(r * SIZE + c)
    return found


COST = [cell_cost(i) for i in range(CELLS)]
NEAR = [neighbours(i) for i in range(CELLS)]


def spell(counts):
    return " ".join(str(v + 1) for v in range(VALUES) for _ in range(counts[v])) or "none"


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(DISCARD + VALUES)
        self.observation_space = spaces.Box(low=-1.0, high=100.0, shape=(57,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.owner = [-1] * CELLS
        self.value = [0] * CELLS
        self.shown = [False] * CELLS
        self.hand = [[COPIES] * VALUES, [COPIES] * VALUES]
        self.thrown = [[0] * VALUES, [0] * VALUES]
        self.fallen = [[0] * VALUES, [0] * VALUES]
        self.stock = [2, 3]
        self.moves = 0
        self.done = False
        self.winner = None
        self.log = []

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(0), {}

    def _observe(self, player):
        foe = 1 - player
        numbers = []
        for i in range(CELLS):
            numbers.append(0 if self.owner[i] == -1 else (1 if self.owner[i] == player else -1))
        numbers.extend(self._seen(player))
        numbers.extend(1 if x else 0 for x in self.shown)
        numbers.extend(self.hand[player])
        numbers.append(sum(self.hand[foe]))
        numbers.append(self.stock[player])
        numbers.append(self.stock[foe])
        numbers.append(self.moves)
        numbers.append(player)
        return np.array(numbers, dtype=np.float32)

    def _seen(self, player):
        return [self.value[i] if self.owner[i] == player or self.shown[i] else 0 for i in range(CELLS)]

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        moves = []
        for cell in range(CELLS):
            if self.owner[cell] == me or COST[cell] > self.stock[me]:
                continue
            for v in range(VALUES):
                if self.hand[me][v] > 0:
                    moves.append(cell * VALUES + v)
        for v in range(VALUES):
            if self.hand[me][v] > 0:
                moves.append(DISCARD + v)
        return moves

    def _joined(self, player):
        if player == 0:
            begin = [c for c in range(SIZE)]
        else:
            begin = [r * SIZE for r in range(SIZE)]
        queue = [i for i in begin if self.owner[i] == player]
        reached = set(queue)
        while queue:
            cell = queue.pop()
            row, column = divmod(cell, SIZE)
            if (row if player == 0 else column) == SIZE - 1:
                return True
            for other in NEAR[cell]:
                if other not in reached and self.owner[other] == player:
                    reached.add(other)
                    queue.append(other)
        return False

    def step(self, action):
        action = int(action)
        me = self.current_player
        foe = 1 - me
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = foe
            return self._observe(me), -10.0, True, False, {"winner": self.winner}
        v = action % VALUES
        self.hand[me][v] -= 1
        if action >= DISCARD:
            self.thrown[me][v] += 1
            self.stock[me] += 2
            self.log.append(NAMES[me] + " discards a card unseen")
        else:
            cell = action // VALUES
            self.stock[me] -= COST[cell]
            if self.owner[cell] == -1:
                self.owner[cell] = me
                self.value[cell] = v + 1
                self.shown[cell] = False
                self.log.append(NAMES[me] + " lays a card on " + cell_name(cell))
            else:
                old = self.value[cell]
                text = "%s attacks %s with %d against %d" % (NAMES[me], cell_name(cell), v + 1, old)
                if v + 1 > old:
                    self.fallen[foe][old - 1] += 1
                    self.owner[cell] = me
                    self.value[cell] = v + 1
                    text += " and takes it"
                else:
                    self.fallen[me][v] += 1
                    text += " and falls"
                self.shown[cell] = True
                self.log.append(text)
        self.stock[me] += 1
        self.moves += 1
        if self._joined(me):
            self.done = True
            self.winner = me
        elif self.moves == LAST_MOVE:
            self.done = True
            held = [self.owner.count(0), self.owner.count(1)]
            self.winner = 0 if held[0] > held[1] else 1
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(me), reward, True, False, {"winner": self.winner}
        self.current_player = foe
        return self._observe(foe), 0.0, False, False, {}

    def _text(self, player):
        lines = [
            "to move: " + NAMES[self.current_player],
            "stock: first %d, second %d" % (self.stock[0], self.stock[1]),
            "cards in hand: first %d, second %d" % (sum(self.hand[0]), sum(self.hand[1])),
            "your hand: " + spell(self.hand[player]),
            "fallen of first: " + spell(self.fallen[0]),
            "fallen of second: " + spell(self.fallen[1]),
            "columns: a b c d",
        ]
        seen = self._seen(player)
        for row in range(SIZE):
            marks = []
            for column in range(SIZE):
                i = row * SIZE + column
                if self.owner[i] == -1:
                    marks.append("..")
                    continue
                letter = "fs"[self.owner[i]]
                if self.shown[i]:
                    letter = letter.upper()
                marks.append(letter + (str(seen[i]) if seen[i] else "?"))
            lines.append("row %d: %s" % (row + 1, " ".join(marks)))
        return "\n".join(lines)

    def render(self):
        return self._text(self.current_player)

    def move_name(self, action):
        action = int(action)
        v = action % VALUES + 1
        if action >= DISCARD:
            return "discard %d" % v
        return "play %d on %s" % (v, cell_name(action // VALUES))

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.owner = list(self.owner)
        other.value = list(self.value)
        other.shown = list(self.shown)
        other.hand = [list(x) for x in self.hand]
        other.thrown = [list(x) for x in self.thrown]
        other.fallen = [list(x) for x in self.fallen]
        other.stock = list(self.stock)
        other.log = list(self.log)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.owner),
            tuple(self.value),
            tuple(self.shown),
            tuple(tuple(x) for x in self.hand),
            tuple(tuple(x) for x in self.thrown),
            tuple(tuple(x) for x in self.fallen),
            tuple(self.stock),
            self.moves,
            self.done,
            self.winner,
        )

    def view(self, player):
        foe = 1 - player
        return {
            "player": player,
            "board": self._text(player),
            "observation": self._observe(player).tolist(),
            "log": list(self.log),
            "turn": self.current_player,
            "owner": list(self.owner),
            "seen": self._seen(player),
            "shown": list(self.shown),
            "hand": list(self.hand[player]),
            "thrown": list(self.thrown[player]),
            "foe_thrown": sum(self.thrown[foe]),
            "fallen": [list(x) for x in self.fallen],
            "stock": list(self.stock),
            "moves": self.moves,
            "done": self.done,
            "winner": self.winner,
        }

    def resample(self, view, rng):
        me = view["player"]
        foe = 1 - me
        self.np_random = rng
        self.current_player = view["turn"]
        self.owner = list(view["owner"])
        self.value = list(view["seen"])
        self.shown = list(view["shown"])
        self.fallen = [list(x) for x in view["fallen"]]
        self.stock = list(view["stock"])
        self.moves = view["moves"]
        self.done = view["done"]
        self.winner = view["winner"]
        self.log = list(view["log"])
        left = [COPIES - self.fallen[foe][v] for v in range(VALUES)]
        for i in range(CELLS):
            if self.owner[i] == foe and self.shown[i]:
                left[self.value[i] - 1] -= 1
        pool = [v for v in range(VALUES) for _ in range(left[v])]
        pool = [pool[int(i)] for i in rng.permutation(len(pool))]
        for i in range(CELLS):
            if self.owner[i] == foe and not self.shown[i]:
                self.value[i] = pool.pop() + 1
        thrown = [0] * VALUES
        for _ in range(view["foe_thrown"]):
            thrown[pool.pop()] += 1
        hand = [0] * VALUES
        for v in pool:
            hand[v] += 1
        self.hand = [None, None]
        self.thrown = [None, None]
        self.hand[me] = list(view["hand"])
        self.hand[foe] = hand
        self.thrown[me] = list(view["thrown"])
        self.thrown[foe] = thrown
