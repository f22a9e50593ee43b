import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SLOTS = ("left", "middle", "right")
REGIONS = "ABC"
STACKS = 9
HEIGHT = 4
LIMIT = 40
PERIOD = 4
TOSSES = 6
FACES = 6
MARKET = (2, 4, 6)
NAMES = ("first", "second")


def _stack_name(stack):
    return "%s%d" % (REGIONS[stack // 3], stack % 3 + 1)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        self.action_space = Discrete(30)
        self.observation_space = Box(low=-10.0, high=100.0, shape=(STACKS * HEIGHT + 6,), dtype=np.float32)
        self._setup()

    def _setup(self):
        self.stacks = [[] for _ in range(STACKS)]
        self.market = list(MARKET)
        self.count = 0
        self.tosses = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._setup()
        return self._obs(), {}

    def _obs(self):
        values = []
        for stack in self.stacks:
            signed = [value if owner == 0 else -value for owner, value in stack]
            values += signed + [0] * (HEIGHT - len(signed))
        values += list(self.market) + [self.count, self.tosses, self.current_player]
        return np.array(values, dtype=np.float32)

    def _high(self):
        return (self.count // PERIOD) % 2 == 0

    def valid_moves(self):
        if self.done:
            return []
        high = self._high()
        moves = []
        for slot in range(3):
            value = self.market[slot]
            for stack in range(STACKS):
                pile = self.stacks[stack]
                if len(pile) >= HEIGHT:
                    continue
                if pile:
                    top = pile[-1][1]
                    if high and value <= top:
                        continue
                    if not high and value >= top:
                        continue
                moves.append(slot * STACKS + stack)
        return moves + [27, 28, 29]

    def _total(self, region, player):
        total = 0
        for stack in range(3 * region, 3 * region + 3):
            pile = self.stacks[stack]
            for place, (owner, value) in enumerate(pile):
                if owner == player:
                    total += value if place == len(pile) - 1 else 1
        return total

    def _region_winner(self, region):
        return 0 if self._total(region, 0) >= self._total(region, 1) else 1

    def _apply(self, action):
        me = self.current_player
        if action >= 27:
            slot = action - 27
            self.tosses += 1
        else:
            slot, stack = divmod(action, STACKS)
            self.stacks[stack].append((me, self.market[slot]))
            self.tosses = 0
        self.market[slot] = 0
        self.count += 1
        self.current_player = 1 - me
        full = all(len(pile) == HEIGHT for pile in self.stacks)
        if full or self.count == LIMIT or self.tosses == TOSSES:
            self.done = True
            regions = sum(1 for region in range(3) if self._region_winner(region) == 0)
            self.winner = 0 if regions >= 2 else 1
        return slot

    def step(self, action):
        action = int(action)
        me = self.current_player
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": 1 - me}
        slot = self._apply(action)
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        self.market[slot] = int(self.np_random.integers(1, FACES + 1))
        return self._obs(), 0.0, False, False, {}

    def chance(self, action):
        action = int(action)
        base = self.clone()
        if action not in self.valid_moves():
            base.step(action)
            return [(1.0, base)]
        slot = base._apply(action)
        if base.done:
            return [(1.0, base)]
        outcomes = []
        for value in range(1, FACES + 1):
            child = base.clone()
            child.market[slot] = value
            outcomes.append((1.0 / FACES, child))
        return outcomes

    def render(self):
        lines = []
        for stack in range(STACKS):
            pile = self.stacks[stack]
            text = " ".join("%d%s" % (value, "XO"[owner]) for owner, value in pile) if pile else "empty"
            lines.append("%s: %s" % (_stack_name(stack), text))
        lines.append("market: " + " ".join(str(value) if value else "-" for value in self.market))
        lines.append("rule: " + ("higher covers lower" if self._high() else "lower covers higher"))
        lines.append("totals: " + ", ".join(
            "%s %d-%d" % (REGIONS[r], self._total(r, 0), self._total(r, 1)) for r in range(3)))
        lines.append("moves made: %d of %d" % (self.count, LIMIT))
        lines.append("tosses in a row: %d" % self.tosses)
        lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action >= 27:
            return "toss " + SLOTS[action - 27]
        slot, stack = divmod(action, STACKS)
        return "%s on %s" % (SLOTS[slot], _stack_name(stack))

    def clone(self):
        other = copy.copy(self)
        other.stacks = [list(pile) for pile in self.stacks]
        other.market = list(self.market)
        other.np_random = copy.deepcopy(self.np_random)
        return other

    def key(self):
        return (tuple(tuple(pile) for pile in self.stacks), tuple(self.market), self.count,
                self.tosses, self.current_player, self.done, self.winner)

    def view(self, player):
        return {
            "player": int(player),
            "board": self.render(),
            "observation": [float(value) for value in self._obs()],
            "log": ["nothing is hidden"],
            "stacks": [[[int(owner), int(value)] for owner, value in pile] for pile in self.stacks],
            "market": [int(value) for value in self.market],
            "count": int(self.count),
            "tosses": int(self.tosses),
            "current_player": int(self.current_player),
            "done": bool(self.done),
            "winner": None if self.winner is None else int(self.winner),
        }

    def resample(self, view, rng):
        self.stacks = [[(owner, value) for owner, value in pile] for pile in view["stacks"]]
        self.market = list(view["market"])
        self.count = view["count"]
        self.tosses = view["tosses"]
        self.current_player = view["current_player"]
        self.done = view["done"]
        self.winner = view["winner"]
        self.np_random = rng
