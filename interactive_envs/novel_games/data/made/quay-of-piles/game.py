import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

CARDS = 12
PILES = 12
HEIGHT = 4
LIMIT = 24
WAYS = 37
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(CARDS * WAYS)
        self.observation_space = Box(0.0, 100.0, shape=(74,), dtype=np.float32)
        self._start()

    def _start(self):
        self.strip = []
        self.hands = [[True] * CARDS, [True] * CARDS]
        self.turn = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = [0] * (PILES * HEIGHT)
        for i, pile in enumerate(self.strip):
            for j, (owner, number) in enumerate(pile):
                values[i * HEIGHT + j] = owner * CARDS + number
        values += [int(x) for x in self.hands[0]] + [int(x) for x in self.hands[1]]
        values += [self.turn, self.current_player]
        return np.array(values, dtype=np.float32)

    def _high(self):
        return (self.turn // 4) % 2 == 0

    def _beats(self, number, pile):
        top = pile[-1][1]
        return number > top if self._high() else number < top

    def valid_moves(self):
        if self.done:
            return []
        p = self.current_player
        strip = self.strip
        size = len(strip)
        moves = []
        for card in range(CARDS):
            if not self.hands[p][card]:
                continue
            number = card + 1
            base = card * WAYS
            if size < PILES:
                moves.append(base)
                if size > 0 and self._beats(number, strip[-1]):
                    moves.append(base + 1)
            beat = [self._beats(number, pile) for pile in strip]
            for i in range(size):
                if beat[i] and len(strip[i]) < HEIGHT:
                    moves.append(base + 2 + i)
                if len(strip[i]) >= 2 and size + 2 <= PILES:
                    moves.append(base + 14 + i)
                if i + 1 < size and beat[i] and beat[i + 1]:
                    if len(strip[i]) + len(strip[i + 1]) < HEIGHT:
                        moves.append(base + 26 + i)
        return moves

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        p = self.current_player
        card, way = divmod(action, WAYS)
        self.hands[p][card] = False
        played = (p, card + 1)
        strip = self.strip
        if way == 0:
            strip.insert(0, [played])
        elif way == 1:
            strip.append([played])
        elif way < 14:
            strip[way - 2].append(played)
        elif way < 26:
            i = way - 14
            pile = strip[i]
            strip[i:i + 1] = [pile[:-1], [played], [pile[-1]]]
        else:
            i = way - 26
            strip[i:i + 2] = [strip[i] + strip[i + 1] + [played]]
        self.turn += 1
        self.current_player = 1 - p
        if self.turn >= LIMIT or not self.valid_moves():
            self.done = True
            self.winner = self._count()
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def _chain(self, p):
        best = run = 0
        for i, pile in enumerate(self.strip):
            if pile[-1][0] == p:
                run += 2 if i == 0 else 1
                best = max(best, run)
            else:
                run = 0
        return best

    def _count(self):
        chains = [self._chain(0), self._chain(1)]
        if chains[0] != chains[1]:
            return 0 if chains[0] > chains[1] else 1
        tops = [sum(1 for pile in self.strip if pile[-1][0] == p) for p in range(2)]
        if tops[0] != tops[1]:
            return 0 if tops[0] > tops[1] else 1
        return 0

    def render(self):
        piles = ["+".join("fs"[o] + str(n) for o, n in pile) for pile in self.strip]
        lines = ["strip: " + (" ".join(piles) if piles else "empty")]
        lines.append("piles: %d" % len(self.strip))
        for p in range(2):
            cards = [str(c + 1) for c in range(CARDS) if self.hands[p][c]]
            lines.append("hand of %s: %s" % (NAMES[p], " ".join(cards) if cards else "none"))
        lines.append("chains: first %d, second %d" % (self._chain(0), self._chain(1)))
        lines.append("turns made: %d of %d" % (self.turn, LIMIT))
        if self.done:
            lines.append("game over: %s wins" % NAMES[self.winner])
        else:
            lines.append("beating: %s" % ("higher" if self._high() else "lower"))
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        card, way = divmod(int(action), WAYS)
        text = "play %d " % (card + 1)
        if way == 0:
            return text + "at left"
        if way == 1:
            return text + "at right"
        if way < 14:
            return text + "on pile %d" % (way - 1)
        if way < 26:
            return text + "to split pile %d" % (way - 13)
        return text + "to merge piles %d and %d" % (way - 25, way - 24)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.strip = [list(x) for x in self.strip]
        other.hands = [list(x) for x in self.hands]
        return other

    def key(self):
        return (
            tuple(tuple(x) for x in self.strip),
            tuple(self.hands[0]),
            tuple(self.hands[1]),
            self.turn,
            self.current_player,
            self.done,
            self.winner,
        )
