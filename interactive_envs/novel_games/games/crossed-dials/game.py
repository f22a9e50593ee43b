"""Crossed Dials: two shared dials only rise, and a dial that stops on a mark pays the owner of the mark."""

import gymnasium
import numpy as np

TOP = 40
GOAL = 4
START = (2, 0)
NAMES = ("a up 1", "b up 2", "a up 4", "b up 5", "a takes b", "b takes a")
MARKS = ((5, 11, 16, 21, 28, 33, 39), (6, 10, 17, 22, 27, 34, 38))
OWNER = [0 if n in MARKS[0] else 1 if n in MARKS[1] else -1 for n in range(TOP + 1)]
NONE = len(NAMES)


def _after(action, a, b):
    """Return both dials after an operation, or None when it changes nothing or turns a dial too far."""
    if action == 0:
        na, nb = a + 1, b
    elif action == 1:
        na, nb = a, b + 2
    elif action == 2:
        na, nb = a + 4, b
    elif action == 3:
        na, nb = a, b + 5
    elif action == 4:
        na, nb = a + b % 10, b
    else:
        na, nb = a, b + a % 10
    if (na, nb) == (a, b) or na > TOP or nb > TOP:
        return None
    return na, nb


NEXT = [[[_after(k, a, b) for k in range(NONE)] for b in range(TOP + 1)] for a in range(TOP + 1)]
LEGAL = [
    [[[k for k in range(NONE) if k != last and NEXT[a][b][k]] for last in range(NONE + 1)] for b in range(TOP + 1)]
    for a in range(TOP + 1)
]
WIDTH = 2 * (TOP + 1) + NONE + 1 + 2 * GOAL + 1


class CustomEnv(gymnasium.Env):
    """Two players turn the same two dials; four own marks win."""

    def __init__(self):
        self.action_space = gymnasium.spaces.Discrete(NONE)
        self.observation_space = gymnasium.spaces.Box(0, 1, (WIDTH,), np.float32)
        self._begin()

    def _begin(self):
        self.a, self.b = START
        self.last = NONE
        self.score = (0, 0)
        self.current_player = 0
        self.over = False

    def reset(self, seed=None, options=None):
        """Start a new game."""
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _obs(self):
        me = self.current_player
        row = bytearray(WIDTH)
        row[self.a] = 1
        row[TOP + 1 + self.b] = 1
        row[2 * TOP + 2 + self.last] = 1
        at = 2 * TOP + 2 + NONE + 1
        row[at + min(self.score[me], GOAL - 1)] = 1
        row[at + GOAL + min(self.score[1 - me], GOAL - 1)] = 1
        row[WIDTH - 1] = me
        return np.frombuffer(row, np.uint8).astype(np.float32)

    def valid_moves(self):
        """List the operations that are free now."""
        return [] if self.over else LEGAL[self.a][self.b][self.last][:]

    def step(self, action):
        """Turn a dial."""
        if self.over or action not in LEGAL[self.a][self.b][self.last]:
            return self._obs(), -10, True, False, {"illegal": True}
        me = self.current_player
        before = self.a
        self.a, self.b = NEXT[self.a][self.b][action]
        self.last = int(action)
        owner = OWNER[self.a if self.a != before else self.b]
        if owner == 0:
            self.score = (self.score[0] + 1, self.score[1])
        elif owner == 1:
            self.score = (self.score[0], self.score[1] + 1)
        self.current_player = 1 - me
        first, second = self.score
        if first == GOAL or second == GOAL:
            winner = 0 if first == GOAL else 1
        elif LEGAL[self.a][self.b][self.last]:
            return self._obs(), 0, False, False, {}
        else:
            winner = me if first == second else int(second > first)
        self.over = True
        return self._obs(), 1 if winner == me else -1, True, False, {"winner": winner}

    def render(self):
        """Draw both dials, the marks and the score."""
        if self.over:
            turn = f"over: {GOAL} hits" if GOAL in self.score else "over: no operation is free"
        else:
            turn = ("first", "second")[self.current_player] + " to move"
        return "\n".join(
            (
                f"dial a: {self.a}   dial b: {self.b}   (top {TOP})",
                f"last operation: {NAMES[self.last] if self.last < NONE else 'none'}",
                f"marks of first:  {' '.join(map(str, MARKS[0]))}   hits {self.score[0]} of {GOAL}",
                f"marks of second: {' '.join(map(str, MARKS[1]))}   hits {self.score[1]} of {GOAL}",
                turn,
            )
        )

    def move_name(self, action):
        """Name an operation."""
        return NAMES[action]

    def clone(self):
        """Copy the game."""
        twin = CustomEnv.__new__(CustomEnv)
        twin.action_space, twin.observation_space = self.action_space, self.observation_space
        twin.a, twin.b, twin.last, twin.score = self.a, self.b, self.last, self.score
        twin.current_player, twin.over = self.current_player, self.over
        return twin

    def key(self):
        """Return the whole state."""
        return (self.a, self.b, self.last, self.score, self.current_player)
