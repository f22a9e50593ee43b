import gymnasium
import numpy as np
from gymnasium import spaces

# cells of a wheel: 0 to 7 is the rim, clockwise from the top left, 8 is the hub
RIM = ((0, 0), (0, 1), (0, 2), (1, 2), (2, 2), (2, 1), (2, 0), (1, 0))
CELLS = RIM + ((1, 1),)
INDEX = {rc: i for i, rc in enumerate(CELLS)}
LEFT_VALUES = ((1, 4, 2), (3, 2, 5), (2, 4, 3))
RIGHT_VALUES = ((2, 4, 1), (5, 2, 3), (3, 4, 2))
VALUES = (LEFT_VALUES, RIGHT_VALUES)
ORDER = (0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0)
MARGIN = 7
FIRST_CLAIM = 3
EMPTY, NEUTRAL = -1, 2
NAMES = ("first", "second")
SIDES = ("left", "right")
TURNS = ("hold", "clockwise", "counter")
REGIONS = ("left", "right", "gate")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = spaces.Discrete(54)
        self.observation_space = spaces.Box(-1.0, 100.0, shape=(23,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.wheels = [[EMPTY] * 9, [EMPTY] * 9]
        self.wheels[0][6] = NEUTRAL
        self.wheels[1][2] = NEUTRAL
        self.claims = [-1, -1, -1]
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        vals = self.wheels[0] + self.wheels[1] + self.claims + [self.moves, self.current_player]
        return np.array(vals, dtype=np.float32)

    def _decode(self, action):
        place, turn = divmod(action, 3)
        side, cell = divmod(place, 9)
        return side, INDEX[divmod(cell, 3)], turn

    def _legal(self, action):
        side, cell, _ = self._decode(action)
        return self.wheels[side][cell] == EMPTY

    def valid_moves(self):
        if self.done:
            return []
        return [a for a in range(54) if self._legal(a)]

    def _strength(self, region, player):
        total = 0
        for side in (0, 1):
            if region < 2 and region != side:
                continue
            for i, (r, c) in enumerate(CELLS):
                if self.wheels[side][i] != player:
                    continue
                if region == 2 and c != (2 if side == 0 else 0):
                    continue
                total += VALUES[side][r][c]
        return total

    def _turn(self, side, clockwise):
        rim = self.wheels[side][:8]
        if clockwise:
            rim = [rim[-1]] + rim[:-1]
        else:
            rim = rim[1:] + [rim[0]]
        self.wheels[side][:8] = rim

    def _end_round(self):
        for side in (0, 1):
            wheel = self.wheels[side]
            i = wheel.index(NEUTRAL)
            wheel[i] = EMPTY
            wheel[(i + 1) % 8] = NEUTRAL
        number = self.moves // 2
        if number < FIRST_CLAIM:
            return
        last = self.moves >= len(ORDER)
        for region in range(3):
            if self.claims[region] >= 0:
                continue
            lead = self._strength(region, 0) - self._strength(region, 1)
            if lead >= MARGIN:
                self.claims[region] = 0
            elif -lead >= MARGIN:
                self.claims[region] = 1
            elif last:
                self.claims[region] = 0 if lead > 0 else 1
        for p in (0, 1):
            if self.claims.count(p) >= 2:
                self.done = True
                self.winner = p

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done or not (0 <= action < 54) or not self._legal(action):
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        side, cell, turn = self._decode(action)
        self.wheels[side][cell] = me
        if turn == 1:
            self._turn(0, True)
            self._turn(1, False)
        elif turn == 2:
            self._turn(0, False)
            self._turn(1, True)
        self.moves += 1
        if self.moves % 2 == 0:
            self._end_round()
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        self.current_player = ORDER[self.moves]
        return self._obs(), 0.0, False, False, {}

    def render(self):
        signs = {EMPTY: ".", 0: "A", 1: "B", NEUTRAL: "N"}
        lines = []
        for side in (0, 1):
            for r in range(3):
                row = [signs[self.wheels[side][INDEX[(r, c)]]] for c in range(3)]
                lines.append(SIDES[side] + " row " + str(r + 1) + ": " + " ".join(row))
        for region in range(3):
            text = (REGIONS[region] + ": first " + str(self._strength(region, 0))
                    + ", second " + str(self._strength(region, 1)))
            if self.claims[region] >= 0:
                text += ", won by " + NAMES[self.claims[region]]
            lines.append(text)
        lines.append("moves made: " + str(self.moves) + " of " + str(len(ORDER)))
        if self.done:
            lines.append("game over, winner: " + NAMES[self.winner])
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        place, turn = divmod(int(action), 3)
        side, cell = divmod(place, 9)
        r, c = divmod(cell, 3)
        return SIDES[side] + " " + str(r + 1) + "-" + str(c + 1) + " " + TURNS[turn]

    def clone(self):
        new = CustomEnv()
        new.wheels = [list(self.wheels[0]), list(self.wheels[1])]
        new.claims = list(self.claims)
        new.moves = self.moves
        new.current_player = self.current_player
        new.done = self.done
        new.winner = self.winner
        return new

    def key(self):
        return (self.current_player, tuple(self.wheels[0]), tuple(self.wheels[1]),
                tuple(self.claims), self.moves, self.done, self.winner)
