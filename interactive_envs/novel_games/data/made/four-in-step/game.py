import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 48
KIN = 3
LENGTH = 4
LIMIT = 40
NAMES = ("first", "second")


def completes(held, number):
    """True if number stands in four equal steps, all of them in held."""
    for gap in range(1, SIZE // (LENGTH - 1) + 1):
        for place in range(LENGTH):
            start = number - place * gap
            if all(start + i * gap in held for i in range(LENGTH)):
                return True
    return False


class CustomEnv(gymnasium.Env):
    def __init__(self):
        self.action_space = Discrete(SIZE)
        self.observation_space = Box(0.0, 1.0, shape=(2 * SIZE + 7,), dtype=np.float32)
        self._start()

    def _start(self):
        self.held = [set(), set()]
        self.last = [0, 0]
        self.forbidden = -1
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        values = []
        for player in (0, 1):
            values += [1.0 if n in self.held[player] else 0.0 for n in range(1, SIZE + 1)]
        values += [n / SIZE for n in self.last]
        values += [1.0 if self.forbidden == r else 0.0 for r in range(KIN)]
        values.append(self.moves / LIMIT)
        values.append(float(self.current_player))
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        pool = [n for n in range(1, SIZE + 1)
                if n not in self.held[0] and n not in self.held[1]]
        allowed = [n for n in pool if n % KIN != self.forbidden]
        if not allowed:
            allowed = pool
        return [n - 1 for n in allowed]

    def _score(self, player):
        return sum(self.held[player]) + self.last[player]

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done or action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._observe(), -10.0, True, False, {"winner": 1 - me}
        number = action + 1
        self.held[me].add(number)
        self.last[me] = number
        self.forbidden = number % KIN
        self.moves += 1
        if completes(self.held[me], number):
            self.done = True
            self.winner = 1 - me
        elif self.moves >= LIMIT:
            self.done = True
            self.winner = 0 if self._score(0) > self._score(1) else 1
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - me
        return self._observe(), 0.0, False, False, {}

    def render(self):
        pool = " ".join(str(n) for n in range(1, SIZE + 1)
                        if n not in self.held[0] and n not in self.held[1])
        forbidden = str(self.forbidden) if self.forbidden >= 0 else "none"
        lines = [f"moves made: {self.moves} of {LIMIT}", f"left: {pool}"]
        for player in (0, 1):
            own = " ".join(str(n) for n in sorted(self.held[player])) or "none"
            lines.append(f"held by {NAMES[player]}: {own}")
        lines.append(f"scores: first {self._score(0)}, second {self._score(1)}")
        lines.append(f"forbidden remainder: {forbidden}")
        mover = "game over" if self.done else NAMES[self.current_player]
        lines.append(f"to move: {mover}")
        return "\n".join(lines)

    def move_name(self, action):
        return f"take {int(action) + 1}"

    def clone(self):
        other = CustomEnv()
        other.held = [set(own) for own in self.held]
        other.last = list(self.last)
        other.forbidden = self.forbidden
        other.moves = self.moves
        other.current_player = self.current_player
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (tuple(sorted(self.held[0])), tuple(sorted(self.held[1])),
                tuple(self.last), self.forbidden, self.moves,
                self.current_player, self.done)
