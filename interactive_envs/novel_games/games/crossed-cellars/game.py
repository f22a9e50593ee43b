"""Crossed Cellars: two patience piles feed on the same columns, and shoved cards block."""

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

RANKS = 10
COLUMNS = 5
DEPTH = 4
SHOVES = 3
TALLEST = DEPTH + 2 * SHOVES
BASES = (3, 8)
WORTH = (3, 2, 1)  # for a card at distance 0, 1 and 2
MOST = 40
PASS = COLUMNS + COLUMNS * COLUMNS
SEATS = ("First", "Second")
NAMES = "abcde"
GAIN = [[0] * (RANKS + 1) for _ in range(RANKS + 1)]
for _card in range(1, RANKS + 1):
    for _top in range(1, RANKS + 1):
        _far = min((_card - _top) % RANKS, (_top - _card) % RANKS)
        GAIN[_card][_top] = WORTH[_far] if _far < len(WORTH) else 0
HOT = [bytes(card == rank for rank in range(1, RANKS + 1)) for card in range(RANKS + 1)]
SCALE = [1] * ((COLUMNS + 2) * RANKS) + [WORTH[0]] * (2 * COLUMNS) + [RANKS] * (COLUMNS * TALLEST)
SCALE += [MOST, MOST, SHOVES, SHOVES, 1]
SCALE = np.array(SCALE, np.float32)
PUSHES = [
    [COLUMNS + source * COLUMNS + target for target in range(COLUMNS) if target != source] for source in range(COLUMNS)
]


class CustomEnv(gymnasium.Env):
    """Twenty cards in five columns, one growing pile for each player."""

    def __init__(self):
        self.action_space = Discrete(PASS + 1)
        self.observation_space = Box(0, 1, SCALE.shape, np.float32)
        self._later = None
        self._start([rank for rank in range(1, RANKS + 1) for _ in (0, 1)])

    def _start(self, deck):
        self.current_player = 0
        self.columns = tuple(bytes(deck[at : at + DEPTH]) for at in range(0, COLUMNS * DEPTH, DEPTH))
        self.tops = BASES
        self.score = (0, 0)
        self.shoves = (SHOVES, SHOVES)
        self.passed = False
        self.legal = self._moves()

    def reset(self, seed=None, options=None):
        """Shuffle the cards into the columns."""
        super().reset(seed=seed)
        if self._np_random is None and self._later is not None:
            self._np_random = np.random.Generator(np.random.PCG64(0))
            self._np_random.bit_generator.state = self._later
        deck = [place // 2 + 1 for place in self.np_random.permutation(COLUMNS * DEPTH).tolist()]
        self._later = self.np_random.bit_generator.state
        self._start(deck)
        return self._observe(self.current_player), {}

    def step(self, action):
        """Take a free card, shove one onto another column, or pass."""
        action = int(action)
        if action not in self.legal:
            return self._observe(self.current_player), -10.0, True, False, {"illegal": True}
        me = self.current_player
        over = action == PASS and self.passed
        self.passed = action == PASS
        if action < COLUMNS:
            self._take(me, action)
            over = not any(self.columns)
        elif action < PASS:
            source, target = divmod(action - COLUMNS, COLUMNS)
            columns = list(self.columns)
            columns[target] += columns[source][-1:]
            columns[source] = columns[source][:-1]
            self.columns = tuple(columns)
            first, second = self.shoves
            self.shoves = (first, second - 1) if me else (first - 1, second)
        self.current_player = 1 - me
        self.legal = [] if over else self._moves()
        if not over:
            return self._observe(1 - me), 0.0, False, False, {}
        winner = self.winner
        return self._observe(me), 1.0 if winner == me else -1.0, True, False, {"winner": winner}

    def _take(self, me, spot):
        columns = self.columns
        card = columns[spot][-1]
        points = GAIN[card][self.tops[me]]
        self.columns = (*columns[:spot], columns[spot][:-1], *columns[spot + 1 :])
        first, second = self.score
        self.score = (first, second + points) if me else (first + points, second)
        self.tops = (self.tops[0], card) if me else (card, self.tops[1])

    def _moves(self):
        me = self.current_player
        gain = GAIN[self.tops[me]]
        moves = [spot for spot, column in enumerate(self.columns) if column and gain[column[-1]]]
        stuck = not moves
        if self.shoves[me]:
            for spot, column in enumerate(self.columns):
                if column:
                    moves += PUSHES[spot]
        if stuck:
            moves.append(PASS)
        return moves

    def valid_moves(self):
        """List the actions that the rules allow now."""
        return self.legal[:]

    def move_name(self, action):
        """Name an action."""
        if action < COLUMNS:
            return f"take {NAMES[action]}"
        if action == PASS:
            return "pass"
        source, target = divmod(action - COLUMNS, COLUMNS)
        return f"shove {NAMES[source]} to {NAMES[target]}"

    def render(self):
        """Draw the columns, free card last, and both piles."""
        lines = [
            f"{name}: {' '.join(map(str, column)) or 'empty'}" for name, column in zip(NAMES, self.columns, strict=True)
        ]
        for seat, name in enumerate(SEATS):
            lines.append(f"{name}: top {self.tops[seat]}, points {self.score[seat]}, shoves left {self.shoves[seat]}")
        return "\n".join(lines)

    def clone(self):
        """Copy the game."""
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other._np_random = None
        return other

    def key(self):
        """Identify the position; the order of the columns does not matter."""
        lead = self.score[0] - self.score[1]
        return self.current_player, tuple(sorted(self.columns)), self.tops, lead, self.shoves, self.passed

    @property
    def winner(self):
        """Tell who has won, once the game is over."""
        return 0 if self.score[0] > self.score[1] else 1

    def chance(self, action):
        """List the one thing that comes of an action: only the set-up is random."""
        other = self.clone()
        other.step(action)
        return [(1.0, other)]

    def view(self, player):
        """Tell what a player knows: everything."""
        return {
            "player": player,
            "board": self.render(),
            "observation": self._observe(player).tolist(),
            "mover": self.current_player,
            "columns": [list(column) for column in self.columns],
            "tops": list(self.tops),
            "score": list(self.score),
            "shoves": list(self.shoves),
            "passed": self.passed,
            "over": not self.legal,
        }

    def resample(self, view, rng):
        """Take over a view, which leaves nothing open."""
        self.current_player = view["mover"]
        self.columns = tuple(bytes(column) for column in view["columns"])
        self.tops = tuple(view["tops"])
        self.score = tuple(view["score"])
        self.shoves = tuple(view["shoves"])
        self.passed = view["passed"]
        self.legal = [] if view["over"] else self._moves()

    def _observe(self, me):
        columns = self.columns
        free = [column[-1] if column else 0 for column in columns]
        parts = [HOT[card] for card in free]
        parts += (HOT[self.tops[me]], HOT[self.tops[1 - me]])
        # what each card scores on either pile: a network learns play from that, and hardly from the ranks
        parts += [bytes(GAIN[card][self.tops[seat]] for card in free) for seat in (me, 1 - me)]
        parts += [column.ljust(TALLEST, b"\0") for column in columns]
        score, shoves = self.score, self.shoves
        parts.append(bytes((score[me], score[1 - me], shoves[me], shoves[1 - me], self.passed)))
        return np.frombuffer(b"".join(parts), np.uint8) / SCALE
