import copy

import gymnasium
import numpy as np
from gymnasium import spaces

PLAYERS = ("first", "second")
BOARDS = ("sun", "moon")
WAYS = (
    ("north", 0, 1),
    ("northeast", 1, 1),
    ("east", 1, 0),
    ("southeast", 1, -1),
    ("south", 0, -1),
    ("southwest", -1, -1),
    ("west", -1, 0),
    ("northwest", -1, 1),
)
SIZE = 4
UNDO = 16
OPEN, BUOY, SUNK = 0, 3, 4
SIGNS = ".xoB~"


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(17)
        self.observation_space = spaces.Box(low=0.0, high=17.0, shape=(37,), dtype=np.float32)
        self._begin()

    def _begin(self):
        sun = [OPEN] * 16
        moon = [OPEN] * 16
        # index = (rank - 1) * 4 + column
        sun[0] = 1    # a1
        sun[15] = 2   # d4
        sun[9] = BUOY   # b3
        sun[6] = BUOY   # c2
        moon[12] = 1  # a4
        moon[3] = 2   # d1
        moon[5] = BUOY  # b2
        moon[10] = BUOY  # c3
        self.boards = [sun, moon]
        self.before = None
        self.used = [False, False]
        self.last = -1
        self.ban = -1
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None
        self.log = []

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._observe(), {}

    def _observe(self):
        values = list(self.boards[0]) + list(self.boards[1])
        values.append(self.current_player)
        values.append(1 if self.used[0] else 0)
        values.append(1 if self.used[1] else 0)
        values.append(self.ban + 1)
        values.append(self.last + 1)
        return np.array(values, dtype=np.float32)

    def _way(self, action):
        """The move as (board, start, goal, is it a jump), or None where it is not possible."""
        b, d = divmod(action, 8)
        board = self.boards[b]
        start = board.index(self.current_player + 1)
        x, y = start % SIZE, start // SIZE
        dx, dy = WAYS[d][1], WAYS[d][2]
        for far in (1, 2):
            nx, ny = x + far * dx, y + far * dy
            if not (0 <= nx < SIZE and 0 <= ny < SIZE):
                return None
            cell = ny * SIZE + nx
            if board[cell] == OPEN:
                return b, start, cell, far == 2
            if board[cell] == SUNK:
                return None
        return None

    def valid_moves(self):
        if self.done:
            return []
        moves = [a for a in range(16) if a != self.ban and self._way(a) is not None]
        if self.last >= 0 and not self.used[self.current_player]:
            moves.append(UNDO)
        return moves

    def _is_jump(self, action):
        return action != UNDO and self._way(action)[3]

    def _play(self, action, die):
        player = self.current_player
        line = PLAYERS[player] + ": " + self.move_name(action)
        if action == UNDO:
            self.boards = [list(b) for b in self.before]
            self.used[player] = True
            self.ban = self.last
            self.last = -1
            self.before = None
        else:
            b, start, goal, jump = self._way(action)
            self.before = [list(x) for x in self.boards]
            own, twin = self.boards[b], self.boards[1 - b]
            own[start] = OPEN
            own[goal] = player + 1
            if twin[start] == OPEN:
                twin[start] = SUNK
            else:
                own[start] = SUNK
            if jump:
                line += ", storm at rank " + str(die)
                for cell in range(SIZE * (die - 1), SIZE * die):
                    if twin[cell] == OPEN:
                        twin[cell] = SUNK
                        break
            self.last = action
            self.ban = -1
        self.log.append(line)
        self.moves += 1
        self.current_player = 1 - player
        if not self.valid_moves():
            self.done = True
            self.winner = player

    def step(self, action):
        action = int(action)
        player = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - player
            return self._observe(), -10.0, True, False, {"winner": self.winner}
        die = 0
        if self._is_jump(action):
            die = int(self.np_random.integers(1, 5))
        self._play(action, die)
        if self.done:
            reward = 1.0 if self.winner == player else 0.0
            return self._observe(), reward, True, False, {"winner": self.winner}
        return self._observe(), 0.0, False, False, {}

    def chance(self, action):
        action = int(action)
        if action not in self.valid_moves():
            env = self.clone()
            env.step(action)
            return [(1.0, env)]
        dice = [1, 2, 3, 4] if self._is_jump(action) else [0]
        result = []
        for die in dice:
            env = self.clone()
            env._play(action, die)
            result.append((1.0 / len(dice), env))
        return result

    def render(self):
        lines = ["rank | sun a b c d | moon a b c d"]
        for y in range(SIZE - 1, -1, -1):
            parts = []
            for board in self.boards:
                parts.append(" ".join(SIGNS[board[y * SIZE + x]] for x in range(SIZE)))
            lines.append(str(y + 1) + " | " + parts[0] + " | " + parts[1])
        left = [0 if u else 1 for u in self.used]
        lines.append("undo left: first %d, second %d" % (left[0], left[1]))
        lines.append("banned move: " + ("none" if self.ban < 0 else self.move_name(self.ban)))
        if self.done:
            lines.append("winner: " + PLAYERS[self.winner])
        else:
            lines.append("to move: " + PLAYERS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == UNDO:
            return "undo"
        b, d = divmod(action, 8)
        return BOARDS[b] + " " + WAYS[d][0]

    def _state(self):
        return {
            "boards": [list(b) for b in self.boards],
            "before": None if self.before is None else [list(b) for b in self.before],
            "used": list(self.used),
            "last": self.last,
            "ban": self.ban,
            "moves": self.moves,
            "turn": self.current_player,
            "done": self.done,
            "winner": self.winner,
            "log": list(self.log),
        }

    def _load(self, state):
        self.boards = [list(b) for b in state["boards"]]
        before = state["before"]
        self.before = None if before is None else [list(b) for b in before]
        self.used = list(state["used"])
        self.last = state["last"]
        self.ban = state["ban"]
        self.moves = state["moves"]
        self.current_player = state["turn"]
        self.done = state["done"]
        self.winner = state["winner"]
        self.log = list(state["log"])

    def clone(self):
        env = CustomEnv()
        env._load(self._state())
        env.np_random = copy.deepcopy(self.np_random)
        return env

    def key(self):
        can = self.last >= 0 and not self.used[self.current_player]
        return (
            tuple(self.boards[0]),
            tuple(self.boards[1]),
            self.current_player,
            tuple(self.used),
            self.ban,
            self.last if can else -1,
            tuple(tuple(b) for b in self.before) if can else None,
            self.done,
            self.winner,
        )

    def view(self, player):
        return {
            "player": int(player),
            "board": self.render(),
            "observation": [float(v) for v in self._observe()],
            "log": list(self.log),
            "state": self._state(),
        }

    def resample(self, view, rng):
        self._load(view["state"])
        self.np_random = rng
