import copy

import gymnasium
import numpy as np
from gymnasium import spaces

PLAYERS = ("first", "second")
KINDS = ("stone", "wood", "clay")
STONE, WOOD, CLAY = range(3)
TOWNS = ("A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4", "C1", "C2", "C3", "C4")
# (town, town, kind)
ROADS = (
    (0, 1, STONE),
    (1, 2, WOOD),
    (2, 3, STONE),
    (4, 5, WOOD),
    (5, 6, WOOD),
    (6, 7, WOOD),
    (8, 9, CLAY),
    (9, 10, WOOD),
    (10, 11, CLAY),
    (0, 4, STONE),
    (1, 5, CLAY),
    (2, 6, CLAY),
    (3, 7, STONE),
    (4, 8, CLAY),
    (5, 9, STONE),
    (6, 10, STONE),
    (7, 11, CLAY),
)
HOMES = ((0, 11), (3, 8))   # A1 and C4, A4 and C1


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(len(ROADS))
        self.observation_space = spaces.Box(low=0.0, high=20.0, shape=(22,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.roads = [0] * len(ROADS)   # 0 free, 1 first, 2 second
        self.ban = -1                   # kind of the other player's last road
        self.lead = -1                  # kind of the first road of this turn
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._observe(), {}

    def _forbidden(self):
        bad = {k for k in (self.ban, self.lead) if k >= 0}
        free = [ROADS[r][2] for r in range(len(ROADS)) if self.roads[r] == 0]
        if all(kind in bad for kind in free):
            return set()
        return bad

    def _observe(self):
        bad = self._forbidden()
        values = list(self.roads)
        values += [1 if k in bad else 0 for k in range(3)]
        values += [self.moves, self.current_player]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        bad = self._forbidden()
        return [r for r in range(len(ROADS)) if self.roads[r] == 0 and ROADS[r][2] not in bad]

    def _group(self, player, town):
        mine = player + 1
        seen = {town}
        todo = [town]
        while todo:
            here = todo.pop()
            for r, (a, b, _) in enumerate(ROADS):
                if self.roads[r] != mine or here not in (a, b):
                    continue
                there = b if here == a else a
                if there not in seen:
                    seen.add(there)
                    todo.append(there)
        return seen

    def _largest(self, player):
        return max(len(self._group(player, t)) for t in range(len(TOWNS)))

    def _play(self, road):
        player = self.current_player
        kind = ROADS[road][2]
        self.roads[road] = player + 1
        self.moves += 1
        start, goal = HOMES[player]
        if goal in self._group(player, start):
            self.done = True
            self.winner = player
            return
        if self.moves == len(ROADS):
            self.done = True
            self.winner = 0 if self._largest(0) > self._largest(1) else 1
            return
        following = ((self.moves + 1) // 2) % 2
        if following == player:
            self.lead = kind
        else:
            self.ban = kind
            self.lead = -1
        self.current_player = following

    def step(self, action):
        action = int(action)
        player = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - player
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        self._play(action)
        if self.done:
            reward = 1.0 if self.winner == player else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        return self._observe(), 0.0, False, False, {}

    def _sign(self, road):
        owner = self.roads[road]
        if owner == 0:
            return "swc"[ROADS[road][2]]
        return "XO"[owner - 1]

    def render(self):
        lines = []
        for r in range(3):
            text = TOWNS[4 * r]
            for c in range(3):
                text += " " + self._sign(3 * r + c) + " " + TOWNS[4 * r + c + 1]
            lines.append(text)
            if r < 2:
                lines.append("    ".join(self._sign(9 + 4 * r + c) for c in range(4)))
        lines.append("largest group: first %d, second %d" % (self._largest(0), self._largest(1)))
        bad = self._forbidden()
        names = [KINDS[k] for k in range(3) if k in bad]
        lines.append("forbidden: " + (" ".join(names) if names else "none"))
        lines.append("moves made: %d of %d" % (self.moves, len(ROADS)))
        if self.done:
            lines.append("winner: " + PLAYERS[self.winner])
        else:
            if self.moves == 0:
                lines.append("road 1 of 1 in this turn")
            else:
                lines.append("road %d of 2 in this turn" % (1 if self.moves % 2 == 1 else 2))
            lines.append("to move: " + PLAYERS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        a, b, _ = ROADS[int(action)]
        return "take " + TOWNS[a] + "-" + TOWNS[b]

    def clone(self):
        env = CustomEnv()
        env.roads = list(self.roads)
        env.ban = self.ban
        env.lead = self.lead
        env.moves = self.moves
        env.current_player = self.current_player
        env.done = self.done
        env.winner = self.winner
        env.np_random = copy.deepcopy(self.np_random)
        return env

    def key(self):
        return (
            tuple(self.roads),
            self.ban,
            self.lead,
            self.current_player,
            self.done,
            self.winner,
        )
