import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SEATS = ("first", "second")
BOARDS = ("garden", "tower")
LINES = ("row", "column")
CARDS = (
    "L1 S2 W3 F4 W4 F3 L2 S1 F2 WQ S4 L3 S3 L4 F1 W2".split()
    + "F1 W2 S3 L4 S4 L3 FQ W1 L2 S1 W4 F3 W3 F4 L1 S2".split()
)
SUITS = "LSWF"
ASLEEP = 10


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(32)
        self.observation_space = Box(0.0, 40.0, shape=(39,), dtype=np.float32)
        self._start()

    def _start(self):
        self.left = [1] * 32
        self.reach = [(0, 0), (0, 3)]
        self.ban = ""
        self.taken = 0
        self.current_player = 0
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        values = list(self.left)
        for kind, place in self.reach:
            values += [kind, place]
        values += [SUITS.index(self.ban) + 1 if self.ban else 0, self.taken, self.current_player]
        return np.array(values, dtype=np.float32)

    def _in_reach(self, card):
        board, cell = divmod(card, 16)
        row, col = divmod(cell, 4)
        kind, place = self.reach[board]
        return (row if kind == 0 else col) == place

    def valid_moves(self):
        if self.over:
            return []
        awake = self.taken >= ASLEEP
        pool = [card for card in range(32) if self.left[card] and (awake or CARDS[card][1] != "Q")]
        near = [card for card in pool if self._in_reach(card)]
        if near:
            pool = near
        free = [card for card in pool if CARDS[card][0] != self.ban]
        return free if free else pool

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            if not self.over:
                self.over = True
                self.winner = 1 - me
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        self.left[action] = 0
        self.taken += 1
        suit, value = CARDS[action]
        self.ban = suit
        self.current_player = 1 - me
        if value == "Q":
            self.over = True
            self.winner = me
            return self._observe(), 1.0, True, False, {"winner": me}
        board, cell = divmod(action, 16)
        row, col = divmod(cell, 4)
        self.reach[1 - board] = (0, row) if int(value) % 2 == 1 else (1, col)
        return self._observe(), 0.0, False, False, {}

    def render(self):
        lines = []
        for board in range(2):
            for row in range(4):
                start = board * 16 + row * 4
                cards = [CARDS[card] if self.left[card] else ".." for card in range(start, start + 4)]
                lines.append(BOARDS[board] + " " + str(row + 1) + ": " + " ".join(cards))
        places = [BOARDS[b] + " " + LINES[self.reach[b][0]] + " " + str(self.reach[b][1] + 1) for b in range(2)]
        lines.append("reach: " + ", ".join(places))
        lines.append("forbidden suit: " + (self.ban if self.ban else "none"))
        lines.append("cards taken: " + str(self.taken))
        lines.append("queens: " + ("awake" if self.taken >= ASLEEP else "asleep"))
        if self.over:
            lines.append("to move: nobody, the game is over")
        else:
            lines.append("to move: " + SEATS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        return "take " + CARDS[action] + " from " + BOARDS[action // 16]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.left = list(self.left)
        other.reach = list(self.reach)
        return other

    def key(self):
        return (self.current_player, tuple(self.left), tuple(self.reach), self.ban, self.over, self.winner)
