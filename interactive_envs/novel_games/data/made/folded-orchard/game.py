import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NEAR = ((1, 2), (0, 2, 3, 4), (0, 1, 4, 5), (1, 4, 6, 7), (1, 2, 3, 5, 7, 8),
        (2, 4, 8, 9), (3, 7), (3, 4, 6, 8), (4, 5, 7, 9), (5, 8))
MIRROR = (0, 2, 1, 5, 4, 3, 9, 8, 7, 6)
ROWS = ((0,), (1, 2), (3, 4, 5), (6, 7, 8, 9))
WILD = 0
RIPE = 4
EVERY = 4
SEATS = ("first", "second")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(10)
        self.observation_space = Box(0.0, 300.0, shape=(18,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.stock = [1] * 10
        self.stock[WILD] = 0
        self.place = [6, 9]
        self.food = [4, 4]
        self.round = 1
        self.pending = -1
        self.log = []
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(self.current_player), {}

    def _obs(self, player):
        chosen = self.pending + 1 if player == 0 else 0
        values = self.stock + [self.place[player], self.place[1 - player]]
        values += [self.food[player], self.food[1 - player]]
        values += [self.round, player, self.current_player, chosen]
        return np.array(values, dtype=np.float32)

    def _options(self, player):
        at = self.place[player]
        options = list(NEAR[at])
        if at != WILD:
            options.append(at)
        return sorted(options)

    def valid_moves(self):
        if self.over:
            return []
        return self._options(self.current_player)

    def _hunger(self):
        return 1 + (self.round - 1) // EVERY

    def _needs_roll(self, action):
        return self.current_player == 1 and (self.pending == WILD) != (action == WILD)

    def _apply(self, action, roll):
        if self.current_player == 0:
            self.pending = action
            self.current_player = 1
            return 0.0
        goals = [self.pending, action]
        gains = [0, 0]
        if goals[0] != goals[1]:
            for p in range(2):
                if goals[p] == WILD:
                    gains[p] = roll
                else:
                    gains[p] = self.stock[goals[p]]
                    self.stock[goals[p]] = 0
        self.pending = -1
        self.place = goals
        for p in range(2):
            self.food[p] += gains[p]
        self.log.append("round %d: first at %d gained %d, second at %d gained %d" % (
            self.round, goals[0] + 1, gains[0], goals[1] + 1, gains[1]))
        hunger = self._hunger()
        starved = [self.food[p] < hunger for p in range(2)]
        if starved[0] or starved[1]:
            self.over = True
            if starved[0] and starved[1]:
                if self.food[0] != self.food[1]:
                    self.winner = 0 if self.food[0] > self.food[1] else 1
            else:
                self.winner = 1 if starved[0] else 0
            return 1.0 if self.winner == 1 else 0.0
        for p in range(2):
            self.food[p] -= hunger
        for i in range(10):
            if i != WILD:
                self.stock[i] = min(RIPE, self.stock[i] + 1)
        if self.round % EVERY == 0:
            self.stock = [max(self.stock[i], self.stock[MIRROR[i]]) for i in range(10)]
        self.round += 1
        self.current_player = 0
        return 0.0

    def step(self, action):
        action = int(action)
        mover = self.current_player
        if self.over or action not in self.valid_moves():
            self.over = True
            self.winner = 1 - mover
            return self._obs(mover), -10.0, True, False, {"winner": self.winner}
        roll = 0
        if self._needs_roll(action):
            roll = int(self.np_random.integers(1, 7))
        reward = self._apply(action, roll)
        info = {"winner": self.winner} if self.over else {}
        return self._obs(self.current_player), reward, self.over, False, info

    def chance(self, action):
        action = int(action)
        if action not in self.valid_moves() or not self._needs_roll(action):
            after = self.clone()
            after.step(action)
            return [(1.0, after)]
        outcomes = []
        for roll in range(1, 7):
            after = self.clone()
            after._apply(action, roll)
            outcomes.append((1.0 / 6.0, after))
        return outcomes

    def _text(self, player):
        lines = []
        for r, row in enumerate(ROWS):
            marks = " ".join("wild" if i == WILD else str(self.stock[i]) for i in row)
            lines.append("row %d: %s" % (r + 1, marks))
        for p in range(2):
            lines.append("%s: hex %d, food %d" % (SEATS[p], self.place[p] + 1, self.food[p]))
        lines.append("round: %d, hunger %d" % (self.round, self._hunger()))
        if player == 0 and self.pending >= 0:
            lines.append("your choice: %d" % (self.pending + 1))
        lines.append("to move: " + ("nobody" if self.over else SEATS[self.current_player]))
        return "\n".join(lines)

    def render(self):
        return self._text(self.current_player)

    def move_name(self, action):
        return "go %d" % (int(action) + 1)

    def view(self, player):
        log = list(self.log)
        if player == 0 and self.pending >= 0:
            log.append("round %d: you chose %d" % (self.round, self.pending + 1))
        return {
            "player": int(player),
            "board": self._text(player),
            "observation": [float(x) for x in self._obs(player)],
            "log": log,
            "history": list(self.log),
            "stock": list(self.stock),
            "place": list(self.place),
            "food": list(self.food),
            "round": self.round,
            "current_player": self.current_player,
            "chosen": self.pending if player == 0 else -1,
            "over": self.over,
            "winner": self.winner,
        }

    def resample(self, view, rng):
        self.log = list(view["history"])
        self.stock = list(view["stock"])
        self.place = list(view["place"])
        self.food = list(view["food"])
        self.round = view["round"]
        self.current_player = view["current_player"]
        self.over = view["over"]
        self.winner = view["winner"]
        self.pending = view["chosen"]
        if view["player"] == 1 and self.current_player == 1 and not self.over:
            options = self._options(0)
            if hasattr(rng, "integers"):
                pick = int(rng.integers(len(options)))
            else:
                pick = rng.randrange(len(options))
            self.pending = options[pick]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.stock = list(self.stock)
        other.place = list(self.place)
        other.food = list(self.food)
        other.log = list(self.log)
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (self.current_player, tuple(self.stock), tuple(self.place), tuple(self.food),
                self.round, self.pending, self.over, self.winner)
