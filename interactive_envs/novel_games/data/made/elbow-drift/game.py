import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

SIDE = 7
CELLS = 49
UNDO = 8
ROUNDS = 30
NAMES = ("first", "second")
COLUMNS = "abcdefg"
DIRECTIONS = ("north", "east", "south", "west")
STEPS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def _action_name(action):
    if action == UNDO:
        return "undo"
    return DIRECTIONS[action // 2] + " " + str(action % 2 + 1)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(9)
        self.observation_space = Box(low=-1.0, high=100.0, shape=(56,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.grid = [-1] * CELLS
        self.piece = 24
        self.undo_left = [1, 1]
        self.round = 1
        self.pending = None
        self.log = []
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(self.current_player), {}

    def _obs(self, player):
        own = -1
        if player == 0 and self.pending is not None:
            own = self.pending
        values = list(self.grid) + [self.piece] + list(self.undo_left)
        values += [self.round, self.current_player, player, own]
        return np.array(values, dtype=np.float32)

    def _legal(self, player):
        moves = list(range(8))
        if self.undo_left[player]:
            moves.append(UNDO)
        return moves

    def valid_moves(self):
        if self.done:
            return []
        return self._legal(self.current_player)

    def _elbow(self, player, cell):
        row, col = divmod(cell, SIDE)
        for top in (row - 1, row):
            for left in (col - 1, col):
                count = 0
                for r in (top, top + 1):
                    for c in (left, left + 1):
                        if self.grid[(r % SIDE) * SIDE + c % SIDE] == player:
                            count += 1
                if count >= 3:
                    return True
        return False

    def _travel(self, player, action):
        dr, dc = STEPS[action // 2]
        dist = action % 2 + 1
        row, col = divmod(self.piece, SIDE)
        row = (row + dr * dist) % SIDE
        col = (col + dc * dist) % SIDE
        slid = 0
        while self.grid[row * SIDE + col] == player and slid < SIDE:
            row = (row + dr) % SIDE
            col = (col + dc) % SIDE
            slid += 1
        self.piece = row * SIDE + col
        self.grid[self.piece] = player
        return self._elbow(player, self.piece)

    def _resolve(self, a0, a1):
        actions = (a0, a1)
        self.log.append("round " + str(self.round) + ": first " + _action_name(a0)
                        + ", second " + _action_name(a1))
        if UNDO in actions:
            for player in (0, 1):
                if actions[player] == UNDO:
                    self.undo_left[player] = 0
        else:
            order = (0, 1) if self.round % 2 == 1 else (1, 0)
            for player in order:
                if self._travel(player, actions[player]):
                    self.done = True
                    self.winner = 1 - player
                    return
        if self.round >= ROUNDS:
            self.done = True
            marks = (self.grid.count(0), self.grid.count(1))
            if marks[0] != marks[1]:
                self.winner = 0 if marks[0] < marks[1] else 1
            else:
                self.winner = None
        else:
            self.round += 1

    def step(self, action):
        action = int(action)
        if self.done:
            return self._obs(self.current_player), 0.0, True, False, {"winner": self.winner}
        mover = self.current_player
        if action not in self._legal(mover):
            self.done = True
            self.winner = 1 - mover
            return self._obs(mover), -10.0, True, False, {"winner": self.winner}
        if mover == 0:
            self.pending = action
            self.current_player = 1
            return self._obs(1), 0.0, False, False, {}
        first_action = self.pending
        self.pending = None
        self._resolve(first_action, action)
        if self.done:
            reward = 1.0 if self.winner == 1 else 0.0
            return self._obs(1), reward, True, False, {"winner": self.winner}
        self.current_player = 0
        return self._obs(0), 0.0, False, False, {}

    def _text(self, player):
        lines = ["round: " + str(self.round) + " of " + str(ROUNDS)]
        lines.append("steps first: " + NAMES[0 if self.round % 2 == 1 else 1])
        lines.append("columns: a b c d e f g")
        for r in range(SIDE):
            parts = []
            for c in range(SIDE):
                who = self.grid[r * SIDE + c]
                parts.append("." if who < 0 else "FS"[who])
            lines.append(str(r + 1) + ": " + " ".join(parts))
        lines.append("piece: " + COLUMNS[self.piece % SIDE] + str(self.piece // SIDE + 1))
        words = ["yes" if left else "no" for left in self.undo_left]
        lines.append("undo left: first " + words[0] + ", second " + words[1])
        if self.pending is not None:
            if player == 0:
                lines.append("your choice: " + _action_name(self.pending))
            else:
                lines.append("first has chosen")
        if self.done:
            if self.winner is None:
                lines.append("game over: draw")
            else:
                lines.append("game over: " + NAMES[self.winner] + " wins")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def render(self):
        return self._text(self.current_player)

    def move_name(self, action):
        return _action_name(int(action))

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.grid = list(self.grid)
        other.undo_left = list(self.undo_left)
        other.log = list(self.log)
        return other

    def key(self):
        return (tuple(self.grid), self.piece, tuple(self.undo_left), self.round, self.pending,
                self.current_player, self.done, self.winner)

    def view(self, player):
        player = int(player)
        own = self.pending if player == 0 else None
        log = list(self.log)
        if own is not None:
            log.append("you have chosen " + _action_name(own))
        return {
            "player": player,
            "board": self._text(player),
            "observation": [float(x) for x in self._obs(player)],
            "log": log,
            "state": {
                "grid": list(self.grid),
                "piece": self.piece,
                "undo_left": list(self.undo_left),
                "round": self.round,
                "committed": self.pending is not None,
                "own": own,
                "history": list(self.log),
                "current": self.current_player,
                "done": self.done,
                "winner": self.winner,
            },
        }

    def resample(self, view, rng):
        state = view["state"]
        self.grid = [int(x) for x in state["grid"]]
        self.piece = int(state["piece"])
        self.undo_left = [int(x) for x in state["undo_left"]]
        self.round = int(state["round"])
        self.log = list(state["history"])
        self.current_player = int(state["current"])
        self.done = bool(state["done"])
        self.winner = state["winner"]
        self.pending = None
        if state["committed"]:
            if state["own"] is not None:
                self.pending = int(state["own"])
            else:
                moves = self._legal(0)
                self.pending = moves[int(rng.random() * len(moves)) % len(moves)]
        return self
