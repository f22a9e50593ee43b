import gymnasium
import numpy as np
from gymnasium import spaces

EDGES = ((0, 1), (1, 2), (2, 3), (1, 4), (4, 5), (5, 6), (4, 7), (7, 8), (0, 9),
         (9, 10), (10, 11), (9, 12), (12, 13), (13, 14), (12, 15), (15, 16), (0, 17), (17, 18))
E = len(EDGES)
NODES = 19
AT = tuple(tuple(i for i, e in enumerate(EDGES) if n in e) for n in range(NODES))
NAMES = ("first", "second")
PHASES = ("mark", "slide", "cut")


def _pick(rng, n):
    if hasattr(rng, "integers"):
        return int(rng.integers(n))
    return int(rng.randrange(n))


def _edge_name(e):
    return str(EDGES[e][0]) + "-" + str(EDGES[e][1])


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(4 * E)
        self.observation_space = spaces.Box(0.0, 1.0, shape=(97,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.intact = [True] * E
        self.beetles = [[4, 9], [1, 12]]
        self.phase = 0
        self.path = []
        self.marks = [-1, -1]
        self.spent = [False, False]
        self.ruled = set()
        self.log = []
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(self.current_player), {}

    def _obs(self, player):
        vals = [1.0 if x else 0.0 for x in self.intact]
        for p in (0, 1):
            vals += [1.0 if n in self.beetles[p] else 0.0 for n in range(NODES)]
        vals += [1.0 if self.phase == k else 0.0 for k in range(3)]
        vals += [1.0 if n in self.path else 0.0 for n in range(NODES)]
        vals += [1.0 if self.marks[player] == e else 0.0 for e in range(E)]
        vals.append(float(self.current_player))
        return np.array(vals, dtype=np.float32)

    def _occupied(self, node):
        return node in self.beetles[0] or node in self.beetles[1]

    def _ends(self, action):
        e, back = divmod(action - E, 2)
        a, b = EDGES[e]
        return (e, b, a) if back else (e, a, b)

    def _can_slide(self, player, action):
        e, a, b = self._ends(action)
        return self.intact[e] and a in self.beetles[player] and not self._occupied(b)

    def _legal(self, action):
        if self.phase == 0:
            return action < E
        if self.phase == 1:
            return E <= action < 3 * E and self._can_slide(self.current_player, action)
        if action < 3 * E:
            return False
        e = action - 3 * E
        return self.intact[e] and (EDGES[e][0] in self.path or EDGES[e][1] in self.path)

    def valid_moves(self):
        if self.done:
            return []
        return [a for a in range(4 * E) if self._legal(a)]

    def _slide(self, action):
        # returns True when a rotten branch broke
        me = self.current_player
        e, a, b = self._ends(action)
        self.beetles[me].remove(a)
        cur = a
        self.path = [a]
        broke = False
        while True:
            owners = [p for p in (0, 1) if self.marks[p] == e and not self.spent[p]]
            if owners:
                self.intact[e] = False
                self.ruled.add(e)
                for p in owners:
                    self.spent[p] = True
                broke = True
                break
            x, y = EDGES[e]
            cur = y if cur == x else x
            self.path.append(cur)
            self.ruled.add(e)
            out = [k for k in AT[cur] if self.intact[k]]
            if len(out) != 2:
                break
            nxt = out[0] if out[1] == e else out[1]
            x, y = EDGES[nxt]
            ahead = y if cur == x else x
            if self._occupied(ahead):
                break
            e = nxt
        self.beetles[me].append(cur)
        self.beetles[me].sort()
        text = NAMES[me] + " slid from " + str(a) + " towards " + str(b) + ", stopped at " + str(cur)
        if broke:
            text += "; branch " + _edge_name(e) + " broke, marked by "
            text += " and ".join(NAMES[p] for p in owners)
        self.log.append(text)
        return broke

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done or not (0 <= action < 4 * E) or not self._legal(action):
            self.done = True
            self.winner = 1 - me
            return self._obs(me), -10.0, True, False, {"winner": self.winner}
        turn_over = False
        if self.phase == 0:
            self.marks[me] = action
            self.log.append(NAMES[me] + " marked a branch")
            self.current_player = 1 - me
            if me == 1:
                self.phase = 1
        elif self.phase == 1:
            if self._slide(action):
                turn_over = True
            else:
                self.phase = 2
        else:
            e = action - 3 * E
            self.intact[e] = False
            self.log.append(NAMES[me] + " cut " + _edge_name(e))
            turn_over = True
        if turn_over:
            self.path = []
            self.phase = 1
            self.current_player = 1 - me
            if not self.valid_moves():
                self.done = True
                self.winner = me
                return self._obs(self.current_player), 1.0, True, False, {"winner": me}
        return self._obs(self.current_player), 0.0, False, False, {}

    def _text(self, player):
        lines = [
            "branches: " + " ".join(_edge_name(e) for e in range(E) if self.intact[e]),
            "beetles: first " + " ".join(str(n) for n in self.beetles[0])
            + ", second " + " ".join(str(n) for n in self.beetles[1]),
        ]
        if self.phase == 2:
            lines.append("path: " + " ".join(str(n) for n in self.path))
        mark = self.marks[player]
        lines.append("your mark: " + ("none" if mark < 0 else _edge_name(mark)))
        if self.done:
            lines.append("game over, winner: " + NAMES[self.winner])
        else:
            lines.append("to move: " + NAMES[self.current_player] + " (" + PHASES[self.phase] + ")")
        return "\n".join(lines)

    def render(self):
        return self._text(self.current_player)

    def move_name(self, action):
        action = int(action)
        if action < E:
            return "mark " + _edge_name(action)
        if action < 3 * E:
            e, a, b = self._ends(action)
            return "slide " + str(a) + " via " + str(b)
        return "cut " + _edge_name(action - 3 * E)

    def view(self, player):
        log = list(self.log)
        if self.marks[player] >= 0:
            log.insert(0, "you marked " + _edge_name(self.marks[player]))
        other = 1 - player
        return {
            "player": player,
            "board": self._text(player),
            "observation": [float(x) for x in self._obs(player)],
            "log": log,
            "public_log": list(self.log),
            "intact": [bool(x) for x in self.intact],
            "beetles": [list(self.beetles[0]), list(self.beetles[1])],
            "phase": self.phase,
            "path": list(self.path),
            "own_mark": self.marks[player],
            "other_marked": self.marks[other] >= 0,
            "other_known": self.marks[other] if self.spent[other] else -1,
            "spent": [bool(self.spent[0]), bool(self.spent[1])],
            "ruled": sorted(self.ruled),
            "to_move": self.current_player,
            "done": self.done,
            "winner": -1 if self.winner is None else self.winner,
        }

    def resample(self, view, rng):
        player = view["player"]
        other = 1 - player
        self.intact = list(view["intact"])
        self.beetles = [list(view["beetles"][0]), list(view["beetles"][1])]
        self.phase = view["phase"]
        self.path = list(view["path"])
        self.spent = list(view["spent"])
        self.ruled = set(view["ruled"])
        self.log = list(view["public_log"])
        self.current_player = view["to_move"]
        self.done = view["done"]
        self.winner = None if view["winner"] < 0 else view["winner"]
        self.marks = [-1, -1]
        self.marks[player] = view["own_mark"]
        if view["other_marked"]:
            if view["other_known"] >= 0:
                self.marks[other] = view["other_known"]
            else:
                options = [e for e in range(E) if e not in self.ruled]
                self.marks[other] = options[_pick(rng, len(options))]

    def clone(self):
        new = CustomEnv()
        new.intact = list(self.intact)
        new.beetles = [list(self.beetles[0]), list(self.beetles[1])]
        new.phase = self.phase
        new.path = list(self.path)
        new.marks = list(self.marks)
        new.spent = list(self.spent)
        new.ruled = set(self.ruled)
        new.log = list(self.log)
        new.current_player = self.current_player
        new.done = self.done
        new.winner = self.winner
        return new

    def key(self):
        return (self.current_player, self.phase, tuple(self.intact), tuple(self.beetles[0]),
                tuple(self.beetles[1]), tuple(sorted(self.path)), tuple(self.marks),
                tuple(self.spent), tuple(sorted(self.ruled)), self.done, self.winner)
