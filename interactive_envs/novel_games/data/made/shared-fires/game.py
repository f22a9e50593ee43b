import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

CAMPS = 6
CARDS = 6
LETTERS = "ABCDEF"
LIMIT = 12
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(108)
        self.observation_space = Box(0.0, 100.0, shape=(26,), dtype=np.float32)
        self._start()

    def _start(self):
        self.men = [[0] * CAMPS, [0] * CAMPS]
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
        values = self.men[0] + self.men[1]
        values = values + [int(x) for x in self.hands[0]] + [int(x) for x in self.hands[1]]
        values = values + [self.turn, self.current_player]
        return np.array(values, dtype=np.float32)

    def _decode(self, action):
        if action < 36:
            card, camp = divmod(action, 6)
            return card + 1, None, camp
        rest, way = divmod(action - 36, 2)
        card, camp = divmod(rest, 6)
        target = (camp + 1) % CAMPS if way == 0 else (camp - 1) % CAMPS
        return card + 1, camp, target

    def valid_moves(self):
        if self.done:
            return []
        p = self.current_player
        moves = []
        for card in range(CARDS):
            if self.hands[p][card]:
                for camp in range(CAMPS):
                    moves.append(card * 6 + camp)
        for card in range(CARDS):
            if self.hands[p][card]:
                for camp in range(CAMPS):
                    if self.men[p][camp] >= card + 1:
                        base = 36 + (card * 6 + camp) * 2
                        moves.append(base)
                        moves.append(base + 1)
        return moves

    def _pattern(self):
        both = [self.men[0][i] > 0 and self.men[1][i] > 0 for i in range(CAMPS)]
        for i in range(CAMPS):
            if both[i] and both[(i + 1) % CAMPS] and both[(i + 2) % CAMPS]:
                return True
        return False

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        p = self.current_player
        card, source, target = self._decode(action)
        self.hands[p][card - 1] = False
        if source is not None:
            self.men[p][source] -= card
        self.men[p][target] += card
        enemy = self.men[1 - p][target]
        if enemy > 0 and self.men[p][target] >= 2 * enemy:
            self.men[1 - p][target] = 0
        self.turn += 1
        if self._pattern():
            self.done = True
            self.winner = 1 - p
        elif self.turn >= LIMIT:
            self.done = True
            self.winner = self._count()
        self.current_player = 1 - p
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def _held(self):
        held = [0, 0]
        for i in range(CAMPS):
            if self.men[0][i] > self.men[1][i]:
                held[0] += 1
            elif self.men[1][i] > self.men[0][i]:
                held[1] += 1
        return held

    def _count(self):
        held = self._held()
        if held[0] != held[1]:
            return 0 if held[0] > held[1] else 1
        total = [sum(self.men[0]), sum(self.men[1])]
        if total[0] != total[1]:
            return 0 if total[0] > total[1] else 1
        return 0

    def render(self):
        cells = ["%s %d/%d" % (LETTERS[i], self.men[0][i], self.men[1][i]) for i in range(CAMPS)]
        lines = ["camps: " + " ".join(cells)]
        held = self._held()
        lines.append("held: first %d, second %d" % (held[0], held[1]))
        for p in range(2):
            cards = [str(c + 1) for c in range(CARDS) if self.hands[p][c]]
            lines.append("hand of %s: %s" % (NAMES[p], " ".join(cards) if cards else "none"))
        lines.append("turns made: %d of %d" % (self.turn, LIMIT))
        if self.done:
            lines.append("game over: %s wins" % NAMES[self.winner])
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        card, source, target = self._decode(int(action))
        if source is None:
            return "deploy %d at %s" % (card, LETTERS[target])
        return "march %d from %s to %s" % (card, LETTERS[source], LETTERS[target])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.men = [list(x) for x in self.men]
        other.hands = [list(x) for x in self.hands]
        return other

    def key(self):
        return (
            tuple(self.men[0]),
            tuple(self.men[1]),
            tuple(self.hands[0]),
            tuple(self.hands[1]),
            self.turn,
            self.current_player,
            self.done,
            self.winner,
        )
