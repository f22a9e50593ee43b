"""Melting Shove: pieces on ice push whole lines before them, and every cell a piece walks off melts."""

import gymnasium
import numpy as np

WIDE = (5, 6, 5)
WAYS = ("w", "e", "nw", "ne", "sw", "se")
CELLS = [(row, col) for row, wide in enumerate(WIDE) for col in range(wide)]
N = len(CELLS)
NAMES = ["abc"[row] + str(col + 1) for row, col in CELLS]
START = tuple(sum(1 << NAMES.index(name) for name in names) for names in (("a1", "a3", "a5"), ("c1", "c3", "c5")))


def _next(row, col, way):
    if way < 2:
        there = (row, col + (-1, 1)[way])
    else:
        to = row + (-1 if way < 4 else 1)
        wider = 0 <= to < len(WIDE) and WIDE[to] > WIDE[row]
        there = (to, col + (0 if wider else -1) + (way & 1))
    return CELLS.index(there) if there in CELLS else -1


NEXT = [[_next(row, col, way) for row, col in CELLS] for way in range(6)]
EXITS = [[(6 * i + way, 1 << NEXT[way][i]) for way in range(6) if NEXT[way][i] >= 0] for i in range(N)]
FLIP = [CELLS.index((row, WIDE[row] - 1 - col)) for row, col in CELLS]
DIGITS = bytes.maketrans(b"01", b"\0\1")
MIRROR = [0] * (1 << N)
for _mask in range(1, 1 << N):
    _low = _mask & -_mask
    MIRROR[_mask] = MIRROR[_mask ^ _low] | 1 << FLIP[_low.bit_length() - 1]


class CustomEnv(gymnasium.Env):
    """Two players shove on melting ice; who has no piece or no move loses."""

    def __init__(self):
        self.action_space = gymnasium.spaces.Discrete(6 * N)
        self.observation_space = gymnasium.spaces.Box(0, 1, (3 * N,), np.float32)
        self._begin()

    def _begin(self):
        self.mine, self.other = START
        self.gone = 0
        self.current_player = 0
        self._list()

    def _list(self):
        gone, rest, moves = self.gone, self.mine, []
        while rest:
            low = rest & -rest
            moves += [action for action, bit in EXITS[low.bit_length() - 1] if not gone & bit]
            rest ^= low
        self.moves = moves

    def reset(self, seed=None, options=None):
        """Start a new game."""
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _obs(self):
        text = f"{self.mine:016b}{self.other:016b}{self.gone:016b}"
        return np.frombuffer(text.encode().translate(DIGITS), np.uint8).astype(np.float32)

    def valid_moves(self):
        """List the moves of the own pieces."""
        return self.moves[:]

    def step(self, action):
        """Move a piece and shove what stands in its way."""
        if action not in self.moves:
            return self._obs(), -10, True, False, {"illegal": True}
        i, way = divmod(int(action), 6)
        ahead = NEXT[way]
        mine, other = self.mine & ~(1 << i), self.other
        self.gone |= 1 << i
        at = ahead[i]
        pushed = mine >> at & 1, other >> at & 1
        mine |= 1 << at
        other &= ~(1 << at)
        while pushed[0] or pushed[1]:
            at = ahead[at]
            if at < 0 or self.gone >> at & 1:
                break
            here = mine >> at & 1, other >> at & 1
            mine = mine & ~(1 << at) | pushed[0] << at
            other = other & ~(1 << at) | pushed[1] << at
            pushed = here
        self.mine, self.other = other, mine
        self.current_player ^= 1
        self._list()
        if self.moves:
            return self._obs(), 0, False, False, {}
        return self._obs(), 1, True, False, {"winner": 1 - self.current_player}

    def render(self):
        """Draw the ice from row a down."""
        first, second = (self.mine, self.other) if not self.current_player else (self.other, self.mine)
        rows = []
        for row, wide in enumerate(WIDE):
            line = "abc"[row] + " " * (1 + max(WIDE) - wide)
            for i in range(N):
                if CELLS[i][0] == row:
                    line += (
                        "F " if first >> i & 1 else "S " if second >> i & 1 else "~ " if self.gone >> i & 1 else ". "
                    )
            rows.append(line.rstrip())
        mover = ("first", "second")[self.current_player]
        rows.append(f"{mover} to move" if self.moves else f"over: {mover} has no piece or no move")
        return "\n".join(rows)

    def move_name(self, action):
        """Name the piece by its cell, and the way it goes."""
        return f"{NAMES[action // 6]} {WAYS[action % 6]}"

    def clone(self):
        """Copy the game."""
        twin = CustomEnv.__new__(CustomEnv)
        twin.__dict__.update(self.__dict__)
        return twin

    def key(self):
        """Return the whole state; mirror images left and right are one."""
        this = (self.mine, self.other, self.gone)
        other = (MIRROR[self.mine], MIRROR[self.other], MIRROR[self.gone])
        return (*min(this, other), self.current_player)
