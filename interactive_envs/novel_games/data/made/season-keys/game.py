import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 28
LAYOUT = (2, 3, 1, 4, 2, 1, 3, 4, 1, 2, 4, 3, 1, 3)
HOMES = (0, 14)
GOALS = (14, 0)
KEYS = (2, 3)
REACH = 4
SEASON = 4
MIRROR = 5
LIMIT = 48
NAMES = ("first", "second")


def gap(a, b):
    d = abs(a - b)
    return min(d, SIZE - d)


class CustomEnv(gymnasium.Env):
    def __init__(self):
        self.action_space = Discrete(2 + 2 * SIZE)
        self.observation_space = Box(0.0, 1.0, shape=(SIZE + 9,), dtype=np.float32)
        self._start()

    def _start(self):
        self.pos = [HOMES[0], HOMES[1]]
        self.keys = [KEYS[0], KEYS[1]]
        self.locks = set()
        self.fresh = -1
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _mirror(self):
        return (self.moves // SEASON) % 2 == 1

    def _step_length(self, player):
        number = LAYOUT[self.pos[player] % len(LAYOUT)]
        return MIRROR - number if self._mirror() else number

    def _target(self, player, sign):
        return (self.pos[player] + sign * self._step_length(player)) % SIZE

    def _observe(self):
        values = [1.0 if c in self.locks else 0.0 for c in range(SIZE)]
        values.append(self.pos[0] / (SIZE - 1))
        values.append(self.pos[1] / (SIZE - 1))
        values.append(self.keys[0] / 5)
        values.append(self.keys[1] / 5)
        values.append(1.0 if self._mirror() else 0.0)
        values.append(self.moves / LIMIT)
        values.append(float(self.current_player))
        values.append((self.fresh + 1) / SIZE)
        values.append(self._step_length(self.current_player) / 4)
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        other = 1 - me
        moves = []
        if self._target(me, 1) not in self.locks:
            moves.append(0)
        if self._target(me, -1) not in self.locks:
            moves.append(1)
        if self.keys[me] > 0:
            for c in range(SIZE):
                if c in HOMES or c in self.locks or c in self.pos:
                    continue
                if gap(c, self.pos[other]) <= REACH:
                    moves.append(2 + c)
        for c in sorted(self.locks):
            if c != self.fresh:
                moves.append(2 + SIZE + c)
        return moves

    def _decide_by_distance(self):
        first = gap(self.pos[0], GOALS[0])
        second = gap(self.pos[1], GOALS[1])
        if first != second:
            return 0 if first < second else 1
        if self.keys[0] != self.keys[1]:
            return 0 if self.keys[0] > self.keys[1] else 1
        return 1

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done or action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._observe(), -10.0, True, False, {"winner": 1 - me}
        self_fresh = -1
        if action < 2:
            self.pos[me] = self._target(me, 1 if action == 0 else -1)
        elif action < 2 + SIZE:
            cell = action - 2
            self.locks.add(cell)
            self.keys[me] -= 1
            self_fresh = cell
        else:
            cell = action - 2 - SIZE
            self.locks.discard(cell)
            self.keys[me] += 1
        self.fresh = self_fresh
        self.moves += 1
        if self.pos[me] == GOALS[me]:
            self.done = True
            self.winner = me
        elif self.moves >= LIMIT:
            self.done = True
            self.winner = self._decide_by_distance()
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - me
        return self._observe(), 0.0, False, False, {}

    def render(self):
        numbers = " ".join(f"{c}:{LAYOUT[c % len(LAYOUT)]}" for c in range(SIZE))
        locks = " ".join(str(c) for c in sorted(self.locks)) or "none"
        fresh = str(self.fresh) if self.fresh >= 0 else "none"
        mover = "game over" if self.done else NAMES[self.current_player]
        return "\n".join([
            f"moves made: {self.moves} of {LIMIT}",
            f"season: {'mirror' if self._mirror() else 'plain'}",
            f"numbers: {numbers}",
            f"locks: {locks}",
            f"fresh lock: {fresh}",
            f"keys: first {self.keys[0]}, second {self.keys[1]}",
            f"runners: first {self.pos[0]}, second {self.pos[1]}",
            f"to move: {mover}",
        ])

    def move_name(self, action):
        action = int(action)
        if action == 0:
            return "clockwise"
        if action == 1:
            return "counter"
        if action < 2 + SIZE:
            return f"lock {action - 2}"
        return f"open {action - 2 - SIZE}"

    def clone(self):
        other = CustomEnv()
        other.pos = list(self.pos)
        other.keys = list(self.keys)
        other.locks = set(self.locks)
        other.fresh = self.fresh
        other.moves = self.moves
        other.current_player = self.current_player
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (tuple(self.pos), tuple(self.keys), tuple(sorted(self.locks)),
                self.fresh, self.moves, self.current_player, self.done)
