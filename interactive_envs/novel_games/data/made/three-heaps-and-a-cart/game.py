import copy

import gymnasium
import numpy as np
from gymnasium import spaces

PILES = 3
WEIGHTS = 8                  # each player holds the weights 1 to 8, each once
TOSSES = 2                   # tosses of each player
BONUS = 2                    # added to the weight when a toss hits
THIRDS = 3                   # a toss hits in two of three cases
HEAD_START = 2               # first begins with this much on pile A
LETTERS = "ABC"
NAMES = ("first", "second")
HALF = PILES * WEIGHTS       # 24 actions lay, 24 actions toss


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(2 * HALF)
        self.observation_space = spaces.Box(
            low=-1.0, high=100.0, shape=(2 * PILES + 2 * WEIGHTS + 5,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.piles = [[HEAD_START, 0], [0, 0], [0, 0]]
        self.hands = [[1] * WEIGHTS, [1] * WEIGHTS]
        self.tosses = [TOSSES, TOSSES]
        self.cart = -1
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None
        self.log = []

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._observe(), {}

    def _observe(self):
        out = []
        for pile in self.piles:
            out += pile
        out += self.hands[0] + self.hands[1] + self.tosses
        out += [self.cart, self.moves, self.current_player]
        return np.array(out, dtype=np.float32)

    @staticmethod
    def _parts(action):
        mode, rest = divmod(int(action), HALF)
        pile, weight = divmod(rest, WEIGHTS)
        return mode, pile, weight + 1

    def _leads(self, player):
        return sum(1 for pile in self.piles if pile[player] > pile[1 - player])

    def _behind(self, player):
        return self._leads(player) < self._leads(1 - player)

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        behind = self._behind(me)
        found = []
        for action in range(2 * HALF):
            mode, pile, weight = self._parts(action)
            if not self.hands[me][weight - 1]:
                continue
            if mode == 1 and (self.tosses[me] == 0 or pile == self.cart):
                continue
            if pile == self.cart and not behind:
                continue
            found.append(action)
        return found

    def _apply(self, action, hit):
        """Play a legal action; hit tells how a toss comes out. Returns the reward."""
        me = self.current_player
        mode, pile, weight = self._parts(action)
        self.hands[me][weight - 1] = 0
        if mode == 0:
            target, amount = pile, weight
            line = "%s laid %d on %s" % (NAMES[me], weight, LETTERS[pile])
        else:
            self.tosses[me] -= 1
            if hit:
                target, amount = pile, weight + BONUS
                line = "%s tossed %d at %s and hit" % (NAMES[me], weight, LETTERS[pile])
            else:
                target, amount = (pile + 1) % PILES, weight
                line = "%s tossed %d at %s, it rolled to %s" % (
                    NAMES[me], weight, LETTERS[pile], LETTERS[target])
        self.piles[target][me] += amount
        self.cart = target
        self.moves += 1
        self.log.append(line)
        if self.moves == 2 * WEIGHTS:
            self.done = True
            owned = sum(1 for p in self.piles if p[0] >= p[1])
            self.winner = 0 if owned >= 2 else 1
            return 1.0 if self.winner == me else 0.0
        self.current_player = 1 - me
        return 0.0

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        hit = True
        if action >= HALF:
            hit = int(self.np_random.integers(THIRDS)) > 0
        reward = self._apply(action, hit)
        info = {"winner": self.winner} if self.done else {}
        return self._observe(), reward, self.done, False, info

    def chance(self, action):
        action = int(action)
        if action not in self.valid_moves():
            other = self.clone()
            other.step(action)
            return [(1.0, other)]
        if action < HALF:
            other = self.clone()
            other._apply(action, True)
            return [(1.0, other)]
        good = self.clone()
        good._apply(action, True)
        bad = self.clone()
        bad._apply(action, False)
        return [((THIRDS - 1.0) / THIRDS, good), (1.0 / THIRDS, bad)]

    def render(self):
        lines = []
        for i in range(PILES):
            lines.append("pile %s: first %d, second %d" % (
                LETTERS[i], self.piles[i][0], self.piles[i][1]))
        lines.append("cart: " + ("none" if self.cart < 0 else LETTERS[self.cart]))
        for p in (0, 1):
            held = [str(w + 1) for w in range(WEIGHTS) if self.hands[p][w]]
            lines.append("%s holds: %s; tosses %d" % (
                NAMES[p], " ".join(held) if held else "nothing", self.tosses[p]))
        lines.append("piles led: first %d, second %d" % (self._leads(0), self._leads(1)))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        mode, pile, weight = self._parts(action)
        if mode == 0:
            return "lay %d on %s" % (weight, LETTERS[pile])
        return "toss %d at %s" % (weight, LETTERS[pile])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.piles = [list(pile) for pile in self.piles]
        other.hands = [list(self.hands[0]), list(self.hands[1])]
        other.tosses = list(self.tosses)
        other.log = list(self.log)
        if self.__dict__.get("_np_random") is not None:
            other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (tuple(tuple(pile) for pile in self.piles),
                tuple(self.hands[0]), tuple(self.hands[1]), tuple(self.tosses),
                self.cart, self.moves, self.current_player, self.done, self.winner)

    def view(self, player):
        return {
            "player": int(player),
            "board": self.render(),
            "observation": [float(v) for v in self._observe()],
            "log": list(self.log),
            "piles": [list(pile) for pile in self.piles],
            "hands": [list(self.hands[0]), list(self.hands[1])],
            "tosses": list(self.tosses),
            "cart": self.cart,
            "moves": self.moves,
            "current_player": self.current_player,
            "done": self.done,
            "winner": self.winner,
        }

    def resample(self, view, rng):
        # nothing is hidden, so the position is rebuilt as it is
        self.piles = [[int(v) for v in pile] for pile in view["piles"]]
        self.hands = [[int(v) for v in hand] for hand in view["hands"]]
        self.tosses = [int(v) for v in view["tosses"]]
        self.cart = int(view["cart"])
        self.moves = int(view["moves"])
        self.current_player = int(view["current_player"])
        self.done = bool(view["done"])
        self.winner = None if view["winner"] is None else int(view["winner"])
        self.log = [str(line) for line in view["log"]]
        self.np_random = rng
