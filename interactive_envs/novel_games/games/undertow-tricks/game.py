"""Undertow Tricks: the higher card takes a trick, unless it is too high by far."""

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

TOP = 22
HAND = 9
FAR = 11
TRICKS = 7
WORTH = (2, 3, 4, 5, 6, 7, 8)
HALF = sum(WORTH) // 2
ALL = (1 << TOP) - 1
SEATS = ("First", "Second")


def _cards(mask):
    return [card for card in range(TOP) if mask >> card & 1]


class CustomEnv(gymnasium.Env):
    """Nine hidden cards each, seven tricks of growing worth."""

    def __init__(self):
        self.action_space = Discrete(TOP)
        self.observation_space = Box(0, 1, (3 * TOP + TRICKS + 3,), np.float32)
        self._later = None
        self._start(range(TOP))

    def _start(self, deck):
        self.current_player = 0
        self.hands = tuple(sum(1 << card for card in deck[seat * HAND : seat * HAND + HAND]) for seat in (0, 1))
        self.seen = 0
        self.led = -1
        self.trick = 0
        self.score = (0, 0)
        self.log = ()
        self.legal = _cards(self.hands[0])

    def reset(self, seed=None, options=None):
        """Shuffle and deal."""
        super().reset(seed=seed)
        if self._np_random is None and self._later is not None:
            self._np_random = np.random.Generator(np.random.PCG64(0))
            self._np_random.bit_generator.state = self._later
        deck = self.np_random.permutation(TOP).tolist()
        self._later = self.np_random.bit_generator.state
        self._start(deck)
        return self._observe(self.current_player), {}

    def step(self, card):
        """Lead a card or answer the led card."""
        card = int(card)
        if card not in self.legal:
            return self._observe(self.current_player), -10.0, True, False, {"illegal": True}
        me = self.current_player
        left = self.hands[me] ^ 1 << card
        self.hands = (self.hands[0], left) if me else (left, self.hands[1])
        self.seen |= 1 << card
        if self.led < 0:
            self.led = card
            self.log += (f"{SEATS[me]} leads {card + 1}",)
            self.current_player = 1 - me
        else:
            gap = card - self.led
            taker = me if 0 < gap < FAR or gap <= -FAR else 1 - me
            points = WORTH[self.trick]
            first, second = self.score
            self.score = (first, second + points) if taker else (first + points, second)
            self.log += (f"{SEATS[me]} answers {card + 1}, {SEATS[taker]} scores {points}",)
            self.led = -1
            self.trick += 1
            self.current_player = taker
        winner = self._settle()
        if winner is None:
            return self._observe(self.current_player), 0.0, False, False, {}
        return self._observe(me), 1.0 if winner == me else -1.0, True, False, {"winner": winner}

    def _settle(self):
        first, second = self.score
        if first > HALF or second > HALF:
            self.legal = []
            return 0 if first > HALF else 1
        self.legal = _cards(self.hands[self.current_player])
        return None

    def valid_moves(self):
        """List the actions that the rules allow now."""
        return self.legal[:]

    def move_name(self, action):
        """Name an action."""
        return f"play {action + 1}"

    def render(self):
        """Draw what the player to move sees."""
        return self._board(self.current_player)

    def _board(self, me):
        worth = f"trick {self.trick + 1} of {TRICKS}, worth {WORTH[self.trick]}" if self.legal else "game over"
        led = f"{SEATS[1 - self.current_player]} led {self.led + 1}" if self.led >= 0 else "no card on the table"
        lines = [worth, led]
        for seat, name in enumerate(SEATS):
            cards = _cards(self.hands[seat])
            hand = " ".join(str(card + 1) for card in cards) if seat == me else f"{len(cards)} hidden cards"
            lines.append(f"{name}: {self.score[seat]} points, hand: {hand}")
        lines.append("played so far: " + (" ".join(str(card + 1) for card in _cards(self.seen)) or "none"))
        return "\n".join(lines)

    def clone(self):
        """Copy the game."""
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other._np_random = None
        return other

    def key(self):
        """Identify the position."""
        return self.current_player, self.hands, self.seen, self.led, self.score

    def view(self, player):
        """Tell what a player knows: the own hand and all cards played."""
        return {
            "player": player,
            "board": self._board(player),
            "observation": self._observe(player).tolist(),
            "log": list(self.log),
            "mover": self.current_player,
            "hand": self.hands[player],
            "cards": self.hands[1 - player].bit_count(),
            "seen": self.seen,
            "led": self.led,
            "trick": self.trick,
            "score": list(self.score),
        }

    def resample(self, view, rng):
        """Take over a view and deal the other hand from the unseen cards."""
        self.current_player = view["mover"]
        self.seen = view["seen"]
        self.led = view["led"]
        self.trick = view["trick"]
        self.score = tuple(view["score"])
        self.log = tuple(view["log"])
        mine = view["hand"]
        unseen = _cards(ALL ^ self.seen ^ mine)
        other = sum(1 << unseen[place] for place in rng.permutation(len(unseen))[: view["cards"]].tolist())
        self.hands = (other, mine) if view["player"] else (mine, other)
        self._settle()

    def _observe(self, me):
        mine, seen = self.hands[me], self.seen
        values = [0.0] * (3 * TOP + TRICKS + 3)
        for card in range(TOP):
            if mine >> card & 1:
                values[card] = 1.0
            elif seen >> card & 1:
                values[TOP + card] = 1.0
        if self.led >= 0:
            values[2 * TOP + self.led] = 1.0
        if self.trick < TRICKS:
            values[3 * TOP + self.trick] = 1.0
        values[-3:] = self.score[me] / 35, self.score[1 - me] / 35, float(me == self.current_player)
        return np.array(values, np.float32)
