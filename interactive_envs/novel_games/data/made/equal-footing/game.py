import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

ROW = 12
CARDS = (1, 4, 2, 4, 1, 3, 3, 1, 4, 2, 4, 1)
PIECES = (1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2)
LOW = 1
HIGH = 4
LAST_MOVE = 28
RIGHT = 12
RAISE = 24
LOWER = 36
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(48)
        self.observation_space = Box(0.0, 100.0, shape=(39,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.cards = list(CARDS)
        self.piece = list(PIECES)
        self.open = ()            # cards that may be changed now, empty before a move
        self.count = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _target(self, place, direction):
        passed = []
        goal = place + direction
        while 0 <= goal < ROW and self.piece[goal]:
            passed.append(goal)
            goal += direction
        if 0 <= goal < ROW:
            return goal, passed
        return -1, passed

    def valid_moves(self):
        if self.done:
            return []
        moves = []
        if not self.open:
            mine = self.current_player + 1
            for place in range(ROW):
                if self.piece[place] != mine:
                    continue
                if self._target(place, -1)[0] >= 0:
                    moves.append(place)
                if self._target(place, 1)[0] >= 0:
                    moves.append(RIGHT + place)
        else:
            for card in self.open:
                if self.cards[card] < HIGH:
                    moves.append(RAISE + card)
                if self.cards[card] > LOW:
                    moves.append(LOWER + card)
        return sorted(moves)

    def _values(self, player):
        return [self.cards[i] for i in range(ROW) if self.piece[i] == player + 1]

    def _equal(self, player):
        return len(set(self._values(player))) == 1

    def _group(self, player):
        values = self._values(player)
        return max((values.count(v), v) for v in values)

    def step(self, action):
        action = int(action)
        if self.done or action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        player = self.current_player
        self.count += 1
        if action < RAISE:
            place = action % RIGHT
            direction = 1 if action >= RIGHT else -1
            goal, passed = self._target(place, direction)
            self.piece[place] = 0
            self.piece[goal] = player + 1
            self.open = tuple(sorted(passed)) if passed else (place,)
        else:
            if action < LOWER:
                self.cards[action - RAISE] += 1
            else:
                self.cards[action - LOWER] -= 1
            self.open = ()
            if self._equal(player):
                self.done = True
                self.winner = player
            elif self._equal(1 - player):
                self.done = True
                self.winner = 1 - player
            elif self.count == LAST_MOVE:
                self.done = True
                self.winner = 0 if self._group(0) > self._group(1) else 1
            else:
                self.current_player = 1 - player
        reward = 1.0 if self.done and self.winner == player else 0.0
        info = {"winner": self.winner} if self.done else {}
        return self._obs(), reward, self.done, False, info

    def _obs(self):
        choice = [1 if i in self.open else 0 for i in range(ROW)]
        values = self.cards + self.piece + choice
        values = values + [1 if self.open else 0, self.count, self.current_player]
        return np.array(values, dtype=np.float32)

    def render(self):
        if self.open:
            part = "change card " + " or ".join(str(c + 1) for c in self.open)
        else:
            part = "move a piece"
        return "\n".join([
            "cards: " + " ".join(str(v) for v in self.cards),
            "pieces: " + " ".join(".FS"[v] for v in self.piece),
            "next: " + part,
            "moves made: %d" % self.count,
            "to move: " + NAMES[self.current_player],
        ])

    def move_name(self, action):
        action = int(action)
        card = action % ROW + 1
        if action < RIGHT:
            return "move %d left" % card
        if action < RAISE:
            return "move %d right" % card
        if action < LOWER:
            return "raise card %d" % card
        return "lower card %d" % card

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.cards = list(self.cards)
        other.piece = list(self.piece)
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (tuple(self.cards), tuple(self.piece), self.open, self.count,
                self.current_player, self.done, self.winner)
