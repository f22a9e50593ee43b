import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

CARDS = ("one", "two", "three", "split", "merge")
PILES = "ABCD"
START = ((6, 4, 2, 0), (2, 0, 6, 4))
EACH = 3
ROUNDS = 20
SPLIT = 3
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(20)
        self.observation_space = Box(low=0.0, high=50.0, shape=(21,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.piles = [list(START[0]), list(START[1])]
        self.hands = [[True] * 5, [True] * 5]
        self.round = 1
        self.pending = None
        self.history = []
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        values = list(self.piles[0]) + list(self.piles[1])
        for hand in self.hands:
            values += [1 if held else 0 for held in hand]
        values += [self.round, 0 if self.pending is None else 1, self.current_player]
        return np.array(values, dtype=np.float32)

    def _choices(self, player):
        return [card * 4 + pile for card in range(5) if self.hands[player][card] for pile in range(4)]

    def valid_moves(self):
        if self.done:
            return []
        return self._choices(self.current_player)

    def _carry_out(self, player, action):
        card, pile = divmod(action, 4)
        following = (pile + 1) % 4
        for owner in (0, 1):
            here = self.piles[owner][pile]
            if card < SPLIT:
                moved = min(card + 1, here) if owner == player else 0
            elif card == SPLIT:
                moved = here // 2
            else:
                moved = here
            self.piles[owner][pile] -= moved
            self.piles[owner][following] += moved
        self.hands[player][card] = False
        if not any(self.hands[player]):
            self.hands[player] = [True] * 5

    def _distance(self, player):
        return sum(abs(amount - EACH) for amount in self.piles[player])

    def _finish_round(self, last):
        level = [self._distance(player) == 0 for player in (0, 1)]
        if level[0] and level[1]:
            self.winner = last
        elif level[0]:
            self.winner = 0
        elif level[1]:
            self.winner = 1
        elif self.round == ROUNDS:
            ranks = [(self._distance(player), max(self.piles[player])) for player in (0, 1)]
            self.winner = 0 if ranks[0] < ranks[1] else 1
        else:
            self.round += 1
            return
        self.done = True

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": 1 - me}
        if me == 0:
            self.pending = action
            self.current_player = 1
            return self._obs(), 0.0, False, False, {}
        chosen = (self.pending, action)
        self.pending = None
        order = (0, 1) if self.round % 2 == 1 else (1, 0)
        for player in order:
            self._carry_out(player, chosen[player])
        self.history.append("round %d: first %s, second %s" % (
            self.round, self.move_name(chosen[0]), self.move_name(chosen[1])))
        self.current_player = 0
        self._finish_round(order[1])
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for pile in range(4):
            lines.append("pile %s: first %d, second %d" % (PILES[pile], self.piles[0][pile], self.piles[1][pile]))
        for player in (0, 1):
            held = [CARDS[card] for card in range(5) if self.hands[player][card]]
            lines.append("hand of %s: %s" % (NAMES[player], " ".join(held)))
        lines.append("round: %d of %d" % (self.round, ROUNDS))
        lines.append("carried out first: " + ("first" if self.round % 2 == 1 else "second"))
        lines.append("chosen this round: " + ("nobody" if self.pending is None else "first"))
        lines.append("last round: " + (self.history[-1] if self.history else "none"))
        lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        card, pile = divmod(int(action), 4)
        return "%s %s" % (CARDS[card], PILES[pile])

    def clone(self):
        other = copy.copy(self)
        other.piles = [list(self.piles[0]), list(self.piles[1])]
        other.hands = [list(self.hands[0]), list(self.hands[1])]
        other.history = list(self.history)
        return other

    def key(self):
        return (tuple(self.piles[0]), tuple(self.piles[1]), tuple(self.hands[0]), tuple(self.hands[1]),
                self.round, self.pending, self.current_player, self.done, self.winner)

    def view(self, player):
        player = int(player)
        log = list(self.history)
        known = None
        if player == 0 and self.pending is not None:
            known = int(self.pending)
            log.append("round %d: you have chosen %s" % (self.round, self.move_name(known)))
        return {
            "player": player,
            "board": self.render(),
            "observation": [float(value) for value in self._obs()],
            "log": log,
            "piles": [[int(value) for value in row] for row in self.piles],
            "hands": [[bool(value) for value in hand] for hand in self.hands],
            "round": int(self.round),
            "chosen": self.pending is not None,
            "pending": known,
            "history": list(self.history),
            "current_player": int(self.current_player),
            "done": bool(self.done),
            "winner": None if self.winner is None else int(self.winner),
        }

    def resample(self, view, rng):
        self.piles = [list(row) for row in view["piles"]]
        self.hands = [list(hand) for hand in view["hands"]]
        self.round = view["round"]
        self.history = list(view["history"])
        self.current_player = view["current_player"]
        self.done = view["done"]
        self.winner = view["winner"]
        self.pending = None
        if view["chosen"]:
            if view["pending"] is not None:
                self.pending = view["pending"]
            else:
                choices = self._choices(0)
                self.pending = choices[int(rng.integers(len(choices)))]
        self.np_random = rng
