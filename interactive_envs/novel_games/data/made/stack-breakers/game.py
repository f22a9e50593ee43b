import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SEATS = ("first", "second")
LETTERS = ("F", "S")
LANES = "abc"
ROWS = 6
CELLS = 3 * ROWS
KINDS = ("none", "straight", "slant", "leap", "turn")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(5 * CELLS)
        self.observation_space = Box(-1.0, 10000.0, shape=(2 * CELLS + 4,), dtype=np.float32)
        self._set_up()

    def _set_up(self):
        self.stacks = [[] for _ in range(CELLS)]
        for lane in range(3):
            self.stacks[lane * ROWS] = [0, 0]
            self.stacks[lane * ROWS + ROWS - 1] = [1, 1]
        self.kin = 0
        self.steps = [0, 0]
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._set_up()
        return self._observe(), {}

    def _observe(self):
        values = [len(stack) for stack in self.stacks]
        for stack in self.stacks:
            code = 0
            for owner in reversed(stack):
                code = code * 2 + owner
            values.append(min(code, 9999))
        values += [self.kin] + self.steps + [self.current_player]
        return np.array(values, dtype=np.float32)

    def _target(self, player, action):
        form, cell = divmod(action, CELLS)
        lane, row = divmod(cell, ROWS)
        ahead = 1 if player == 0 else -1
        if form == 0:
            row += ahead
        elif form == 1:
            lane -= 1
            row += ahead
        elif form == 2:
            lane += 1
            row += ahead
        else:
            row += 2 * ahead
        if 0 <= lane < 3 and 0 <= row < ROWS:
            return lane * ROWS + row
        return None

    def _moves(self, player):
        foe = 1 - player
        moves = []
        for cell, stack in enumerate(self.stacks):
            if not stack:
                continue
            height = len(stack)
            if stack[-1] == player:
                for form, kind in ((0, 1), (1, 2), (2, 2), (3, 3)):
                    if kind == self.kin:
                        continue
                    if form == 3 and height < 2:
                        continue
                    action = form * CELLS + cell
                    target = self._target(player, action)
                    if target is not None and len(self.stacks[target]) <= height:
                        moves.append(action)
            elif (height >= 2 and stack[-2] == player and self.kin != 4
                    and self.steps[player] < self.steps[foe]):
                moves.append(4 * CELLS + cell)
        return moves

    def valid_moves(self):
        if self.done:
            return []
        return self._moves(self.current_player)

    def step(self, action):
        action = int(action)
        player = self.current_player
        foe = 1 - player
        if self.done or action not in self._moves(player):
            self.done = True
            self.winner = foe
            return self._observe(), -10, True, False, {"winner": self.winner}
        form, cell = divmod(action, CELLS)
        across = False
        if form == 4:
            stack = self.stacks[cell]
            stack[-1], stack[-2] = stack[-2], stack[-1]
            self.kin = 4
        else:
            target = self._target(player, action)
            self.stacks[target].append(self.stacks[cell].pop())
            self.steps[player] += 2 if form == 3 else 1
            self.kin = (1, 2, 2, 3)[form]
            across = target % ROWS == (ROWS - 1 if player == 0 else 0)
        if across or not self._moves(foe):
            self.done = True
            self.winner = player
            return self._observe(), 1, True, False, {"winner": player}
        self.current_player = foe
        return self._observe(), 0, False, False, {}

    def render(self):
        lines = []
        for lane in range(3):
            cells = []
            for row in range(ROWS):
                stack = self.stacks[lane * ROWS + row]
                cells.append("".join(LETTERS[owner] for owner in stack) or ".")
            lines.append("lane %s: %s" % (LANES[lane], " ".join(cells)))
        lines.append("forbidden kind: %s" % KINDS[self.kin])
        lines.append("steps: first %d, second %d" % tuple(self.steps))
        if self.done:
            lines.append("game over: %s has won" % SEATS[self.winner])
        else:
            lines.append("to move: %s" % SEATS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        form, cell = divmod(int(action), CELLS)
        lane, row = divmod(cell, ROWS)
        place = "%s%d" % (LANES[lane], row + 1)
        if form == 0:
            return "straight %s" % place
        if form == 1:
            return "slant %s left" % place
        if form == 2:
            return "slant %s right" % place
        if form == 3:
            return "leap %s" % place
        return "turn %s" % place

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.stacks = [list(stack) for stack in self.stacks]
        other.steps = list(self.steps)
        return other

    def key(self):
        return (tuple(tuple(stack) for stack in self.stacks), self.kin,
                tuple(self.steps), self.current_player, self.done, self.winner)
