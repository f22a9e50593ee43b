import numpy as np
import gymnasium
from gymnasium.spaces import Box, Discrete

GOODS = "ABCDE"
PRICES = (1, 2, 4, 6, 9)
CLASH = 3
ROUNDS = 8
LIMIT = 2
WAIT = 10
NAMES = ("first", "second")
ENDS = ("low", "high")


def _action_name(action):
    if action == WAIT:
        return "wait"
    return "buy " + GOODS[action // 2] + " " + ENDS[action % 2]


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(11)
        self.observation_space = Box(low=-1.0, high=200.0, shape=(22,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.line = [0, 1, 2, 3, 4]
        self.count = [[0] * 5, [0] * 5]
        self.debt = [0, 0]
        self.rounds = 0
        self.lower = -1
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
        values = list(self.line) + list(self.count[0]) + list(self.count[1]) + list(self.debt)
        values += [self.rounds, self.lower, self.current_player, player, own]
        return np.array(values, dtype=np.float32)

    def _legal(self, player):
        moves = []
        for good in range(5):
            if self.count[player][good] < LIMIT:
                moves.append(good * 2)
                moves.append(good * 2 + 1)
        if self.debt[player] > self.debt[1 - player]:
            moves.append(WAIT)
        return moves

    def valid_moves(self):
        if self.done:
            return []
        return self._legal(self.current_player)

    def _put_back(self, good, end):
        self.line.remove(good)
        if end == 0:
            self.line.insert(0, good)
        else:
            self.line.append(good)

    def _resolve(self, a0, a1):
        actions = (a0, a1)
        pay = [0, 0]
        if WAIT in actions:
            waiter = 0 if a0 == WAIT else 1
            buyer = 1 - waiter
            good, end = divmod(actions[buyer], 2)
            pay[buyer] = PRICES[self.line.index(good)]
            self.count[buyer][good] += 1
            self._put_back(good, end)
            for slot in range(5):
                late = self.line[slot]
                if self.count[waiter][late] < LIMIT:
                    pay[waiter] = PRICES[slot]
                    self.count[waiter][late] += 1
                    self._put_back(late, 1)
                    break
        else:
            g0, e0 = divmod(a0, 2)
            g1, e1 = divmod(a1, 2)
            s0 = self.line.index(g0)
            s1 = self.line.index(g1)
            self.count[0][g0] += 1
            self.count[1][g1] += 1
            if g0 == g1:
                pay = [PRICES[s0] + CLASH, PRICES[s0] + CLASH]
                if e0 == e1:
                    self._put_back(g0, e0)
            else:
                pay = [PRICES[s0], PRICES[s1]]
                if s0 < s1:
                    self._put_back(g0, e0)
                    self._put_back(g1, e1)
                else:
                    self._put_back(g1, e1)
                    self._put_back(g0, e0)
        self.debt[0] += pay[0]
        self.debt[1] += pay[1]
        if pay[0] < pay[1]:
            self.lower = 0
        elif pay[1] < pay[0]:
            self.lower = 1
        self.rounds += 1
        self.log.append("round " + str(self.rounds) + ": first " + _action_name(a0) + " for " + str(pay[0])
                        + ", second " + _action_name(a1) + " for " + str(pay[1]))
        if self.rounds >= ROUNDS:
            self.done = True
            if self.debt[0] != self.debt[1]:
                self.winner = 0 if self.debt[0] < self.debt[1] else 1
            elif self.lower >= 0:
                self.winner = self.lower
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
        lines.append("line: " + " ".join(GOODS[g] for g in self.line))
        lines.append("price: " + " ".join(str(p) for p in PRICES))
        for who in (0, 1):
            lines.append("bought " + NAMES[who] + ": "
                         + " ".join(GOODS[g] + str(self.count[who][g]) for g in range(5)))
        lines.append("debt: first " + str(self.debt[0]) + ", second " + str(self.debt[1]))
        last = NAMES[self.lower] if self.lower >= 0 else "nobody"
        lines.append("paid less last: " + last)
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
        other.line = list(self.line)
        other.count = [list(self.count[0]), list(self.count[1])]
        other.debt = list(self.debt)
        other.log = list(self.log)
        return other

    def key(self):
        return (tuple(self.line), tuple(self.count[0]), tuple(self.count[1]), tuple(self.debt),
                self.rounds, self.lower, self.pending, self.current_player, self.done, self.winner)

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
                "line": list(self.line),
                "count": [list(self.count[0]), list(self.count[1])],
                "debt": list(self.debt),
                "rounds": self.rounds,
                "lower": self.lower,
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
        self.line = [int(x) for x in state["line"]]
        self.count = [[int(x) for x in row] for row in state["count"]]
        self.debt = [int(x) for x in state["debt"]]
        self.rounds = int(state["rounds"])
        self.lower = int(state["lower"])
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
