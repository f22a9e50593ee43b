import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

TOWNS = 12
LIMIT = 20
TRUCE = 6
CROSS = ((1, 5), (7, 11), (3, 9), (2, 10), (4, 8))
ROADS = [set() for _ in range(TOWNS)]
for _i in range(TOWNS):
    ROADS[_i].add((_i + 1) % TOWNS)
    ROADS[_i].add((_i - 1) % TOWNS)
for _a, _b in CROSS:
    ROADS[_a - 1].add(_b - 1)
    ROADS[_b - 1].add(_a - 1)
NAMES = ("first", "second")
WAYS = ("up", "down")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(TOWNS * 2 * 13)
        self.observation_space = Box(0.0, 100.0, shape=(28,), dtype=np.float32)
        self._start()

    def _start(self):
        self.tokens = [[0] * TOWNS, [0] * TOWNS]
        for town in (11, 0, 1):
            self.tokens[0][town] = 3
        for town in (5, 6, 7):
            self.tokens[1][town] = 3
        self.duke = [0, 6]
        self.turn = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        values = self.tokens[0] + self.tokens[1] + self.duke + [self.turn, self.current_player]
        return np.array(values, dtype=np.float32)

    def _sow(self, town, way):
        p = self.current_player
        mine = list(self.tokens[p])
        theirs = list(self.tokens[1 - p])
        enemy = self.duke[1 - p]
        count = mine[town]
        mine[town] = 0
        delta = 1 if way == 0 else -1
        pos = town
        sown = set()
        for _ in range(count):
            pos = (pos + delta) % TOWNS
            if theirs[pos] > 0:
                if theirs[pos] == 1 and pos != enemy:
                    theirs[pos] = 0
                    mine[pos] += 1
                    sown.add(pos)
                else:
                    theirs[pos] -= 1
            elif pos == enemy:
                if self.turn + 1 > TRUCE:
                    return mine, theirs, sown, True
            else:
                mine[pos] += 1
                sown.add(pos)
        return mine, theirs, sown, False

    def valid_moves(self):
        if self.done:
            return []
        p = self.current_player
        roads = ROADS[self.duke[p]]
        moves = []
        for town in range(TOWNS):
            if self.tokens[p][town] == 0:
                continue
            for way in range(2):
                mine, _, sown, won = self._sow(town, way)
                base = (town * 2 + way) * 13
                moves.append(base)
                if won:
                    continue
                for target in sorted(sown):
                    if target in roads and mine[target] > 0:
                        moves.append(base + 1 + target)
        return moves

    def step(self, action):
        action = int(action)
        if action not in self.valid_moves():
            if not self.done:
                self.done = True
                self.winner = 1 - self.current_player
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        p = self.current_player
        rest, target = divmod(action, 13)
        town, way = divmod(rest, 2)
        mine, theirs, _, won = self._sow(town, way)
        self.tokens[p] = mine
        self.tokens[1 - p] = theirs
        if target > 0:
            self.duke[p] = target - 1
        self.turn += 1
        if won or sum(theirs) == 0:
            self.done = True
            self.winner = p
        elif self.turn >= LIMIT:
            self.done = True
            self.winner = self._count()
        elif sum(mine) == 0 and sum(theirs) == 0:
            self.done = True
            self.winner = p
        self.current_player = 1 - p
        if self.done:
            reward = 1.0 if self.winner == p else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        return self._obs(), 0.0, False, False, {}

    def _count(self):
        total = [sum(self.tokens[0]), sum(self.tokens[1])]
        if total[0] != total[1]:
            return 0 if total[0] > total[1] else 1
        guard = [self.tokens[p][self.duke[p]] for p in range(2)]
        if guard[0] != guard[1]:
            return 0 if guard[0] > guard[1] else 1
        return 1

    def _cell(self, town):
        for p in range(2):
            duke = self.duke[p] == town
            if self.tokens[p][town] > 0 or duke:
                return "FS"[p] + str(self.tokens[p][town]) + ("*" if duke else "")
        return "-"

    def render(self):
        lines = ["towns 1-6: " + " ".join(self._cell(t) for t in range(6))]
        lines.append("towns 7-12: " + " ".join(self._cell(t) for t in range(6, 12)))
        lines.append("tokens: first %d, second %d" % (sum(self.tokens[0]), sum(self.tokens[1])))
        lines.append("dukes: first in %d, second in %d" % (self.duke[0] + 1, self.duke[1] + 1))
        lines.append("turns made: %d of %d" % (self.turn, LIMIT))
        if self.done:
            lines.append("game over: %s wins" % NAMES[self.winner])
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        rest, target = divmod(int(action), 13)
        town, way = divmod(rest, 2)
        text = "sow %d %s and " % (town + 1, WAYS[way])
        if target == 0:
            return text + "stay"
        return text + "duke to %d" % target

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.tokens = [list(x) for x in self.tokens]
        other.duke = list(self.duke)
        return other

    def key(self):
        return (
            tuple(self.tokens[0]),
            tuple(self.tokens[1]),
            tuple(self.duke),
            self.turn,
            self.current_player,
            self.done,
            self.winner,
        )
