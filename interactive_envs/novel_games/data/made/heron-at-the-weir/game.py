import gymnasium
import numpy as np
from gymnasium import spaces

NAMES = ("first", "second")
MILL = 0
WEIR = 12
ROUNDS = 8
CARDS = ("rest", "on 1", "on 2", "on 3", "back 1", "back 2")
SHIFT = (0, 1, 2, 3, -1, -2)
NUMBER = (0, 1, 2, 3, 1, 2)
COPIES = (0, 3, 2, 2, 2, 1)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(len(CARDS))
        self.observation_space = spaces.Box(low=-1.0, high=100.0, shape=(19,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.boat = [2, 2]
        self.heron = 10
        self.coins = [2, 2]
        self.left = [list(COPIES), list(COPIES)]
        self.chosen = -1
        self.rounds = 0
        self.done = False
        self.winner = None
        self.log = []

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(0), {}

    def _observe(self, player):
        foe = 1 - player
        numbers = [
            self.boat[player],
            self.boat[foe],
            self.heron,
            self.coins[player],
            self.coins[foe],
        ]
        numbers.extend(self.left[player][1:])
        numbers.extend(self.left[foe][1:])
        numbers.append(self.rounds)
        numbers.append(0 if self.chosen < 0 else 1)
        numbers.append(self.chosen if player == 0 else -1)
        numbers.append(player)
        return np.array(numbers, dtype=np.float32)

    def _legal(self, player):
        moves = [0]
        for card in range(1, len(CARDS)):
            place = self.boat[player] + SHIFT[card]
            if self.left[player][card] > 0 and NUMBER[card] <= self.coins[player] and MILL <= place <= WEIR:
                moves.append(card)
        return moves

    def valid_moves(self):
        if self.done:
            return []
        return self._legal(self.current_player)

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - me
            return self._observe(me), -10.0, True, False, {"winner": self.winner}
        if me == 0:
            self.chosen = action
            self.current_player = 1
            return self._observe(1), 0.0, False, False, {}
        self._resolve((self.chosen, action))
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(me), reward, True, False, {"winner": self.winner}
        self.current_player = 0
        return self._observe(0), 0.0, False, False, {}

    def _resolve(self, cards):
        self.chosen = -1
        for player in (0, 1):
            card = cards[player]
            if card == 0:
                self.coins[player] += 1
            else:
                self.coins[player] -= NUMBER[card]
                self.left[player][card] -= 1
                self.boat[player] += SHIFT[card]
        self.rounds += 1
        self.log.append("round %d: first %s, second %s" % (self.rounds, CARDS[cards[0]], CARDS[cards[1]]))
        there = [p for p in (0, 1) if self.boat[p] == self.heron]
        if len(there) == 1:
            self.winner = there[0]
        elif len(there) == 2 and self.coins[0] != self.coins[1]:
            self.winner = 0 if self.coins[0] > self.coins[1] else 1
        if self.winner is not None:
            self.done = True
            self.log.append(NAMES[self.winner] + " catches the heron")
            return
        if (NUMBER[cards[0]] + NUMBER[cards[1]]) % 2 == 0:
            self.heron -= 1
            if self.heron == MILL:
                self.heron = WEIR
        elif self.heron < WEIR:
            self.heron += 1
        self.coins[0] += 1
        self.coins[1] += 1
        self.log.append("the heron stands on %d" % self.heron)
        if self.rounds == ROUNDS:
            self.done = True
            far = [abs(self.boat[p] - self.heron) for p in (0, 1)]
            if far[0] != far[1]:
                self.winner = 0 if far[0] < far[1] else 1
            else:
                self.winner = 0 if self.coins[0] >= self.coins[1] else 1

    def _text(self, player):
        lines = [
            "to move: " + NAMES[self.current_player],
            "round: %d of %d" % (min(self.rounds + 1, ROUNDS), ROUNDS),
            "strip: 0 is the mill, 12 is the weir",
            "boats: first %d, second %d" % (self.boat[0], self.boat[1]),
            "heron: %d" % self.heron,
            "coins: first %d, second %d" % (self.coins[0], self.coins[1]),
        ]
        for p in (0, 1):
            cards = ", ".join("%s x%d" % (CARDS[c], self.left[p][c]) for c in range(1, len(CARDS)))
            lines.append("cards of %s: %s" % (NAMES[p], cards))
        if self.chosen < 0:
            lines.append("chosen: nothing yet")
        elif player == 0:
            lines.append("chosen: you chose " + CARDS[self.chosen])
        else:
            lines.append("chosen: first has chosen in secret")
        return "\n".join(lines)

    def render(self):
        return self._text(self.current_player)

    def move_name(self, action):
        return CARDS[int(action)]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.boat = list(self.boat)
        other.coins = list(self.coins)
        other.left = [list(x) for x in self.left]
        other.log = list(self.log)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(self.boat),
            self.heron,
            tuple(self.coins),
            tuple(tuple(x) for x in self.left),
            self.chosen,
            self.rounds,
            self.done,
            self.winner,
        )

    def view(self, player):
        return {
            "player": player,
            "board": self._text(player),
            "observation": self._observe(player).tolist(),
            "log": list(self.log),
            "turn": self.current_player,
            "boat": list(self.boat),
            "heron": self.heron,
            "coins": list(self.coins),
            "left": [list(x) for x in self.left],
            "pending": self.chosen >= 0,
            "chosen": self.chosen if player == 0 else -1,
            "rounds": self.rounds,
            "done": self.done,
            "winner": self.winner,
        }

    def resample(self, view, rng):
        self.np_random = rng
        self.current_player = view["turn"]
        self.boat = list(view["boat"])
        self.heron = view["heron"]
        self.coins = list(view["coins"])
        self.left = [list(x) for x in view["left"]]
        self.rounds = view["rounds"]
        self.done = view["done"]
        self.winner = view["winner"]
        self.log = list(view["log"])
        self.chosen = -1
        if view["pending"]:
            if view["player"] == 0:
                self.chosen = view["chosen"]
            else:
                options = self._legal(0)
                self.chosen = options[int(rng.integers(len(options)))]
