import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

STEPS = 12
COLOURS = ("red", "green", "blue")
ROUNDS = 9
FULL = 4
SET = 3
SHIFTS = (1, 2, -1)
SHIFT_NAMES = ("up 1", "up 2", "down 1")
REST = 6
MARCH = 7
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(8)
        self.observation_space = Box(low=-1.0, high=50.0, shape=(31,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.pos = [[0, 0], [0, 0]]
        self.vigour = [[FULL, FULL], [FULL, FULL]]
        self.gems = [[0, 0, 0], [0, 0, 0]]
        self.stock = [1] * STEPS
        self.token = 1
        self.round = 1
        self.pending = -1
        self.done = False
        self.winner = None
        self.history = []

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(self.current_player), {}

    def _observe(self, player):
        own = self.pending if player == 0 else -1
        values = self.pos[0] + self.pos[1] + self.vigour[0] + self.vigour[1]
        values = values + self.gems[0] + self.gems[1] + self.stock
        values = values + [self.token, self.round, self.current_player]
        values = values + [1 if self.pending >= 0 else 0, own + 1]
        return np.array(values, dtype=np.float32)

    def _legal(self, player):
        result = []
        for c in (0, 1):
            if self.vigour[player][c] > 0:
                for m in range(3):
                    target = self.pos[player][c] + SHIFTS[m]
                    if 1 <= target <= STEPS:
                        result.append(c * 3 + m)
        if min(self.vigour[player]) < FULL:
            result.append(REST)
        behind = sum(self.gems[player]) < sum(self.gems[1 - player])
        if behind and min(self.vigour[player]) > 0 and max(self.pos[player]) < STEPS:
            result.append(MARCH)
        return result

    def valid_moves(self):
        if self.done:
            return []
        return self._legal(self.current_player)

    def move_name(self, action):
        action = int(action)
        if action == REST:
            return "rest"
        if action == MARCH:
            return "march"
        return "AB"[action // 3] + " " + SHIFT_NAMES[action % 3]

    def _resolve(self, actions):
        self.history.append(
            "round %d: first %s, second %s"
            % (self.round, self.move_name(actions[0]), self.move_name(actions[1]))
        )
        landed = [[], []]
        for p in (0, 1):
            action = actions[p]
            if action == REST:
                for c in (0, 1):
                    self.vigour[p][c] = min(FULL, self.vigour[p][c] + 1)
            elif action == MARCH:
                for c in (0, 1):
                    self.pos[p][c] += 1
                    landed[p].append(c)
            else:
                c = action // 3
                self.pos[p][c] += SHIFTS[action % 3]
                landed[p].append(c)
        for s in range(1, STEPS + 1):
            if not self.stock[s - 1]:
                continue
            here = [[c for c in landed[p] if self.pos[p][c] == s] for p in (0, 1)]
            if not here[0] and not here[1]:
                continue
            power = [
                sum(self.vigour[p][c] for c in (0, 1) if self.pos[p][c] == s) for p in (0, 1)
            ]
            taker = None
            if here[0] and here[1]:
                if power[0] > power[1]:
                    taker = 0
                elif power[1] > power[0]:
                    taker = 1
                else:
                    taker = self.token
                    self.token = 1 - self.token
            elif here[0]:
                if power[0] >= power[1]:
                    taker = 0
            else:
                if power[1] >= power[0]:
                    taker = 1
            if taker is not None:
                c = here[taker][0]
                self.stock[s - 1] = 0
                self.gems[taker][(s - 1) % 3] += 1
                self.vigour[taker][c] -= 1
        has = [max(self.gems[p]) >= SET for p in (0, 1)]
        if has[0] and has[1]:
            self.done = True
            self.winner = self.token
        elif has[0] or has[1]:
            self.done = True
            self.winner = 0 if has[0] else 1
        elif self.round >= ROUNDS:
            self.done = True
            total = [sum(self.gems[0]), sum(self.gems[1])]
            if total[0] > total[1]:
                self.winner = 0
            elif total[1] > total[0]:
                self.winner = 1
            else:
                self.winner = self.token
        else:
            self.round += 1

    def _apply(self, action):
        if self.current_player == 0:
            self.pending = action
            self.current_player = 1
        else:
            chosen = (self.pending, action)
            self.pending = -1
            self.current_player = 0
            self._resolve(chosen)

    def step(self, action):
        player = self.current_player
        if self.done:
            return self._observe(player), 0, True, False, {"winner": self.winner}
        if int(action) not in self.valid_moves():
            self.done = True
            self.winner = 1 - player
            return self._observe(player), -10, True, False, {"winner": self.winner}
        self._apply(int(action))
        reward = 1 if self.done and self.winner == player else 0
        info = {"winner": self.winner} if self.done else {}
        return self._observe(self.current_player), reward, self.done, False, info

    def _text(self):
        if self.done:
            head = "game over, winner %s" % NAMES[self.winner]
        else:
            head = "round %d of %d, %s to choose" % (self.round, ROUNDS, NAMES[self.current_player])
        lines = [head]
        for s in range(STEPS, -1, -1):
            who = []
            for p in (0, 1):
                letters = "".join("AB"[c] for c in (0, 1) if self.pos[p][c] == s)
                who.append("%s %s" % (NAMES[p], letters if letters else "-"))
            if s == 0:
                lines.append("ground: " + ", ".join(who))
            else:
                state = "gem" if self.stock[s - 1] else "bare"
                lines.append("step %d: %s %s, %s" % (s, COLOURS[(s - 1) % 3], state, ", ".join(who)))
        for p in (0, 1):
            lines.append("vigour %s: A %d, B %d" % (NAMES[p], self.vigour[p][0], self.vigour[p][1]))
        for p in (0, 1):
            g = self.gems[p]
            lines.append("gems %s: red %d, green %d, blue %d" % (NAMES[p], g[0], g[1], g[2]))
        lines.append("token: %s" % NAMES[self.token])
        lines.append("chosen: first %s, second no" % ("yes" if self.pending >= 0 else "no"))
        return "\n".join(lines)

    def render(self):
        return self._text()

    def view(self, player):
        own = self.pending if player == 0 else -1
        log = list(self.history)
        if own >= 0:
            log.append("you have chosen " + self.move_name(own))
        return {
            "player": int(player),
            "board": self._text(),
            "observation": [float(x) for x in self._observe(player)],
            "log": log,
            "state": {
                "current_player": int(self.current_player),
                "pos": [list(x) for x in self.pos],
                "vigour": [list(x) for x in self.vigour],
                "gems": [list(x) for x in self.gems],
                "stock": list(self.stock),
                "token": int(self.token),
                "round": int(self.round),
                "waiting": self.pending >= 0,
                "own": int(own),
                "done": bool(self.done),
                "winner": self.winner,
                "history": list(self.history),
            },
        }

    def resample(self, view, rng):
        state = view["state"]
        self.current_player = state["current_player"]
        self.pos = [list(x) for x in state["pos"]]
        self.vigour = [list(x) for x in state["vigour"]]
        self.gems = [list(x) for x in state["gems"]]
        self.stock = list(state["stock"])
        self.token = state["token"]
        self.round = state["round"]
        self.done = state["done"]
        self.winner = state["winner"]
        self.history = list(state["history"])
        self.pending = state["own"]
        if state["waiting"] and self.pending < 0:
            options = self._legal(0)
            index = int(rng.random() * len(options))
            self.pending = options[min(index, len(options) - 1)]

    def clone(self):
        other = CustomEnv()
        other.current_player = self.current_player
        other.pos = [list(x) for x in self.pos]
        other.vigour = [list(x) for x in self.vigour]
        other.gems = [list(x) for x in self.gems]
        other.stock = list(self.stock)
        other.token = self.token
        other.round = self.round
        other.pending = self.pending
        other.done = self.done
        other.winner = self.winner
        other.history = list(self.history)
        return other

    def key(self):
        return (
            self.current_player,
            tuple(map(tuple, self.pos)),
            tuple(map(tuple, self.vigour)),
            tuple(map(tuple, self.gems)),
            tuple(self.stock),
            self.token,
            self.round,
            self.pending,
            self.done,
            self.winner,
        )
