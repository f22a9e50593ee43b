import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

ROWS = 3
COLS = 4
HALF = ROWS * COLS
CARDS = 2 * HALF
BRIDGE = CARDS
LAYOUT = "smts" + "wtmw" + "mswt"
MOVES = 16
NAMES = ("first", "second")
SUITS = {"s": "sun", "m": "moon", "t": "tree", "w": "wave"}


def _card_name(card):
    half, rest = divmod(card, HALF)
    row, col = divmod(rest, COLS)
    return "LR"[half] + "abcd"[col] + str(row + 1)


def _make_neighbours():
    result = []
    for card in range(CARDS):
        half, rest = divmod(card, HALF)
        row, col = divmod(rest, COLS)
        near = [(1 - half) * HALF + rest]
        for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            if 0 <= row + dr < ROWS and 0 <= col + dc < COLS:
                near.append(half * HALF + (row + dr) * COLS + col + dc)
        result.append(near)
    left_end = COLS + COLS - 1  # Ld2
    right_end = HALF + COLS  # Ra2
    result[left_end].append(BRIDGE)
    result[right_end].append(BRIDGE)
    result.append([left_end, right_end])
    return result


NEIGHBOURS = _make_neighbours()


def _suit(card):
    return "" if card == BRIDGE else LAYOUT[card % HALF]


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(CARDS + 1)
        self.observation_space = Box(low=-1.0, high=100.0, shape=(30,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.owner = [0] * (CARDS + 1)
        self.banned = ""
        self.moves = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        values = list(self.owner)
        values.append("smtw".index(self.banned) + 1 if self.banned else 0)
        values += [self._chain(1), self._chain(2), self.current_player, self.moves]
        return np.array(values, dtype=np.float32)

    def _chain(self, mark):
        seen = set()
        best = 0
        for start in range(CARDS + 1):
            if self.owner[start] != mark or start in seen:
                continue
            seen.add(start)
            stack = [start]
            size = 0
            while stack:
                card = stack.pop()
                size += 1
                for other in NEIGHBOURS[card]:
                    if self.owner[other] == mark and other not in seen:
                        seen.add(other)
                        stack.append(other)
            best = max(best, size)
        return best

    def valid_moves(self):
        if self.done:
            return []
        result = []
        for card in range(CARDS):
            if not self.owner[card] and _suit(card) != self.banned:
                result.append(card)
        if not self.owner[BRIDGE]:
            player = self.current_player
            if self._chain(player + 1) < self._chain(2 - player):
                result.append(BRIDGE)
        return result

    def move_name(self, action):
        action = int(action)
        if action == BRIDGE:
            return "take bridge"
        return "take " + _card_name(action)

    def _apply(self, action):
        player = self.current_player
        self.owner[action] = player + 1
        self.banned = _suit(action)
        self.moves += 1
        if self.moves >= MOVES:
            self.done = True
            one = self._chain(1)
            two = self._chain(2)
            if one != two:
                self.winner = 0 if one > two else 1
            else:
                self.winner = 0 if self.owner[BRIDGE] == 1 else 1
        else:
            self.current_player = 1 - player

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
            head = "move %d of %d, %s to move" % (self.moves + 1, MOVES, NAMES[self.current_player])
        lines = [head, "columns: a b c d"]
        for half in (0, 1):
            for row in range(ROWS):
                marks = []
                for col in range(COLS):
                    card = half * HALF + row * COLS + col
                    if self.owner[card]:
                        marks.append(" XO"[self.owner[card]])
                    else:
                        marks.append(_suit(card))
                lines.append("%s %d: %s" % (("left", "right")[half], row + 1, " ".join(marks)))
        lines.append("bridge: " + ("free", "X", "O")[self.owner[BRIDGE]])
        lines.append("forbidden: " + (SUITS[self.banned] if self.banned else "none"))
        lines.append("chain: first %d, second %d" % (self._chain(1), self._chain(2)))
        return "\n".join(lines)

    def clone(self):
        other = CustomEnv()
        other.current_player = self.current_player
        other.owner = list(self.owner)
        other.banned = self.banned
        other.moves = self.moves
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.owner),
            self.banned,
            self.moves,
            self.done,
            self.winner,
        )
