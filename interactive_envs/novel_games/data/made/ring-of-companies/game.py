import gymnasium
import numpy as np
from gymnasium import spaces

FIELDS = 12
CARDS = (2, 1, 3, 2, 1, 4, 3)
LAST_MOVE = 32
LONG = 8
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(96)
        self.observation_space = spaces.Box(-100.0, 100.0, shape=(21,), dtype=np.float32)
        self._setup()

    def _setup(self):
        # positive: men of the first player, negative: men of the second player
        self.ring = [4, 4, 4, 0, 0, 0, -4, -4, -4, 0, 0, 0]
        self.cards = list(CARDS)
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        return np.array(self.ring + self.cards + [self.moves, self.current_player], dtype=np.float32)

    def _sign(self, player):
        return 1 if player == 0 else -1

    def _chain(self, player):
        s = self._sign(player)
        own = [v * s > 0 for v in self.ring]
        if all(own):
            return FIELDS
        best = run = 0
        for i in range(2 * FIELDS):
            if own[i % FIELDS]:
                run += 1
                if run > best:
                    best = run
            else:
                run = 0
        return best

    def _fields(self, player):
        s = self._sign(player)
        return sum(1 for v in self.ring if v * s > 0)

    def _men(self, player):
        s = self._sign(player)
        return sum(v * s for v in self.ring if v * s > 0)

    def _open(self, player):
        return 4 if self._chain(player) < self._chain(1 - player) else 3

    def _decode(self, action):
        slot, rest = divmod(action, 24)
        field, down = divmod(rest, 2)
        target = (field - 1) % FIELDS if down else (field + 1) % FIELDS
        return slot, field, target

    def _allowed(self, action, open_slots):
        slot, field, target = self._decode(action)
        if slot >= open_slots:
            return False
        s = self._sign(self.current_player)
        men = self.ring[field] * s
        if men <= 0:
            return False
        enemy = -self.ring[target] * s
        if enemy > 0 and min(men, self.cards[slot]) <= enemy:
            return False
        return True

    def valid_moves(self):
        if self.done:
            return []
        open_slots = self._open(self.current_player)
        return [a for a in range(24 * open_slots) if self._allowed(a, open_slots)]

    def _score(self):
        for measure in (self._chain, self._fields, self._men):
            a, b = measure(0), measure(1)
            if a != b:
                return 0 if a > b else 1
        return 0

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done or not (0 <= action < 96) or not self._allowed(action, self._open(me)):
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        slot, field, target = self._decode(action)
        s = self._sign(me)
        card = self.cards.pop(slot)
        self.cards.append(card)
        force = min(card, self.ring[field] * s)
        self.ring[field] -= force * s
        enemy = -self.ring[target] * s
        if enemy > 0:
            self.ring[target] = (force - (enemy + 1) // 2) * s
        else:
            self.ring[target] += force * s
        self.moves += 1
        self.current_player = 1 - me
        if self._chain(me) >= LONG:
            self.done = True
            self.winner = me
        elif self.moves >= LAST_MOVE:
            self.done = True
            self.winner = self._score()
        elif not self.valid_moves():
            self.done = True
            self.winner = me
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        cells = []
        for v in self.ring:
            if v > 0:
                cells.append("A" + str(v))
            elif v < 0:
                cells.append("B" + str(-v))
            else:
                cells.append("--")
        lines = [
            "ring: " + " ".join(cells),
            "cards: " + " ".join(str(c) for c in self.cards),
            "chains: first " + str(self._chain(0)) + ", second " + str(self._chain(1)),
            "moves made: " + str(self.moves) + " of " + str(LAST_MOVE),
        ]
        if self.done:
            lines.append("game over, winner: " + NAMES[self.winner])
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        slot, field, target = self._decode(int(action))
        return "slot " + str(slot + 1) + " from " + str(field + 1) + " to " + str(target + 1)

    def clone(self):
        new = CustomEnv()
        new.ring = list(self.ring)
        new.cards = list(self.cards)
        new.moves = self.moves
        new.current_player = self.current_player
        new.done = self.done
        new.winner = self.winner
        return new

    def key(self):
        return (self.current_player, tuple(self.ring), tuple(self.cards), self.moves,
                self.done, self.winner)
