import gymnasium
import numpy as np
from gymnasium import spaces

NAMES = ("first", "second")
COUNT = 13
MIDDLE = 7
LIMIT = 44
LOCK_COST = 2
PICK_COST = 3
WAGE = 3
VERBS = ("take", "steal", "lock", "pick")
EARN = COUNT * 4


def price(number):
    distance = abs(number - MIDDLE)
    if distance <= 1:
        return 4
    return 3 if distance <= 3 else 2


def cost(verb, number):
    if verb == 0:
        return price(number)
    if verb == 1:
        return price(number) + 1
    return LOCK_COST if verb == 2 else PICK_COST


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(EARN + 1)
        self.observation_space = spaces.Box(low=-1.0, high=500.0, shape=(30,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.holder = [-1] * COUNT
        self.locked = [False] * COUNT
        self.coins = [3, 5]
        self.moves = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        me = self.current_player
        numbers = []
        for i in range(COUNT):
            numbers.append(0 if self.holder[i] < 0 else (1 if self.holder[i] == me else -1))
        numbers.extend(1 if x else 0 for x in self.locked)
        numbers.extend([self.coins[me], self.coins[1 - me], self.moves, me])
        return np.array(numbers, dtype=np.float32)

    def _verb_for(self, index):
        me = self.current_player
        if self.holder[index] == -1:
            return 0
        if self.holder[index] == me:
            return -1 if self.locked[index] else 2
        return 3 if self.locked[index] else 1

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        moves = []
        for index in range(COUNT):
            verb = self._verb_for(index)
            if verb >= 0 and cost(verb, index + 1) <= self.coins[me]:
                moves.append(verb * COUNT + index)
        moves.append(EARN)
        return moves

    def _has_three(self, player):
        mine = set(i for i in range(COUNT) if self.holder[i] == player and self.locked[i])
        for low in mine:
            for gap in range(1, COUNT):
                if low + gap in mine and low + 2 * gap in mine:
                    return True
        return False

    def _locked_count(self, player):
        return sum(1 for i in range(COUNT) if self.holder[i] == player and self.locked[i])

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - me
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        if action == EARN:
            self.coins[me] += WAGE
        else:
            verb, index = divmod(action, COUNT)
            self.coins[me] -= cost(verb, index + 1)
            if verb <= 1:
                self.holder[index] = me
            else:
                self.locked[index] = verb == 2
        self.coins[me] += 1
        self.moves += 1
        if self._has_three(me):
            self.done = True
            self.winner = me
        elif self.moves == LIMIT:
            self.done = True
            mine = [(self._locked_count(p), self.coins[p]) for p in (0, 1)]
            self.winner = 0 if mine[0] > mine[1] else 1
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - me
        return self._observe(), 0.0, False, False, {}

    def _held(self, player):
        words = []
        for i in range(COUNT):
            if self.holder[i] == player:
                words.append("[%d]" % (i + 1) if self.locked[i] else str(i + 1))
        return " ".join(words) or "none"

    def render(self):
        return "\n".join(
            [
                "free: " + self._held(-1),
                "first holds: " + self._held(0),
                "second holds: " + self._held(1),
                "coins: first %d, second %d" % (self.coins[0], self.coins[1]),
                "moves left: %d" % (LIMIT - self.moves),
                "to move: " + NAMES[self.current_player],
            ]
        )

    def move_name(self, action):
        action = int(action)
        if action == EARN:
            return "earn"
        verb, index = divmod(action, COUNT)
        return "%s %d" % (VERBS[verb], index + 1)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.holder = list(self.holder)
        other.locked = list(self.locked)
        other.coins = list(self.coins)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.holder),
            tuple(self.locked),
            tuple(self.coins),
            self.moves,
            self.done,
            self.winner,
        )
