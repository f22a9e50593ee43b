import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
TOWNS = "ABCDEFGHIJKL"
ROADS = (
    ("AB", 3),
    ("BC", 4),
    ("CD", 2),
    ("DE", 5),
    ("EF", 3),
    ("GH", 3),
    ("HI", 5),
    ("IJ", 2),
    ("JK", 4),
    ("KL", 3),
    ("AG", 1),
    ("BH", 2),
    ("CI", 1),
    ("DJ", 1),
    ("EK", 2),
    ("FL", 1),
    ("BI", 4),
    ("DK", 4),
)
COUNT = len(ROADS)
REST = 2 * COUNT
COLUMNS = 6
MARKERS = 4
CLAIM_COST = 1
REST_GAIN = 4
PURSE_MAX = 12
START_PURSE = (6, 8)
LAST_MOVE = 36


def column(town):
    return town % COLUMNS


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self, render_mode=None):
        super().__init__()
        self.render_mode = render_mode
        self.action_space = Discrete(2 * COUNT + 1)
        self.observation_space = Box(low=0.0, high=36.0, shape=(26,), dtype=np.float32)
        self._start()

    def _start(self):
        self.owner = [0] * COUNT
        self.runners = [TOWNS.index("A"), TOWNS.index("L")]
        self.purses = list(START_PURSE)
        self.markers = [MARKERS, MARKERS]
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = self.owner + self.runners + self.purses + self.markers
        values = values + [self.moves, self.current_player]
        return np.array(values, dtype=np.float32)

    def _target(self, player, road):
        one = TOWNS.index(ROADS[road][0][0])
        two = TOWNS.index(ROADS[road][0][1])
        here = self.runners[player]
        if here == one:
            there = two
        elif here == two:
            there = one
        else:
            return -1
        if player == 0 and column(there) < column(here):
            return -1
        if player == 1 and column(there) > column(here):
            return -1
        return there

    def _cost(self, player, road):
        if self.owner[road] == player + 1:
            return 0
        if self.owner[road] == 0:
            return ROADS[road][1]
        return 2 * ROADS[road][1]

    def valid_moves(self):
        if self.done:
            return []
        p = self.current_player
        moves = []
        if self.markers[p] > 0 and self.purses[p] >= CLAIM_COST:
            moves += [road for road in range(COUNT) if self.owner[road] == 0]
        for road in range(COUNT):
            if self._target(p, road) >= 0 and self._cost(p, road) <= self.purses[p]:
                moves.append(COUNT + road)
        moves.append(REST)
        return moves

    def _to_go(self, player):
        here = column(self.runners[player])
        return COLUMNS - 1 - here if player == 0 else here

    def step(self, action):
        action = int(action)
        p = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action == REST:
            self.purses[p] = min(PURSE_MAX, self.purses[p] + REST_GAIN)
        elif action < COUNT:
            self.owner[action] = p + 1
            self.markers[p] -= 1
            self.purses[p] -= CLAIM_COST
        else:
            road = action - COUNT
            there = self._target(p, road)
            cost = self._cost(p, road)
            self.purses[p] -= cost
            if self.owner[road] == 2 - p:
                self.purses[1 - p] = min(PURSE_MAX, self.purses[1 - p] + cost)
            self.runners[p] = there
        self.moves += 1
        self.current_player = 1 - p
        if self._to_go(p) == 0:
            self.done = True
            self.winner = p
        elif self.moves >= LAST_MOVE:
            self.done = True
            first = (-self._to_go(0), self.purses[0])
            second = (-self._to_go(1), self.purses[1])
            self.winner = 0 if first > second else 1
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        if self.done:
            lines = ["game over"]
        else:
            lines = ["to move: " + NAMES[self.current_player]]
        lines.append("top row: A B C D E F")
        lines.append("bottom row: G H I J K L")
        for road in range(COUNT):
            name, toll = ROADS[road]
            line = "road " + name + ": " + str(toll)
            if self.owner[road]:
                line += " " + NAMES[self.owner[road] - 1]
            lines.append(line)
        lines.append(
            "runners: first " + TOWNS[self.runners[0]] + ", second " + TOWNS[self.runners[1]]
        )
        lines.append("purses: first " + str(self.purses[0]) + ", second " + str(self.purses[1]))
        lines.append(
            "markers: first " + str(self.markers[0]) + ", second " + str(self.markers[1])
        )
        lines.append("moves made: " + str(self.moves))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == REST:
            return "rest"
        if action < COUNT:
            return "claim " + ROADS[action][0]
        return "walk " + ROADS[action - COUNT][0]

    def clone(self):
        other = copy.copy(self)
        other.owner = list(self.owner)
        other.runners = list(self.runners)
        other.purses = list(self.purses)
        other.markers = list(self.markers)
        return other

    def key(self):
        return (
            self.current_player,
            self.done,
            self.moves,
            tuple(self.owner),
            tuple(self.runners),
            tuple(self.purses),
            tuple(self.markers),
        )
