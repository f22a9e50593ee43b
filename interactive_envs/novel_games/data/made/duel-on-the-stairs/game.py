import gymnasium
import numpy as np
from gymnasium import spaces

STEPS = 9
HIGHEST = 4                  # cards bear 1, 2, 3 or 4
COPIES = 3                   # three cards of each number, 12 in all
LIFE = 14
STARTS = (3, 7)
TOLL = {4: 1, 5: 2, 6: 1}    # life paid for a move that ends on one of these steps
HIGHER = 1                   # extra damage of a strike from above
WAYS = ("up", "down", "strike")
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(len(WAYS) * HIGHEST)
        self.observation_space = spaces.Box(
            low=-30.0, high=30.0, shape=(HIGHEST + 5,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.row = [COPIES] * HIGHEST
        self.place = list(STARTS)
        self.life = [LIFE, LIFE]
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._observe(), {}

    def _observe(self):
        return np.array(self.row + self.place + self.life + [self.current_player],
                        dtype=np.float32)

    @staticmethod
    def _parts(action):
        way, rest = divmod(int(action), HIGHEST)
        return way, rest + 1

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        here = self.place[me]
        gap = abs(here - self.place[1 - me])
        found = []
        for action in range(len(WAYS) * HIGHEST):
            way, number = self._parts(action)
            if self.row[number - 1] == 0:
                continue
            if way == 0 and here + number > STEPS:
                continue
            if way == 1 and here - number < 1:
                continue
            if way == 2 and gap > number:
                continue
            found.append(action)
        return found

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        me = self.current_player
        foe = 1 - me
        way, number = self._parts(action)
        self.row[number - 1] -= 1
        if way == 2:
            damage = number + 1 - abs(self.place[me] - self.place[foe])
            if self.place[me] > self.place[foe]:
                damage += HIGHER
            self.life[foe] -= damage
        else:
            self.place[me] += number if way == 0 else -number
            self.life[me] -= TOLL.get(self.place[me], 0)
        if self.life[foe] <= 0:
            self.done = True
            self.winner = me
        elif self.life[me] <= 0:
            self.done = True
            self.winner = foe
        elif sum(self.row) == 0:
            self.done = True
            if self.life[0] != self.life[1]:
                self.winner = 0 if self.life[0] > self.life[1] else 1
            elif self.place[0] != self.place[1]:
                self.winner = 0 if self.place[0] < self.place[1] else 1
            else:
                self.winner = 0
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = foe
        return self._observe(), 0.0, False, False, {}

    def render(self):
        cards = []
        for number in range(1, HIGHEST + 1):
            cards += [str(number)] * self.row[number - 1]
        stairs = []
        for step in range(1, STEPS + 1):
            mark = "."
            if self.place[0] == step and self.place[1] == step:
                mark = "B"
            elif self.place[0] == step:
                mark = "F"
            elif self.place[1] == step:
                mark = "S"
            stairs.append(mark)
        return "\n".join([
            "row: " + (" ".join(cards) if cards else "empty"),
            "stairs: " + " ".join(stairs),
            "first: step %d, life %d" % (self.place[0], self.life[0]),
            "second: step %d, life %d" % (self.place[1], self.life[1]),
            "to move: " + ("nobody" if self.done else NAMES[self.current_player]),
        ])

    def move_name(self, action):
        way, number = self._parts(action)
        return "%s %d" % (WAYS[way], number)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.row = list(self.row)
        other.place = list(self.place)
        other.life = list(self.life)
        return other

    def key(self):
        return (tuple(self.row), tuple(self.place), tuple(self.life),
                self.current_player, self.done, self.winner)
