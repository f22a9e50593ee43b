import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

SIDE = 4
CELLS = 16
RUIN = 2
NAMES = ("first", "second")
KINDS = ("ram", "lance", "sling")
COLUMNS = "abcd"
VALUE = (1, 2, 1, 3,
         2, 1, 1, 1,
         1, 3, 1, 2,
         1, 1, 2, 2)


def _at(r, c):
    return (r % SIDE) * SIDE + (c % SIDE)


NEAR = []
TARGETS = [[], [], []]
for _r in range(SIDE):
    for _c in range(SIDE):
        NEAR.append((_at(_r, _c + 1), _at(_r, _c - 1), _at(_r - 1, _c), _at(_r + 1, _c)))
        TARGETS[0].append((_at(_r, _c - 1), _at(_r, _c + 1)))
        TARGETS[1].append((_at(_r - 1, _c), _at(_r + 1, _c)))
        TARGETS[2].append((_at(_r, _c + 2), _at(_r + 2, _c)))


def _cell_name(cell):
    return COLUMNS[cell % SIDE] + str(cell // SIDE + 1)


def _action_name(action):
    return KINDS[action % 3] + " " + _cell_name(action // 3)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(CELLS * 3)
        self.observation_space = Box(low=-1.0, high=100.0, shape=(38,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.owner = [-1] * CELLS
        self.kind = [-1] * CELLS
        self.ban = [-1, -1]
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
        values = list(self.owner) + list(self.kind) + list(self.ban)
        values += [self.round, self.current_player, player, own]
        return np.array(values, dtype=np.float32)

    def _legal(self, player):
        moves = []
        for cell in range(CELLS):
            if self.owner[cell] == -1:
                for kind in range(3):
                    if kind != self.ban[player]:
                        moves.append(cell * 3 + kind)
        return moves

    def valid_moves(self):
        if self.done:
            return []
        return self._legal(self.current_player)

    def _scores(self):
        score = [0, 0]
        units = [0, 0]
        for cell in range(CELLS):
            who = self.owner[cell]
            if who == 0 or who == 1:
                score[who] += VALUE[cell]
                units[who] += 1
        return score, units

    def _braced(self, cell):
        who = self.owner[cell]
        friends = 0
        for other in NEAR[cell]:
            if self.owner[other] == who:
                friends += 1
        return friends >= 2

    def _resolve(self, a0, a1):
        c0, k0 = divmod(a0, 3)
        c1, k1 = divmod(a1, 3)
        caught = [0, 0]
        if c0 == c1:
            self.owner[c0] = RUIN
            self.kind[c0] = -1
        else:
            self.owner[c0] = 0
            self.kind[c0] = k0
            self.owner[c1] = 1
            self.kind[c1] = k1
            flips = []
            for player, cell, kind, newcomer in ((0, c0, k0, c1), (1, c1, k1, c0)):
                for target in TARGETS[kind][cell]:
                    if target != newcomer and self.owner[target] == 1 - player and not self._braced(target):
                        flips.append((target, player))
            for target, player in flips:
                self.owner[target] = player
                caught[player] += 1
        self.ban = [k1, k0]
        self.log.append("round " + str(self.round) + ": first " + _action_name(a0) + ", second "
                        + _action_name(a1) + "; captured by first " + str(caught[0])
                        + ", by second " + str(caught[1]))
        if self.owner.count(-1) < 2:
            self.done = True
            score, units = self._scores()
            if score[0] != score[1]:
                self.winner = 0 if score[0] > score[1] else 1
            elif units[0] != units[1]:
                self.winner = 0 if units[0] > units[1] else 1
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

    def _token(self, cell):
        who = self.owner[cell]
        if who == -1:
            return "."
        if who == RUIN:
            return "#"
        letter = "RLS"[self.kind[cell]]
        return letter if who == 0 else letter.lower()

    def _text(self, player):
        lines = ["round: " + str(self.round)]
        for r in range(SIDE):
            lines.append("value " + str(r + 1) + ": " + " ".join(str(VALUE[r * SIDE + c]) for c in range(SIDE)))
        lines.append("columns: a b c d")
        for r in range(SIDE):
            lines.append(str(r + 1) + ": " + " ".join(self._token(r * SIDE + c) for c in range(SIDE)))
        words = [KINDS[k] if k >= 0 else "none" for k in self.ban]
        lines.append("forbidden: first " + words[0] + ", second " + words[1])
        score, _units = self._scores()
        lines.append("score: first " + str(score[0]) + ", second " + str(score[1]))
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
        other.owner = list(self.owner)
        other.kind = list(self.kind)
        other.ban = list(self.ban)
        other.log = list(self.log)
        return other

    def key(self):
        return (tuple(self.owner), tuple(self.kind), tuple(self.ban), self.round, self.pending,
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
                "owner": list(self.owner),
                "kind": list(self.kind),
                "ban": list(self.ban),
                "round": self.round,
                "committed": self.pending is not None,
                "own": own,
                "rounds": list(self.log),
                "current": self.current_player,
                "done": self.done,
                "winner": self.winner,
            },
        }

    def resample(self, view, rng):
        state = view["state"]
        self.owner = [int(x) for x in state["owner"]]
        self.kind = [int(x) for x in state["kind"]]
        self.ban = [int(x) for x in state["ban"]]
        self.round = int(state["round"])
        self.log = list(state["rounds"])
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
