import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

STEPS = 9
REACH = 2
TOLLS = (1, 1, 2, 3, 4, 3, 2, 1, 1)
MIDDLE = (3, 4, 5)  # steps 4, 5 and 6, counted from 0
SURCHARGE = 1
INCOME = 1
STOCK = 16
CAP = 60
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(STEPS * STEPS)
        self.observation_space = Box(low=-1.0, high=500.0, shape=(22,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.owner = [1, 1, 1, 0, 0, 0, 2, 2, 2]
        self.toll = list(TOLLS)
        self.stock = [STOCK, STOCK]
        self.moves = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        values = list(self.owner) + list(self.toll) + list(self.stock)
        values += [self.current_player, self.moves]
        return np.array(values, dtype=np.float32)

    def _cost(self, player, target):
        foe = 2 - player
        return self.toll[target] + (SURCHARGE if self.owner[target] == foe else 0)

    def _legal(self, player):
        mark = player + 1
        result = []
        for source in range(STEPS):
            if self.owner[source] != mark:
                continue
            for target in range(max(0, source - REACH), min(STEPS, source + REACH + 1)):
                if self.owner[target] == mark:
                    continue
                if self._cost(player, target) <= self.stock[player]:
                    result.append(source * STEPS + target)
        return result

    def valid_moves(self):
        if self.done:
            return []
        return self._legal(self.current_player)

    def move_name(self, action):
        source, target = divmod(int(action), STEPS)
        return "move %d to %d" % (source + 1, target + 1)

    def _apply(self, action):
        player = self.current_player
        mark = player + 1
        source, target = divmod(action, STEPS)
        self.stock[player] -= self._cost(player, target)
        self.owner[source] = self.owner[target]
        self.owner[target] = mark
        self.toll[target] += 1
        held = sum(1 for s in MIDDLE if self.owner[s] == mark)
        self.stock[player] += INCOME + held
        self.moves += 1
        if not self._legal(1 - player):
            self.done = True
            self.winner = player
        elif self.moves >= CAP:
            self.done = True
            self.winner = 0 if self.stock[0] > self.stock[1] else 1
        else:
            self.current_player = 1 - player

    def step(self, action):
        player = self.current_player
        if self.done:
            return self._observe(), 0, True, False, {"winner": self.winner}
        if int(action) not in self.valid_moves():
            self.done = True
            self.winner = 1 - player
            return self._observe(), -10, True, False, {"winner": self.winner}
        self._apply(int(action))
        reward = 1 if self.done and self.winner == player else 0
        info = {"winner": self.winner} if self.done else {}
        return self._observe(), reward, self.done, False, info

    def render(self):
        if self.done:
            head = "game over, winner %s" % NAMES[self.winner]
        else:
            head = "move %d, %s to move" % (self.moves + 1, NAMES[self.current_player])
        lines = [head]
        for s in range(STEPS - 1, -1, -1):
            who = ("empty", "first", "second")[self.owner[s]]
            lines.append("step %d: toll %d, %s" % (s + 1, self.toll[s], who))
        lines.append("stock: first %d, second %d" % (self.stock[0], self.stock[1]))
        return "\n".join(lines)

    def clone(self):
        other = CustomEnv()
        other.current_player = self.current_player
        other.owner = list(self.owner)
        other.toll = list(self.toll)
        other.stock = list(self.stock)
        other.moves = self.moves
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.owner),
            tuple(self.toll),
            tuple(self.stock),
            self.moves,
            self.done,
            self.winner,
        )
