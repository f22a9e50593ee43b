import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SEATS = ("first", "second")
NUMBERS = [2, 3, 4, 5, 6, 5, 4, 3, 2]
COSTS = [0, 1, 2, 3, 4, 3, 2, 1, 0]
STRENGTH = 28
ROUNDS = 10


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(9)
        self.observation_space = Box(-30.0, 30.0, shape=(17,), dtype=np.float32)
        self._start()

    def _start(self):
        self.row = list(NUMBERS)
        self.strength = [STRENGTH, STRENGTH]
        self.last = [-1, -1]
        self.pending = None
        self.round = 1
        self.log = []
        self.current_player = 0
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(self.current_player), {}

    def _observe(self, player):
        other = 1 - player
        waiting = 1 if self.pending is not None else 0
        chosen = self.pending + 1 if player == 0 and waiting else 0
        values = list(self.row)
        values += [self.strength[player], self.strength[other], self.last[player] + 1, self.last[other] + 1]
        values += [player, self.round, waiting, chosen]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.over:
            return []
        return [place for place in range(9) if place != self.last[self.current_player]]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            if not self.over:
                self.over = True
                self.winner = 1 - me
            return self._observe(me), -10.0, True, False, {"winner": self.winner}
        if me == 0:
            self.pending = action
            self.current_player = 1
            return self._observe(1), 0.0, False, False, {}
        chosen = self.pending
        self.pending = None
        self.current_player = 0
        self._fight(chosen, action)
        if self.over:
            reward = 1.0 if self.winner == 1 else 0.0
            return self._observe(0), reward, True, False, {"winner": self.winner}
        return self._observe(0), 0.0, False, False, {}

    def _fight(self, one, two):
        hits = [self.row[one], self.row[two]]
        if one == two:
            hits = [0, 0]
        elif abs(one - two) == 1:
            if hits[0] > hits[1]:
                hits[1] = 0
            elif hits[1] > hits[0]:
                hits[0] = 0
            else:
                hits = [0, 0]
        self.strength[0] -= COSTS[one] + hits[1]
        self.strength[1] -= COSTS[two] + hits[0]
        change = [0] * 9
        for place in (one, two):
            change[place] -= 2
            if place > 0:
                change[place - 1] += 1
            if place < 8:
                change[place + 1] += 1
        self.row = [min(9, max(0, self.row[i] + change[i])) for i in range(9)]
        self.last = [one, two]
        self.log.append(
            "round " + str(self.round) + ": first place " + str(one + 1) + ", second place " + str(two + 1)
        )
        if min(self.strength) <= 0 or self.round == ROUNDS:
            self.over = True
            if self.strength[0] != self.strength[1]:
                self.winner = 0 if self.strength[0] > self.strength[1] else 1
            else:
                self.winner = 0 if one < two else 1
        else:
            self.round += 1

    def render(self):
        lines = [
            "round: " + str(self.round) + " of 10",
            "costs: " + " ".join(str(cost) for cost in COSTS),
            "row: " + " ".join(str(number) for number in self.row),
            "strength: first " + str(self.strength[0]) + ", second " + str(self.strength[1]),
        ]
        names = [str(place + 1) if place >= 0 else "none" for place in self.last]
        lines.append("last places: first " + names[0] + ", second " + names[1])
        if self.over:
            lines.append("to move: nobody, the game is over")
        else:
            lines.append("to move: " + SEATS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        return "strike from place " + str(int(action) + 1)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.row = list(self.row)
        other.strength = list(self.strength)
        other.last = list(self.last)
        other.log = list(self.log)
        return other

    def key(self):
        return (
            self.current_player, self.round, tuple(self.row), tuple(self.strength), tuple(self.last),
            self.pending, self.over, self.winner,
        )

    def view(self, player):
        player = int(player)
        return {
            "player": player,
            "board": self.render(),
            "observation": [float(value) for value in self._observe(player)],
            "log": list(self.log),
            "row": list(self.row),
            "strength": list(self.strength),
            "last": list(self.last),
            "round": self.round,
            "current": self.current_player,
            "waiting": self.pending is not None,
            "chosen": self.pending if player == 0 else None,
            "over": self.over,
            "winner": self.winner,
        }

    def resample(self, view, rng):
        self.np_random = rng
        self.row = [int(value) for value in view["row"]]
        self.strength = [int(value) for value in view["strength"]]
        self.last = [int(value) for value in view["last"]]
        self.round = int(view["round"])
        self.log = list(view["log"])
        self.current_player = int(view["current"])
        self.over = bool(view["over"])
        self.winner = view["winner"]
        self.pending = None
        if view["waiting"]:
            if view["chosen"] is not None:
                self.pending = int(view["chosen"])
            else:
                options = [place for place in range(9) if place != self.last[0]]
                self.pending = options[int(rng.integers(len(options)))]
