import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

N = 8
CELLS = N * N
COLS = "abcdefgh"
NAMES = ("first", "second")
DIRS = ((-1, 0), (0, 1), (1, 0), (0, -1))
DIR_NAMES = ("up", "right", "down", "left")
STEP_NAMES = ("stay", "up", "right", "down", "left")
OFFER = 20
START = 29
WAIT = 30
LIMIT = 96
WORTH = 2


def ring(cell):
    r, c = divmod(cell, N)
    return min(r, c, N - 1 - r, N - 1 - c) + 1


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": ["ansi"]}

    def __init__(self):
        self.action_space = Discrete(31)
        self.observation_space = Box(-1.0, 1000.0, shape=(2 * CELLS + 8,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.east = [False] * CELLS
        self.south = [False] * CELLS
        self.pos = [3 * N + 2, 4 * N + 5]
        self.bills = [0, 0]
        self.phase = 0
        self.offer = 0
        self.count = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        data = [1.0 if x else 0.0 for x in self.east]
        data += [1.0 if x else 0.0 for x in self.south]
        data += [float(self.pos[0]), float(self.pos[1]), float(self.bills[0]), float(self.bills[1]),
                 float(self.phase), float(self.offer), float(self.count), float(self.current_player)]
        return np.array(data, dtype=np.float32)

    def _near(self, cell, d):
        """The neighbour in direction d, or None if the rim or a fence is there."""
        r, c = divmod(cell, N)
        r1, c1 = r + DIRS[d][0], c + DIRS[d][1]
        if not (0 <= r1 < N and 0 <= c1 < N):
            return None
        other = r1 * N + c1
        if d == 0 and self.south[other]:
            return None
        if d == 1 and self.east[cell]:
            return None
        if d == 2 and self.south[cell]:
            return None
        if d == 3 and self.east[other]:
            return None
        return other

    def _room(self, cell):
        seen = {cell}
        stack = [cell]
        while stack:
            here = stack.pop()
            for d in range(4):
                other = self._near(here, d)
                if other is not None and other not in seen:
                    seen.add(other)
                    stack.append(other)
        return seen

    def valid_moves(self):
        if self.done:
            return []
        if self.phase == 0:
            return [OFFER + k for k in range(9)]
        if self.phase == 1:
            return [START, WAIT]
        player = self.current_player
        moves = []
        for s in range(5):
            if s == 0:
                dest = self.pos[player]
            else:
                dest = self._near(self.pos[player], s - 1)
                if dest is None or dest == self.pos[1 - player]:
                    continue
            for d in range(4):
                if self._near(dest, d) is not None:
                    moves.append(s * 4 + d)
        return moves

    def _finish(self, player, room0, room1):
        scores = [WORTH * room0 - self.bills[0], WORTH * room1 - self.bills[1]]
        self.done = True
        if scores[0] != scores[1]:
            self.winner = 0 if scores[0] > scores[1] else 1
        elif room0 != room1:
            self.winner = 0 if room0 > room1 else 1
        else:
            self.winner = 1 - player

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.done:
            return self._obs(), 0.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        self.count += 1
        if self.phase == 0:
            self.offer = action - OFFER
            self.phase = 1
            self.current_player = 1
        elif self.phase == 1:
            starter = 1 if action == START else 0
            self.bills[starter] += self.offer
            self.phase = 2
            self.current_player = starter
        else:
            s, d = divmod(action, 4)
            if s > 0:
                self.pos[player] = self._near(self.pos[player], s - 1)
            here = self.pos[player]
            other = self._near(here, d)
            self.bills[player] += max(ring(here), ring(other))
            if d == 0:
                self.south[other] = True
            elif d == 1:
                self.east[here] = True
            elif d == 2:
                self.south[here] = True
            else:
                self.east[other] = True
            self.current_player = 1 - player
            room = self._room(self.pos[0])
            if self.pos[1] not in room:
                self._finish(player, len(room), len(self._room(self.pos[1])))
            elif self.count >= LIMIT:
                self._finish(player, len(room), len(room))
        if self.done:
            reward = 1.0 if self.winner == player else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = ["columns: " + " ".join(COLS)]
        for r in range(N):
            text = ""
            for c in range(N):
                cell = r * N + c
                if cell == self.pos[0]:
                    text += "F"
                elif cell == self.pos[1]:
                    text += "S"
                else:
                    text += "."
                if c < N - 1:
                    text += "|" if self.east[cell] else " "
            lines.append("row %d: %s" % (r + 1, text))
            if r < N - 1:
                bars = " ".join("=" if self.south[r * N + c] else "." for c in range(N))
                lines.append("bar %d: %s" % (r + 1, bars))
        lines.append("bills: first %d, second %d" % (self.bills[0], self.bills[1]))
        lines.append("rooms: first %d, second %d" % (len(self._room(self.pos[0])), len(self._room(self.pos[1]))))
        lines.append("offer: " + ("none" if self.phase == 0 else str(self.offer)))
        lines.append("moves made: %d" % self.count)
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == START:
            return "start"
        if action == WAIT:
            return "wait"
        if action >= OFFER:
            return "offer %d" % (action - OFFER)
        s, d = divmod(action, 4)
        return "%s fence %s" % (STEP_NAMES[s], DIR_NAMES[d])

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.east = list(self.east)
        other.south = list(self.south)
        other.pos = list(self.pos)
        other.bills = list(self.bills)
        return other

    def key(self):
        return (tuple(self.east), tuple(self.south), tuple(self.pos), tuple(self.bills), self.phase,
                self.offer, self.count, self.current_player, self.done, self.winner)
