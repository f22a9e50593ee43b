import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SLOTS = 6
DEEP = 6
# Each stack is written from the top to the bottom.
LAYOUT = (
    (4, 9, 3, 8, 1, 5),
    (6, 2, 7, 5, 9, 3),
    (7, 1, 8, 2, 6, 4),
)
OWN = ((0, 1, 2), (3, 4, 5))
REACH = (4, 1)
STAY, UP, DOWN = 0, 1, 2
TURNS = ("", " up", " down")
NEED = 9
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(SLOTS * 3)
        self.observation_space = Box(low=0.0, high=50.0, shape=(SLOTS * DEEP + 5,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.stacks = [list(LAYOUT[slot % 3][::-1]) for slot in range(SLOTS)]
        self.survived = [0, 0]
        self.led = 0
        self.leader = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        values = []
        for stack in self.stacks:
            values += stack[::-1] + [0] * (DEEP - len(stack))
        values += list(self.survived) + [self.led, self.leader, self.current_player]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        moves = set()
        for slot in OWN[me]:
            if self.stacks[slot]:
                for turn in (STAY, UP, DOWN):
                    moves.add(slot * 3 + turn)
        if not moves:
            for slot in range(SLOTS):
                if self.stacks[slot]:
                    moves.add(slot * 3 + STAY)
        if self.survived[me] < self.survived[1 - me] and self.stacks[REACH[me]]:
            moves.add(REACH[me] * 3 + STAY)
        return sorted(moves)

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": 1 - me}
        slot, turn = divmod(action, 3)
        card = self.stacks[slot].pop()
        if turn == UP:
            self.stacks = [self.stacks[-1]] + self.stacks[:-1]
        elif turn == DOWN:
            self.stacks = self.stacks[1:] + [self.stacks[0]]
        if self.led == 0:
            self.led = card
            self.leader = me
            self.current_player = 1 - me
            return self._obs(), 0.0, False, False, {}
        survivor = me if card > self.led else self.leader
        self.survived[survivor] += 1
        self.led = 0
        self.leader = survivor
        self.current_player = survivor
        if self.survived[survivor] == NEED:
            self.done = True
            self.winner = survivor
            reward = 1.0 if survivor == me else 0.0
            return self._obs(), reward, True, False, {"winner": survivor}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for slot in range(SLOTS):
            stack = self.stacks[slot]
            text = " ".join(str(card) for card in stack[::-1]) if stack else "empty"
            lines.append("slot %d: %s" % (slot + 1, text))
        lines.append("sides: slots 1 2 3 are of first, slots 4 5 6 are of second")
        lines.append("rounds survived: first %d, second %d" % self._score())
        lines.append("card led: " + (str(self.led) if self.led else "none"))
        lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def _score(self):
        return (self.survived[0], self.survived[1])

    def move_name(self, action):
        slot, turn = divmod(int(action), 3)
        return "take %d%s" % (slot + 1, TURNS[turn])

    def clone(self):
        other = copy.copy(self)
        other.stacks = [list(stack) for stack in self.stacks]
        other.survived = list(self.survived)
        return other

    def key(self):
        return (tuple(tuple(stack) for stack in self.stacks), tuple(self.survived), self.led,
                self.leader, self.current_player, self.done, self.winner)
