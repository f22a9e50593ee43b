import gymnasium
import numpy as np
from gymnasium import spaces

NAMES = ("first", "second")
STACKS = 6
DEPTH = 10
LIMIT = 40
HEIR = 0
START = (
    ((0, 0), (0, 3)),
    ((0, 4), (0, 1)),
    ((0, 2),),
    ((1, 2),),
    ((1, 4), (1, 1)),
    ((1, 0), (1, 3)),
)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(STACKS * 3)
        self.observation_space = spaces.Box(low=-10.0, high=100.0, shape=(STACKS * DEPTH + 2,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.stacks = [list(s) for s in START]
        self.moves = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(), {}

    def _observe(self):
        numbers = []
        for stack in self.stacks:
            codes = [(rank + 1) if owner == 0 else -(rank + 1) for owner, rank in stack]
            numbers.extend(codes + [0] * (DEPTH - len(codes)))
        numbers.extend([self.moves, self.current_player])
        return np.array(numbers, dtype=np.float32)

    def _has_top(self, player):
        return any(stack and stack[-1][0] == player for stack in self.stacks)

    def valid_moves(self):
        if self.done:
            return []
        me = self.current_player
        moves = []
        for i in range(STACKS):
            stack = self.stacks[i]
            if not stack or stack[-1][0] != me:
                continue
            if i > 0:
                moves.append(i * 3)
            if i < STACKS - 1:
                moves.append(i * 3 + 1)
            if len(stack) >= 2 and stack[-1][1] != HEIR:
                below = stack[-2]
                if below[0] != me and below[1] <= stack[-1][1]:
                    moves.append(i * 3 + 2)
        return moves

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - me
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        i, kind = divmod(action, 3)
        stack = self.stacks[i]
        if kind < 2:
            card = stack.pop()
            self.stacks[i - 1 if kind == 0 else i + 1].append(card)
        else:
            card = stack.pop()
            prey = stack.pop()
            if card[1] > 1:
                stack.append((me, card[1] - 1))
            if prey[1] == HEIR:
                self.done = True
                self.winner = me
        self.moves += 1
        if not self.done and not self._has_top(1 - me):
            self.done = True
            self.winner = me
        if not self.done and self.moves == LIMIT:
            self.done = True
            ranks = self._ranks()
            self.winner = 0 if ranks[0] > ranks[1] else 1
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - me
        return self._observe(), 0.0, False, False, {}

    def _ranks(self):
        total = [0, 0]
        for stack in self.stacks:
            for owner, rank in stack:
                total[owner] += rank
        return total

    def render(self):
        lines = ["stacks from bottom to top"]
        for i in range(STACKS):
            words = ["FS"[owner] + ("H" if rank == HEIR else str(rank)) for owner, rank in self.stacks[i]]
            lines.append("%d: %s" % (i + 1, " ".join(words) or "empty"))
        ranks = self._ranks()
        lines.append("ranks: first %d, second %d" % (ranks[0], ranks[1]))
        lines.append("moves left: %d" % (LIMIT - self.moves))
        lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        i, kind = divmod(int(action), 3)
        if kind == 2:
            return "strike at %d" % (i + 1)
        return "move %d %s" % (i + 1, "left" if kind == 0 else "right")

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.stacks = [list(s) for s in self.stacks]
        return other

    def key(self):
        return (
            self.current_player,
            tuple(tuple(s) for s in self.stacks),
            self.moves,
            self.done,
            self.winner,
        )
