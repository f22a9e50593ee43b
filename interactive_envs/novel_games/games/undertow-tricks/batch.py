"""Many games of Undertow Tricks as arrays."""

import numpy as np

TOP = 22
HAND = 9
FAR = 11
TRICKS = 7
WORTH = np.array((2, 3, 4, 5, 6, 7, 8))
ALL = int(WORTH.sum())
ONE = np.eye(TRICKS + 1, TRICKS, dtype=np.float32)


class CustomBatch:
    """As many games as are asked for."""

    def __init__(self, games):
        self.hands = np.zeros((games, 2, TOP), bool)
        self.seen = np.zeros((games, TOP), bool)
        self.score = np.zeros((games, 2), int)
        self.led, self.trick, self.player, self.winner = np.zeros((4, games), int)

    def reset_batch(self, rows, seeds):
        """Shuffle and deal."""
        decks = [np.random.Generator(np.random.PCG64(seed)).permutation(TOP) for seed in seeds.tolist()]
        self.hands[rows] = self.seen[rows] = False
        for seat in (0, 1):
            cards = np.array(decks)[:, seat * HAND : (seat + 1) * HAND]
            self.hands[rows[:, None], seat, cards] = True
        self.score[rows], self.led[rows], self.winner[rows] = 0, -1, -1
        self.trick[rows] = self.player[rows] = 0

    def step_batch(self, rows, actions):
        """Lead a card or answer the led card in each of these games."""
        me, led = self.player[rows], self.led[rows]
        self.hands[rows, me, actions] = False
        self.seen[rows, actions] = True
        answers, gap = led >= 0, actions - led
        takes = ((gap > 0) & (gap < FAR)) | (gap <= -FAR)
        player = np.where(answers & takes, me, 1 - me)
        rows_won, taker = rows[answers], player[answers]
        self.score[rows_won, taker] += WORTH[self.trick[rows_won]]
        self.trick[rows_won] += 1
        self.led[rows], self.player[rows] = np.where(answers, -1, actions), player
        won = self.score[rows] > ALL // 2
        self.winner[rows] = np.where(won.any(axis=1), won[:, 1], -1)

    def legal_batch(self, rows):
        """The legal actions of each of these games."""
        return self.hands[rows, self.player[rows]]

    def observe_batch(self, rows, seats):
        """What these seats see."""
        values = np.zeros((len(rows), 3 * TOP + TRICKS + 3), np.float32)
        mine, led = self.hands[rows, seats], self.led[rows]
        values[:, :TOP], values[:, TOP : 2 * TOP] = mine, self.seen[rows]
        led_now = np.flatnonzero(led >= 0)
        values[led_now, 2 * TOP + led[led_now]] = 1
        values[:, 3 * TOP : -3] = ONE[self.trick[rows]]
        values[:, -3], values[:, -2] = self.score[rows, seats] / ALL, self.score[rows, 1 - seats] / ALL
        values[:, -1] = seats == self.player[rows]
        return values
