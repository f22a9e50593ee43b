"""Dictated Steps: a shared pawn walks as far as the other player said, and every cell it leaves is lost."""

import gymnasium
import numpy as np

COLS, ROWS = 7, 5
CELLS = COLS * ROWS
START = 17
HOMES = ((0, CELLS - 1), (COLS - 1, CELLS - COLS))
OWNER = [0 if i in HOMES[0] else 1 if i in HOMES[1] else -1 for i in range(CELLS)]
LETTERS = "abcdefg"
WAYS = ("up", "right", "down", "left")
LONG = (1, 2, 3)
WIDTH = 2 * CELLS + 4
BITS = bytes.maketrans(b"01", b"\0\1")


def _reach(i, length):
    """Return (way, cell, bit) for each way the pawn can walk on an empty board."""
    row, col = divmod(i, COLS)
    ends = ((row + length, col), (row, col + length), (row - length, col), (row, col - length))
    return tuple(
        (way, r * COLS + c, 1 << r * COLS + c) for way, (r, c) in enumerate(ends) if 0 <= r < ROWS and 0 <= c < COLS
    )


REACH = [[_reach(i, length) for i in range(CELLS)] for length in (0, *LONG)]
ORDERS = [[3 * way + d - 1 for d in LONG] for way in range(4)]
# OFFER[length][way]: the actions that walk this way, given the length just walked
OFFER = [[[a for a in ORDERS[way] if a % 3 + 1 != length] for way in range(4)] for length in (0, *LONG)]


class CustomEnv(gymnasium.Env):
    """Two players walk one pawn; own homes win, and who cannot walk loses."""

    def __init__(self):
        self.action_space = gymnasium.spaces.Discrete(12)
        self.observation_space = gymnasium.spaces.Box(0, 1, (WIDTH,), np.float32)
        self._begin()

    def _begin(self):
        self.pawn = START
        self.lost = 1 << START
        self.length = 1
        self.current_player = 0
        self.over = False
        self._list()

    def _list(self):
        lost, offer = self.lost, OFFER[self.length]
        moves = []
        for way, _, bit in REACH[self.length][self.pawn]:
            if not lost & bit:
                moves += offer[way]
        self.moves = moves

    def reset(self, seed=None, options=None):
        """Start a new game."""
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _obs(self):
        row = bytearray(WIDTH)
        row[:CELLS] = f"{self.lost:0{CELLS}b}".encode().translate(BITS)[::-1]
        row[CELLS + self.pawn] = 1
        at = 2 * CELLS
        row[at + self.length - 1] = 1
        row[at + 3] = self.current_player
        return np.frombuffer(row, np.uint8).astype(np.float32)

    def valid_moves(self):
        """List the walks with the length dictated next."""
        return self.moves[:]

    def step(self, action):
        """Walk the pawn and dictate the next length."""
        if action not in self.moves:
            return self._obs(), -10, True, False, {"illegal": True}
        me = self.current_player
        way, dictated = divmod(int(action), 3)
        self.pawn = next(cell for w, cell, _ in REACH[self.length][self.pawn] if w == way)
        self.lost |= 1 << self.pawn
        self.length = dictated + 1
        self.current_player = 1 - me
        winner = OWNER[self.pawn]
        if winner < 0:
            self._list()
            if self.moves:
                return self._obs(), 0, False, False, {}
            winner = me
        self.moves = []
        self.over = True
        return self._obs(), 1 if winner == me else -1, True, False, {"winner": winner}

    def render(self):
        """Draw the board, the dictated length and who is to move."""
        rows = []
        for r in reversed(range(ROWS)):
            line = ""
            for i in range(r * COLS, r * COLS + COLS):
                if i == self.pawn:
                    line += " P"
                elif OWNER[i] >= 0:
                    line += " " + "FS"[OWNER[i]]
                else:
                    line += " #" if self.lost >> i & 1 else " ."
            rows.append(f"{r + 1}{line}")
        rows.append("  " + " ".join(LETTERS))
        mover = ("first", "second")[self.current_player]
        if not self.over:
            rows.append(f"{mover} to move, exactly {self.length}")
        elif OWNER[self.pawn] >= 0:
            rows.append(f"over: the pawn is in a home of {('first', 'second')[OWNER[self.pawn]]}")
        else:
            rows.append(f"over: {mover} has no walk of exactly {self.length}")
        return "\n".join(rows)

    def move_name(self, action):
        """Name a walk and the length dictated to the other player."""
        return f"{WAYS[action // 3]} then {action % 3 + 1}"

    def clone(self):
        """Copy the game."""
        twin = CustomEnv.__new__(CustomEnv)
        twin.__dict__.update(self.__dict__)
        return twin

    def key(self):
        """Return the whole state; a half turn of the board changes nothing."""
        this = (self.lost, self.pawn)
        other = (int(f"{self.lost:0{CELLS}b}"[::-1], 2), CELLS - 1 - self.pawn)
        return (*min(this, other), self.length, self.current_player)
