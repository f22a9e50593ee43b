"""Many games of Turnstile Runs as arrays."""

import numpy as np

HANDS = ((1, 4, 6, 7, 9, 12), (2, 3, 5, 8, 10, 11))
TOP = 12
REACH = 4
POSTS = 3
MOST = 40
CARDS = np.arange(1, TOP + 1)
DEALT = np.array([np.isin(CARDS, hand) for hand in HANDS])
FACE = np.eye(TOP + 1, dtype=np.float32)[:, 1:]
NEAR = np.abs(CARDS - np.arange(TOP + 1)[:, None]) <= REACH  # which cards may lie on a top


class CustomBatch:
    """As many games as are asked for."""

    def __init__(self, games):
        self.hands = np.zeros((games, 2, TOP), bool)
        self.top, self.way, self.run, self.owner = np.zeros((4, games, POSTS), int)
        self.score = np.zeros((games, 2), int)
        self.player, self.winner = np.zeros((2, games), int)
        self.legal = np.zeros((games, TOP * POSTS), bool)

    def reset_batch(self, rows, seeds):
        """Deal the fixed hands."""
        self.hands[rows], self.winner[rows] = DEALT, -1
        for part in (self.top, self.way, self.run, self.owner, self.score, self.player):
            part[rows] = 0
        self.legal[rows] = self._moves(rows, self.player[rows])

    def step_batch(self, rows, actions):
        """Lay a card on a post in each of these games."""
        me = self.player[rows]
        index, post = np.divmod(actions, POSTS)
        run, way = self.run[rows, post], self.way[rows, post]
        new = np.where(run > 0, np.where(index + 1 > self.top[rows, post], 1, -1), 0)
        turned = (new != 0) & (way == -new)
        self.score[rows, me] += np.where(turned, run, 0)
        self.top[rows, post], self.way[rows, post], self.owner[rows, post] = index + 1, new, me
        self.run[rows, post] = np.where(turned, 1, run) + 1
        self.hands[rows, me, index] = False
        legal = self._moves(rows, 1 - me)
        skipped = ~legal.any(axis=1)
        legal[skipped] = self._moves(rows[skipped], me[skipped])
        self.player[rows] = np.where(skipped, me, 1 - me)
        self.legal[rows] = legal
        over = rows[~legal.any(axis=1)]
        for seat in (0, 1):
            self.score[over, seat] += (self.run[over] * (self.owner[over] != seat)).sum(axis=1)
        self.winner[over] = self.score[over, 0] < self.score[over, 1]

    def legal_batch(self, rows):
        """The legal actions of each of these games."""
        return self.legal[rows]

    def _moves(self, rows, players):
        empty = self.run[rows] == 0
        first = empty & (empty.cumsum(axis=1) == 1)
        fits = np.where(empty[:, None], first[:, None], NEAR[self.top[rows]].transpose(0, 2, 1))
        return (fits & self.hands[rows, players][:, :, None]).reshape(len(rows), TOP * POSTS)

    def observe_batch(self, rows, seats):
        """What these seats see."""
        seen = np.zeros((len(rows), 2 * TOP + POSTS * (TOP + 5) + 2), np.float32)
        seen[:, :TOP], seen[:, TOP : 2 * TOP] = self.hands[rows, seats], self.hands[rows, 1 - seats]
        posts = seen[:, 2 * TOP : -2].reshape(len(rows), POSTS, TOP + 5)
        run, way, mine = self.run[rows], self.way[rows], self.owner[rows] == seats[:, None]
        posts[..., :TOP] = FACE[self.top[rows]]
        for place, part in enumerate((way == 1, way == -1, run / TOP, (run > 0) & mine, (run > 0) & ~mine), TOP):
            posts[..., place] = part
        seen[:, -2], seen[:, -1] = self.score[rows, seats] / MOST, self.score[rows, 1 - seats] / MOST
        return seen
