import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

GREY = 2
START = (2, 3, 1, 2, 3, 1)
WARY = 14
LAST_ROUND = 16
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(48)
        self.observation_space = Box(low=-1.0, high=200.0, shape=(40,), dtype=np.float32)
        self._start()

    def _start(self):
        self.stacks = [[(GREY, v)] for v in START]
        self.hands = [[1] * 5, [1] * 5]
        self.copies = [2, 2]
        self.fox = 0
        self.round = 1
        self.half = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def _run(self, s):
        """Owner and sum of the unbroken run of one owner at the top of stack s."""
        stack = self.stacks[s]
        if not stack:
            return GREY, 0
        owner = stack[-1][0]
        total = 0
        for o, v in reversed(stack):
            if o != owner:
                break
            total += v
        return owner, total

    def _obs(self):
        data = []
        for s in range(6):
            owner, total = self._run(s)
            stack = self.stacks[s]
            data += [owner if stack else -1, stack[-1][1] if stack else 0, total, len(stack)]
        data += self.hands[0] + self.hands[1] + self.copies
        data += [self.fox, self.round, self.half, self.current_player]
        return np.array(data, dtype=np.float32)

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def valid_moves(self):
        if self.done:
            return []
        p = self.current_player
        out = []
        for v in range(1, 6):
            if self.hands[p][v - 1]:
                out += [(v - 1) * 6 + s for s in range(6)]
        full = [s for s in range(6) if self.stacks[s]]
        if self.copies[p] > 0:
            out += [30 + s for s in full]
        out += [36 + s for s in full]
        out += [42 + s for s in full]
        return out

    def step(self, action):
        action = int(action)
        p = self.current_player
        if self.done or action not in self.valid_moves():
            self.done = True
            self.winner = 1 - p
            return self._obs(), -10.0, True, False, {"winner": 1 - p}
        if action < 30:
            v = action // 6 + 1
            self.hands[p][v - 1] = 0
            self.stacks[action % 6].append((p, v))
        elif action < 36:
            s = action - 30
            self.copies[p] -= 1
            self.stacks[s].append((p, self.stacks[s][-1][1]))
        else:
            s = (action - 36) % 6
            d = -1 if action < 42 else 1
            card = self.stacks[s].pop()
            self.stacks[(s + d) % 6].append(card)
        if self.half == 0:
            self.half = 1
            self.current_player = 1 - p
        else:
            self._end_round()
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def _end_round(self):
        stack = self.stacks[self.fox]
        walk = stack[-1][1] if stack else 1
        self.fox = (self.fox + walk) % 6
        owner, total = self._run(self.fox)
        if owner != GREY and total >= max(1, WARY - self.round):
            self.done = True
            self.winner = owner
            return
        if self.round >= LAST_ROUND:
            tops = [0, 0]
            for s in self.stacks:
                if s and s[-1][0] != GREY:
                    tops[s[-1][0]] += s[-1][1]
            self.done = True
            self.winner = 0 if tops[0] > tops[1] else 1
            return
        self.round += 1
        self.half = 0
        self.current_player = 0 if self.round % 2 == 1 else 1

    def render(self):
        lines = []
        for s in range(6):
            cards = ["fsg"[o] + str(v) for o, v in self.stacks[s]]
            lines.append("stack %d: %s" % (s + 1, " ".join(cards) if cards else "empty"))
        lines.append("fox: on stack %d" % (self.fox + 1))
        lines.append("round: %d wary %d" % (self.round, max(1, WARY - self.round)))
        for p in (0, 1):
            cards = [str(v) for v in range(1, 6) if self.hands[p][v - 1]]
            lines.append("%s hand: %s copies %d"
                         % (NAMES[p], " ".join(cards) if cards else "empty", self.copies[p]))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action < 30:
            return "play %d on %d" % (action // 6 + 1, action % 6 + 1)
        if action < 36:
            return "copy %d" % (action - 29)
        if action < 42:
            return "fold %d left" % (action - 35)
        return "fold %d right" % (action - 41)

    def clone(self):
        e = CustomEnv.__new__(CustomEnv)
        e.__dict__.update(self.__dict__)
        e.stacks = [list(s) for s in self.stacks]
        e.hands = [list(h) for h in self.hands]
        e.copies = list(self.copies)
        return e

    def key(self):
        return (tuple(tuple(s) for s in self.stacks), tuple(self.hands[0]), tuple(self.hands[1]),
                tuple(self.copies), self.fox, self.round, self.half, self.current_player,
                self.done, self.winner)
