import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SEATS = ("first", "second")
SIDES = ("north", "east", "south", "west")
SIZE = 4
COPIES = 2
CUTS = 2
OPENING = 4
CUT = 8


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(9)
        self.observation_space = Box(-1.0, 100.0, shape=(49,), dtype=np.float32)
        self._set_up()

    def _set_up(self):
        self.places = [(0, 0), (2, 2)]
        self.cards = [[COPIES] * 4, [COPIES] * 4]
        self.fences = [False] * (2 * SIZE * SIZE)
        self.cuts = [CUTS, CUTS]
        self.last = -1
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._set_up()
        return self._observe(), {}

    def _observe(self):
        values = [int(fence) for fence in self.fences]
        values += list(self.places[0]) + list(self.places[1])
        values += self.cards[0] + self.cards[1] + self.cuts
        values += [self.last, self.moves, self.current_player]
        return np.array(values, dtype=np.float32)

    def _line(self, place, side):
        row, column = place
        if side == 0:
            return 2 * (((row - 1) % SIZE) * SIZE + column) + 1
        if side == 1:
            return 2 * (row * SIZE + column)
        if side == 2:
            return 2 * (row * SIZE + column) + 1
        return 2 * (row * SIZE + (column - 1) % SIZE)

    def _next(self, place, side):
        row, column = place
        if side == 0:
            return ((row - 1) % SIZE, column)
        if side == 1:
            return (row, (column + 1) % SIZE)
        if side == 2:
            return ((row + 1) % SIZE, column)
        return (row, (column - 1) % SIZE)

    def _open_sides(self, player):
        place = self.places[player]
        return sum(1 for side in range(4) if not self.fences[self._line(place, side)])

    def _walks(self, player):
        place = self.places[player]
        foe = self.places[1 - player]
        return [side for side in range(4)
                if self.cards[player][side] > 0
                and not self.fences[self._line(place, side)]
                and self._next(place, side) != foe]

    def _moves(self, player):
        moves = self._walks(player)
        if self.moves >= OPENING:
            foe = self.places[1 - player]
            for side in range(4):
                if self.cards[player][side] > 0 and not self.fences[self._line(foe, side)]:
                    moves.append(4 + side)
            if (self.last >= 0 and self.cuts[player] > 0
                    and self._open_sides(player) < self._open_sides(1 - player)):
                moves.append(CUT)
        return moves

    def valid_moves(self):
        if self.done:
            return []
        return self._moves(self.current_player)

    def step(self, action):
        action = int(action)
        player = self.current_player
        foe = 1 - player
        if self.done or action not in self._moves(player):
            self.done = True
            self.winner = foe
            return self._observe(), -10, True, False, {"winner": self.winner}
        if action == CUT:
            self.fences[self.last] = False
            self.last = -1
            self.cuts[player] -= 1
        else:
            side = action % 4
            if action < 4:
                line = self._line(self.places[player], side)
                self.places[player] = self._next(self.places[player], side)
            else:
                line = self._line(self.places[foe], side)
            self.fences[line] = True
            self.last = line
            self.cards[player][side] -= 1
            self.cards[foe][side] += 1
        self.moves += 1
        if not self._walks(foe):
            self.done = True
            self.winner = player
            return self._observe(), 1, True, False, {"winner": player}
        self.current_player = foe
        return self._observe(), 0, False, False, {}

    def render(self):
        lines = []
        for row in range(SIZE):
            text = "row %d:" % (row + 1)
            below = "      "
            for column in range(SIZE):
                mark = "."
                if self.places[0] == (row, column):
                    mark = "F"
                elif self.places[1] == (row, column):
                    mark = "S"
                index = 2 * (row * SIZE + column)
                text += " " + mark + ("|" if self.fences[index] else ":")
                below += " " + ("-" if self.fences[index + 1] else " ") + " "
            lines.append(text)
            lines.append(below.rstrip() or "......")
        for player in range(2):
            lines.append("%s at row %d, column %d" % (
                SEATS[player], self.places[player][0] + 1, self.places[player][1] + 1))
        for player in range(2):
            lines.append("%s holds: %s" % (SEATS[player], ", ".join(
                "%s %d" % (SIDES[side], self.cards[player][side]) for side in range(4))))
        lines.append("open sides: first %d, second %d" % (
            self._open_sides(0), self._open_sides(1)))
        lines.append("cuts: first %d, second %d" % tuple(self.cuts))
        if self.last < 0:
            lines.append("newest fence: none")
        else:
            cell = self.last // 2
            lines.append("newest fence: %s of row %d, column %d" % (
                "south" if self.last % 2 else "east", cell // SIZE + 1, cell % SIZE + 1))
        lines.append("moves: %d" % self.moves)
        if self.done:
            lines.append("game over: %s has won" % SEATS[self.winner])
        else:
            lines.append("to move: %s" % SEATS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == CUT:
            return "cut"
        return "%s %s" % ("walk" if action < 4 else "fence", SIDES[action % 4])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.places = list(self.places)
        other.cards = [list(hand) for hand in self.cards]
        other.fences = list(self.fences)
        other.cuts = list(self.cuts)
        return other

    def key(self):
        return (tuple(self.places), tuple(tuple(hand) for hand in self.cards),
                tuple(self.fences), tuple(self.cuts), self.last,
                min(self.moves, OPENING), self.current_player, self.done, self.winner)
