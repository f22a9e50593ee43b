"""Many games of Heron and Minnows as arrays."""

import numpy as np

SIZE = 5
CELLS = SIZE * SIZE
NEEDED = 3
START = (0, 1, 3, 4)
HERON = 12
REEDS = (6, 8, 16, 18)
BANK = CELLS - SIZE
SWIMS = 3 * CELLS

FROM = np.arange(SWIMS) // 3
TO = FROM + SIZE + np.arange(SWIMS) % 3 - 1
EXISTS = (FROM < BANK) & (np.abs(TO % SIZE - FROM % SIZE) <= 1)
TO[~EXISTS] = 0
FLIGHTS = np.zeros((CELLS, 4 * CELLS), bool)
SWEEPS = np.zeros((CELLS, CELLS, CELLS), bool)  # what a flight takes, by where it begins and ends
for _from in range(CELLS):
    for _to in set(range(CELLS)) - {_from, *REEDS}:
        _across, _up = abs(_to % SIZE - _from % SIZE), abs(_to // SIZE - _from // SIZE)
        if max(_across, _up) <= 2 and (_across in (0, _up) or _up == 0):
            FLIGHTS[_from, SWIMS + _to] = True
            SWEEPS[_from, _to, _to] = True
            _middle = (_from + _to) // 2
            if max(_across, _up) == 2 and _middle not in REEDS:
                SWEEPS[_from, _to, _middle] = True


class CustomBatch:
    """As many games as are asked for."""

    def __init__(self, games):
        self.minnows = np.zeros((games, CELLS), bool)
        self.heron, self.home, self.eaten, self.full, self.player, self.winner = np.zeros((6, games), int)

    def reset_batch(self, rows, seeds):
        """Start these games."""
        self.minnows[rows] = np.isin(np.arange(CELLS), START)
        self.heron[rows], self.winner[rows] = HERON, -1
        for part in (self.home, self.eaten, self.full, self.player):
            part[rows] = 0

    def step_batch(self, rows, actions):
        """Play a legal move in each of these games."""
        swims = self.player[rows] == 0
        swimming, moves = rows[swims], actions[swims]
        self.minnows[swimming, FROM[moves]] = False
        home = TO[moves] >= BANK
        self.home[swimming] += home
        self.minnows[swimming[~home], TO[moves[~home]]] = True
        self.player[swimming] = 1 - self.full[swimming]
        self.full[swimming] = 0

        flying, to = rows[~swims], actions[~swims] - SWIMS
        caught = self.minnows[flying] & SWEEPS[self.heron[flying], to]
        self.minnows[flying] ^= caught
        many = caught.sum(axis=1)
        self.eaten[flying] += many
        self.full[flying] = many > 0
        self.heron[flying], self.player[flying] = to, 0

        over = (self.home[rows] == NEEDED) | (self.eaten[rows] > len(START) - NEEDED)
        self.winner[rows] = np.where(over, ~swims, -1)

    def legal_batch(self, rows):
        """The legal actions of each of these games."""
        legal = FLIGHTS[self.heron[rows]]
        swims = self.player[rows] == 0
        minnows = self.minnows[rows[swims]]
        free = ~minnows
        free[np.arange(len(free)), self.heron[rows[swims]]] = False
        legal[swims, :SWIMS] = minnows[:, FROM] & free[:, TO] & EXISTS
        legal[swims, SWIMS:] = False
        return legal

    def observe_batch(self, rows, seats):
        """What is seen of each of these games."""
        seen = np.zeros((len(rows), 2 * CELLS + 12), np.float32)
        seen[:, :CELLS] = self.minnows[rows]
        places = np.arange(len(rows))
        for begin, part in ((CELLS, self.heron), (2 * CELLS, self.home), (2 * CELLS + 4, self.eaten)):
            seen[places, begin + part[rows]] = 1
        seen[:, 2 * CELLS + 9] = self.full[rows]
        seen[places, 2 * CELLS + 10 + self.player[rows]] = 1
        return seen
