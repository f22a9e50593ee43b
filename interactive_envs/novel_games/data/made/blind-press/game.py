import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

SIDE = 5
CELLS = 25
ROUNDS = 5
ENERGY = 10
NAMES = ("first", "second")
SIDES = ("north", "east", "south", "west")
COLUMNS = "abcde"
COST = (1, 2, 3, 2, 1)
VALUE = (1, 1, 1, 1, 1,
         1, 2, 2, 2, 1,
         1, 2, 4, 2, 1,
         1, 2, 2, 2, 1,
         1, 1, 1, 1, 1)
CENTRE = 12


def _path(action):
    side, line = divmod(action, 5)
    if side == 0:
        return [i * SIDE + line for i in range(SIDE)]
    if side == 1:
        return [line * SIDE + (SIDE - 1 - i) for i in range(SIDE)]
    if side == 2:
        return [(SIDE - 1 - i) * SIDE + line for i in range(SIDE)]
    return [line * SIDE + i for i in range(SIDE)]


PATHS = [_path(a) for a in range(20)]


def _action_name(action):
    side, line = divmod(action, 5)
    if side == 0 or side == 2:
        return "push " + SIDES[side] + " " + COLUMNS[line]
    return "push " + SIDES[side] + " " + str(line + 1)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(20)
        self.observation_space = Box(low=-1.0, high=100.0, shape=(31,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.grid = [-1] * CELLS
        for cell in (2, 6, 18, 22):
            self.grid[cell] = 0
        for cell in (8, 10, 14, 16):
            self.grid[cell] = 1
        self.energy = [ENERGY, ENERGY]
        self.rounds = 0
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
        values = list(self.grid) + list(self.energy)
        values += [self.rounds, self.current_player, player, own]
        return np.array(values, dtype=np.float32)

    def _legal(self, player):
        later = ROUNDS - self.rounds - 1
        left = self.energy[player]
        return [a for a in range(20) if left - COST[a % 5] >= later]

    def valid_moves(self):
        if self.done:
            return []
        return self._legal(self.current_player)

    def _scores(self):
        score = [0, 0]
        for cell in range(CELLS):
            if self.grid[cell] >= 0:
                score[self.grid[cell]] += VALUE[cell]
        return score

    def _push(self, action, player):
        path = PATHS[action]
        for i in range(SIDE - 1, 0, -1):
            self.grid[path[i]] = self.grid[path[i - 1]]
        self.grid[path[0]] = player

    def _resolve(self, a0, a1):
        self.energy[0] -= COST[a0 % 5]
        self.energy[1] -= COST[a1 % 5]
        if a0 != a1:
            for _cost, action, player in sorted([(COST[a0 % 5], a0, 0), (COST[a1 % 5], a1, 1)]):
                self._push(action, player)
        self.rounds += 1
        self.log.append("round " + str(self.rounds) + ": first " + _action_name(a0)
                        + ", second " + _action_name(a1))
        if self.rounds >= ROUNDS:
            self.done = True
            score = self._scores()
            if score[0] != score[1]:
                self.winner = 0 if score[0] > score[1] else 1
            elif self.energy[0] != self.energy[1]:
                self.winner = 0 if self.energy[0] > self.energy[1] else 1
            elif self.grid[CENTRE] >= 0:
                self.winner = self.grid[CENTRE]
            else:
                self.winner = None

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
        lines = ["rounds done: " + str(self.rounds) + " of " + str(ROUNDS)]
        lines.append("columns: a b c d e")
        for r in range(SIDE):
            parts = []
            for c in range(SIDE):
                who = self.grid[r * SIDE + c]
                parts.append("." if who < 0 else "FS"[who])
            lines.append(str(r + 1) + ": " + " ".join(parts))
        score = self._scores()
        lines.append("score: first " + str(score[0]) + ", second " + str(score[1]))
        lines.append("energy: first " + str(self.energy[0]) + ", second " + str(self.energy[1]))
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
        other.energy = list(self.energy)
        other.log = list(self.log)
        return other

    def key(self):
        return (tuple(self.grid), tuple(self.energy), self.rounds, self.pending,
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
                "energy": list(self.energy),
                "rounds": self.rounds,
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
        self.energy = [int(x) for x in state["energy"]]
        self.rounds = int(state["rounds"])
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
