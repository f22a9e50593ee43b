"""Breath and Blade: a duel on a narrow pier in which both fencers choose in secret, then move together."""

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

PIER = 9
PLACES = (3, 7)
BREATH = 6
START_BREATH = 4
TOUCHES = 3
ROUNDS = 20
SEATS = ("first", "second")
NAMES = ("rest", "advance", "retreat", "parry", "thrust", "lunge", "leap")
ADVANCE, RETREAT, PARRY, THRUST = 1, 2, 3, 4
COST = (-2, 0, 0, 1, 1, 2, 4)
REACH = (0, 0, 0, 0, 1, 2, 3)
DRAIN = 2
LEGAL = [[a for a in range(7) if COST[a] <= breath] for breath in range(BREATH + 1)]
WIDTH = 8 + 2 + 2 * (BREATH + 1) + 2 * TOUCHES + 9


class CustomEnv(gymnasium.Env):
    """The first player's choice waits, unseen, until the second player has chosen."""

    def __init__(self):
        self.action_space = Discrete(len(NAMES))
        self.observation_space = Box(low=0, high=1, shape=(WIDTH,), dtype=np.float32)
        self._start()

    def _start(self):
        self.places = list(PLACES)
        self.breath = [START_BREATH, START_BREATH]
        self.touches = [0, 0]
        self.round = 0
        self.chosen = None
        self.log = ()
        self.current_player = 0
        self.over = False

    def reset(self, seed=None, options=None):
        """Starts a new game."""
        super().reset(seed=seed)
        self._start()
        return self._observe(0), {}

    def step(self, action):
        """Takes the choice of the player whose turn it is; the second one's choice ends the round."""
        action = int(action)
        player = self.current_player
        if self.over or action not in LEGAL[self.breath[player]]:
            return self._observe(player), -10, True, False, {"illegal": True}
        if player == 0:
            self.chosen = action
            self.current_player = 1
            return self._observe(1), 0, False, False, {}
        self._resolve(self.chosen, action)
        self.chosen = None
        self.current_player = 0
        if max(self.touches) < TOUCHES and self.round < ROUNDS:
            return self._observe(0), 0, False, False, {}
        self.over = True
        mine, other = (self.touches[1], self.breath[1]), (self.touches[0], self.breath[0])
        winner = None if mine == other else int(mine > other)
        return self._observe(0), 0 if winner is None else 2 * winner - 1, True, False, {"winner": winner}

    def _resolve(self, one, two):
        both = (one, two)
        places, breath = self.places, self.breath
        self.round += 1
        for p in (0, 1):
            breath[p] = min(BREATH, breath[p] - COST[both[p]])
        left = places[0] + (one == ADVANCE) - (one == RETREAT)
        right = places[1] - (two == ADVANCE) + (two == RETREAT)
        if left < right:
            places[0], places[1] = left, right
        fallen = [places[0] < 1, places[1] > PIER]
        gap = places[1] - places[0]
        lands = [both[p] >= THRUST and REACH[both[p]] >= gap for p in (0, 1)]
        for p in (0, 1):
            if lands[p] and both[1 - p] == PARRY:
                lands[p] = False
                breath[p] = max(0, breath[p] - DRAIN)
        if lands[0] and lands[1]:
            lands = [one < two, two < one]
        scored = [lands[0] or fallen[1], lands[1] or fallen[0]]
        for p in (0, 1):
            self.touches[p] += scored[p]
        text = f"round {self.round}: first {NAMES[one]}, second {NAMES[two]}"
        if scored[0] or scored[1]:
            places[:] = PLACES
            text += "; touch for " + " and ".join(SEATS[p] for p in (0, 1) if scored[p])
        self.log += (text,)

    def valid_moves(self):
        """The legal action indices, ascending."""
        return [] if self.over else LEGAL[self.breath[self.current_player]].copy()

    def move_name(self, action):
        """The move in words."""
        return NAMES[action]

    def render(self):
        """What the player to move may see."""
        return self._board(self.current_player)

    def _board(self, player):
        pier = ["."] * PIER
        for mark, place in zip("12", self.places, strict=True):
            pier[place - 1] = mark
        lines = ["pier " + " ".join(pier)]
        for p in (0, 1):
            lines.append(f"{SEATS[p]}: touches {self.touches[p]}, breath {self.breath[p]}")
        lines.append(f"gap {self.places[1] - self.places[0]}, rounds left {ROUNDS - self.round}")
        if player == 0 and self.chosen is not None:
            lines.append(f"you have chosen {NAMES[self.chosen]}")
        return "\n".join(lines)

    def _observe(self, me):
        other = 1 - me
        cells = [0.0] * WIDTH
        places = self.places
        cells[places[1] - places[0] - 1] = 1.0
        room = (places[0] - 1, PIER - places[1])
        cells[8] = room[me] / PIER
        cells[9] = room[other] / PIER
        cells[10 + self.breath[me]] = 1.0
        cells[11 + BREATH + self.breath[other]] = 1.0
        at = 12 + 2 * BREATH
        for i in range(self.touches[me]):
            cells[at + i] = 1.0
        for i in range(self.touches[other]):
            cells[at + TOUCHES + i] = 1.0
        at += 2 * TOUCHES
        cells[at] = self.round / ROUNDS
        cells[at + 1] = me
        if me == 0 and self.chosen is not None:
            cells[at + 2 + self.chosen] = 1.0
        return np.array(cells, dtype=np.float32)

    def clone(self):
        """An independent copy."""
        new = CustomEnv.__new__(CustomEnv)
        new.__dict__.update(self.__dict__)
        new.places = self.places.copy()
        new.breath = self.breath.copy()
        new.touches = self.touches.copy()
        return new

    def key(self):
        """The complete state."""
        return *self.places, *self.breath, *self.touches, self.round, self.chosen

    def view(self, player):
        """All that a player may know."""
        return {
            "player": player,
            "board": self._board(player),
            "observation": self._observe(player).tolist(),
            "places": self.places.copy(),
            "breath": self.breath.copy(),
            "touches": self.touches.copy(),
            "to_move": self.current_player,
            "over": self.over,
            "chosen": self.chosen if player == 0 else None,
            "log": list(self.log),
        }

    def resample(self, view, rng):
        """Draws the first player's waiting choice, if the view is the second player's, among the legal ones."""
        self.places = list(view["places"])
        self.breath = list(view["breath"])
        self.touches = list(view["touches"])
        self.current_player = view["to_move"]
        self.over = view["over"]
        self.log = tuple(view["log"])
        self.round = len(self.log)
        self.chosen = view["chosen"]
        if self.current_player == 1 and view["player"] == 1:
            legal = LEGAL[self.breath[0]]
            self.chosen = legal[int(rng.integers(len(legal)))]
