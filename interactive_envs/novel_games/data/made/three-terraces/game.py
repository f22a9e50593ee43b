import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

CARDS = 5
LENGTH = 3
FALLEN = 2
NAMES = "ABC"
SEATS = ("first", "second")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(CARDS * 6)
        self.observation_space = Box(-10.0, 10.0, shape=(26,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.lanes = [[], [], []]
        self.below = [[0, 0], [0, 0], [0, 0]]
        self.hands = [[1] * CARDS, [1] * CARDS]
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._obs(), {}

    def _obs(self):
        p = self.current_player
        values = []
        for lane in self.lanes:
            row = [card if owner == p else -card for owner, card in lane]
            values += row + [0] * (LENGTH - len(row))
        for pair in self.below:
            values += [pair[p], pair[1 - p]]
        values += self.hands[p] + self.hands[1 - p] + [p]
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.over:
            return []
        hand = self.hands[self.current_player]
        return [a for a in range(CARDS * 6) if hand[a // 6]]

    def _score(self, region):
        totals = [FALLEN * self.below[region][0], FALLEN * self.below[region][1]]
        lane = self.lanes[region]
        for i, (owner, card) in enumerate(lane):
            times = 2 if len(lane) == LENGTH and i == 1 else 1
            totals[owner] += card * times
        return totals

    def _judge(self):
        regions = [0, 0]
        sums = [0, 0]
        for region in range(3):
            a, b = self._score(region)
            sums[0] += a
            sums[1] += b
            if a > b:
                regions[0] += 1
            elif b > a:
                regions[1] += 1
        if regions[0] != regions[1]:
            return 0 if regions[0] > regions[1] else 1
        return 0 if sums[0] >= sums[1] else 1

    def step(self, action):
        action = int(action)
        mover = self.current_player
        if self.over or action not in self.valid_moves():
            self.over = True
            self.winner = 1 - mover
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        index, place = divmod(action, 6)
        region, side = divmod(place, 2)
        self.hands[mover][index] = 0
        lane = self.lanes[region]
        fallen = None
        if side == 0:
            lane.insert(0, (mover, index + 1))
            if len(lane) > LENGTH:
                fallen = lane.pop()
        else:
            lane.append((mover, index + 1))
            if len(lane) > LENGTH:
                fallen = lane.pop(0)
        if fallen is not None:
            self.below[(region + 1) % 3][fallen[0]] += 1
        if not any(self.hands[0]) and not any(self.hands[1]):
            self.over = True
            self.winner = self._judge()
            reward = 1.0 if self.winner == mover else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - mover
        return self._obs(), 0.0, False, False, {}

    def render(self):
        lines = []
        for r in range(3):
            cards = " ".join("%s%d" % ("fs"[o], c) for o, c in self.lanes[r])
            lines.append("%s: %s" % (NAMES[r], cards if cards else "empty"))
        for r in range(3):
            lines.append("below %s: first %d, second %d" % (NAMES[r], self.below[r][0], self.below[r][1]))
        for r in range(3):
            a, b = self._score(r)
            lines.append("score %s: first %d, second %d" % (NAMES[r], a, b))
        for p in range(2):
            hand = " ".join(str(i + 1) for i in range(CARDS) if self.hands[p][i])
            lines.append("%s hand: %s" % (SEATS[p], hand if hand else "empty"))
        lines.append("to move: " + ("nobody" if self.over else SEATS[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        index, place = divmod(int(action), 6)
        region, side = divmod(place, 2)
        return "%d %s %s" % (index + 1, NAMES[region], "left" if side == 0 else "right")

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.lanes = [list(lane) for lane in self.lanes]
        other.below = [list(pair) for pair in self.below]
        other.hands = [list(h) for h in self.hands]
        return other

    def key(self):
        return (self.current_player, tuple(tuple(lane) for lane in self.lanes),
                tuple(tuple(pair) for pair in self.below),
                tuple(self.hands[0]), tuple(self.hands[1]), self.over, self.winner)
