import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SEATS = ("first", "second")
START = (3, 1, 5, 2, 5, 1, 3)
PLACES = len(START)
SETS = ((0, 2, 3, 5), (1, 3, 4, 6))
ROOM = 2
COUNTS_FROM = 7
COPIES = tuple((i, i + 1) for i in range(PLACES - 1)) + tuple(
    (i + 1, i) for i in range(PLACES - 1))
FOLDS = tuple(range(1, PLACES - 1))


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(len(COPIES) + len(FOLDS))
        self.observation_space = Box(-1.0, 30.0, shape=(2 * PLACES + 2,), dtype=np.float32)
        self._set_up()

    def _set_up(self):
        self.numbers = list(START)
        self.covers = [0] * PLACES
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._set_up()
        return self._observe(), {}

    def _observe(self):
        values = self.numbers + self.covers + [self.moves, self.current_player]
        return np.array(values, dtype=np.float32)

    def _legal(self):
        moves = []
        for index, (source, target) in enumerate(COPIES):
            if self.covers[target] < ROOM:
                moves.append(index)
        for index, centre in enumerate(FOLDS):
            if self.covers[centre - 1] < ROOM and self.covers[centre + 1] < ROOM:
                moves.append(len(COPIES) + index)
        return moves

    def valid_moves(self):
        if self.done:
            return []
        return self._legal()

    def _equal(self, player):
        return len(set(self.numbers[place] for place in SETS[player])) == 1

    def _end(self, winner, player):
        self.done = True
        self.winner = winner
        reward = 1 if winner == player else 0
        return self._observe(), reward, True, False, {"winner": winner}

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.done or action not in self._legal():
            self.done = True
            self.winner = 1 - player
            return self._observe(), -10, True, False, {"winner": self.winner}
        if action < len(COPIES):
            source, target = COPIES[action]
            self.numbers[target] = self.numbers[source]
            self.covers[target] += 1
        else:
            centre = FOLDS[action - len(COPIES)]
            for target in (centre - 1, centre + 1):
                self.numbers[target] = self.numbers[centre]
                self.covers[target] += 1
        self.moves += 1
        if self.moves >= COUNTS_FROM:
            if self._equal(player):
                return self._end(player, player)
            if self._equal(1 - player):
                return self._end(1 - player, player)
        if not self._legal():
            return self._end(player, player)
        self.current_player = 1 - player
        return self._observe(), 0, False, False, {}

    def render(self):
        lines = ["places: 1 2 3 4 5 6 7"]
        lines.append("numbers: %s" % " ".join(str(number) for number in self.numbers))
        lines.append("covers: %s" % " ".join(str(count) for count in self.covers))
        for player in range(2):
            lines.append("%s has the places %s: %s" % (
                SEATS[player],
                " ".join(str(place + 1) for place in SETS[player]),
                " ".join(str(self.numbers[place]) for place in SETS[player])))
        lines.append("moves: %d" % self.moves)
        if self.done:
            lines.append("game over: %s has won" % SEATS[self.winner])
        else:
            lines.append("to move: %s" % SEATS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < len(COPIES):
            source, target = COPIES[action]
            return "copy %d to %d" % (source + 1, target + 1)
        return "fold %d" % (FOLDS[action - len(COPIES)] + 1)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.numbers = list(self.numbers)
        other.covers = list(self.covers)
        return other

    def key(self):
        return (tuple(self.numbers), tuple(self.covers), self.moves,
                self.current_player, self.done, self.winner)
