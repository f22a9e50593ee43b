"""Spillway: spend public dice into a stream that the other player gets if it spills."""

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

GOAL = 25
DICE = 3
FACES = 6
BANK = 0
TAPE = 120
SEATS = ("First", "Second")
STAIRS = [[float(step < count) for step in range(DICE)] for count in range(DICE + 1)]


class CustomEnv(gymnasium.Env):
    """A race to 25 with a shared pool of three dice."""

    def __init__(self):
        self.action_space = Discrete(FACES + 1)
        self.observation_space = Box(0, 1, (3 * FACES + 4,), np.float32)
        self._later = None
        self._start((1, 2, 3), b"")

    def _start(self, pool, tape):
        self.current_player = 0
        self.bowls = (0, 0)
        self.stream = 0
        self.pool = pool
        self.tape = tape
        self.legal = self._moves()

    def reset(self, seed=None, options=None):
        """Roll the pool and, unseen, every roll to come."""
        super().reset(seed=seed)
        if self._np_random is None and self._later is not None:
            self._np_random = np.random.Generator(np.random.PCG64(0))
            self._np_random.bit_generator.state = self._later
        rolls = self._roll(self.np_random)
        self._later = self.np_random.bit_generator.state
        self._start(tuple(sorted(rolls[:DICE])), rolls)
        return self._observe(self.current_player), {}

    @staticmethod
    def _roll(rng):
        return bytes(rng.integers(1, FACES + 1, TAPE).tolist())

    def step(self, action):
        """Spend a die or bank the stream."""
        action = int(action)
        if action not in self.legal:
            return self._observe(self.current_player), -10.0, True, False, {"illegal": True}
        me = self.current_player
        stream = self.stream
        if action == BANK:
            self._pour(me)
            news = f"{stream} into the bowl"
        else:
            roll = self.tape[DICE]
            spilt = self._spend(action, roll)
            self.tape = self.tape[1:]
            news = f"rolls {roll}" + (f": a spill, {stream + action} to {SEATS[1 - me]}" if spilt else "")
        winner = self._settle()
        if winner is None:
            return self._observe(self.current_player), 0.0, False, False, {"news": news}
        return self._observe(me), 1.0 if winner == me else -1.0, True, False, {"winner": winner, "news": news}

    def _spend(self, face, roll):
        rest = list(self.pool)
        rest.remove(face)
        self.stream += face
        spilt = roll in rest
        self.pool = tuple(sorted((*rest, roll)))
        me = self.current_player
        if spilt:
            self._pour(1 - me)
        elif self.bowls[me] + self.stream >= GOAL:
            self._pour(me)
        return spilt

    def _pour(self, owner):
        first, second = self.bowls
        self.bowls = (first, second + self.stream) if owner else (first + self.stream, second)
        self.stream = 0
        self.current_player = 1 - self.current_player

    def _settle(self):
        first, second = self.bowls
        if first >= GOAL or second >= GOAL:
            self.legal = []
            return 0 if first >= GOAL else 1
        self.legal = self._moves()
        return None

    def _moves(self):
        low, middle, high = self.pool
        moves = [BANK] if self.stream else []
        moves.append(low)
        if middle != low:
            moves.append(middle)
        if high != middle:
            moves.append(high)
        return moves

    def valid_moves(self):
        """List the actions that the rules allow now."""
        return self.legal[:]

    def move_name(self, action):
        """Name an action."""
        return "bank" if action == BANK else f"spend {action}"

    def render(self):
        """Draw the pool, the stream and the bowls."""
        return (
            f"pool: {' '.join(map(str, self.pool))}\nstream: {self.stream}\n"
            f"bowls: First {self.bowls[0]}, Second {self.bowls[1]} (goal {GOAL})"
        )

    def clone(self):
        """Copy the game."""
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other._np_random = None
        return other

    def key(self):
        """Identify the position."""
        return self.current_player, self.bowls, self.stream, self.pool

    @property
    def winner(self):
        """Tell who has won, once the game is over."""
        return 0 if self.bowls[0] >= GOAL else 1

    def chance(self, action):
        """List what can come of an action, with probabilities."""
        outcomes = []
        for roll in range(1, 2 if action == BANK else FACES + 1):
            other = self.clone()
            if action == BANK:
                other._pour(self.current_player)
            else:
                other._spend(action, roll)
            other._settle()
            outcomes.append((1.0 if action == BANK else 1 / FACES, other))
        return outcomes

    def view(self, player):
        """Tell what a player knows: everything but the rolls to come."""
        return {
            "player": player,
            "board": self.render(),
            "observation": self._observe(player).tolist(),
            "mover": self.current_player,
            "pool": list(self.pool),
            "stream": self.stream,
            "bowls": list(self.bowls),
        }

    def resample(self, view, rng):
        """Take over a view and roll the future anew."""
        self.current_player = view["mover"]
        self.pool = tuple(view["pool"])
        self.stream = view["stream"]
        self.bowls = tuple(view["bowls"])
        self.tape = self._roll(rng)
        self._settle()

    def _observe(self, me):
        pool = self.pool
        values = []
        for face in range(1, FACES + 1):
            values += STAIRS[pool.count(face)]
        values += (
            min(1.0, self.bowls[me] / GOAL),
            min(1.0, self.bowls[1 - me] / GOAL),
            min(1.0, self.stream / GOAL),
            float(me == self.current_player),
        )
        return np.array(values, np.float32)
