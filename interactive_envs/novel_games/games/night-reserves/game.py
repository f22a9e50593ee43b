"""Night Reserves: two castles with four gates, men posted, shifted and mustered in secret, assaults in the open."""

from functools import cache, lru_cache
from itertools import product

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

GATES = "abcd"
SEATS = ("first", "second")
START_MEN = 6
MOST_MEN = 8
WALL = 2
HITS_TO_WIN = 3
TURNS = 32
POSTS = [men for men in product(range(START_MEN + 1), repeat=4) if sum(men) == START_MEN]
SHIFTS = [(x, y) for x in range(4) for y in range(4) if x != y]
ASSAULT = len(POSTS)
MUSTER = ASSAULT + 4
SHIFT = MUSTER + 4
ACTIONS = SHIFT + len(SHIFTS)
FROM = [[SHIFT + i for i, (x, _) in enumerate(SHIFTS) if x == gate] for gate in range(4)]
TITLES = ["post " + " ".join(map(str, men)) for men in POSTS]
TITLES += [f"{verb} {gate}" for verb in ("assault", "muster") for gate in GATES]
TITLES += [f"shift {GATES[x]} to {GATES[y]}" for x, y in SHIFTS]
UNKNOWN = MOST_MEN + 1
WIDTH = 27


@cache
def _after_secret(men, kind):
    moves = [(-1, y) for y in range(4)] if kind == "muster" else [(x, y) for x, y in SHIFTS if men[x]]
    return [tuple(n + (g == y) - (g == x) for g, n in enumerate(men)) for x, y in moves]


@lru_cache(maxsize=20000)
def _beliefs(events):
    """How many secret histories lead to each posting, given a castle's own part of the public events."""
    if len(events) < 2:
        return dict.fromkeys(POSTS, 1)
    before = _beliefs(events[:-1])
    kind, gate, shown = events[-1]
    after = {}
    if kind == "assault":
        for men, weight in before.items():
            if men[gate] == shown:
                after[_put(men, gate, max(0, shown - 1))] = weight
        return after
    for men, weight in before.items():
        for new in _after_secret(men, kind):
            after[new] = after.get(new, 0) + weight
    return after


def _put(row, place, value):
    return (*row[:place], value, *row[place + 1 :])


class CustomEnv(gymnasium.Env):
    """All that both know is the list of events; only the numbers of men are secret."""

    def __init__(self):
        self.action_space = Discrete(ACTIONS)
        self.observation_space = Box(low=0, high=1, shape=(WIDTH,), dtype=np.float32)
        self._start()

    def _start(self):
        self.men = [None, None]
        self.walls = [(WALL,) * 4, (WALL,) * 4]
        self.shown = [(UNKNOWN,) * 4, (UNKNOWN,) * 4]
        self.hits = [0, 0]
        self.events = ()
        self.current_player = 0
        self.over = False

    def reset(self, seed=None, options=None):
        """Starts a new game."""
        super().reset(seed=seed)
        self._start()
        return self._observe(0), {}

    def step(self, action):
        """Plays a move for the player whose turn it is."""
        action = int(action)
        player = self.current_player
        if action not in self.valid_moves():
            return self._observe(player), -10, True, False, {"illegal": True}
        if action < ASSAULT:
            self.men[player] = POSTS[action]
            event = (player, "post", 0, 0, 0)
        elif action < MUSTER:
            gate, men = action - ASSAULT, self.men[player]
            event = (player, "assault", gate, men[gate], self.men[1 - player][gate])
            self.men = [_put(men, gate, max(0, men[gate] - 1)) for men in self.men]
        elif action < SHIFT:
            men, gate = self.men[player], action - MUSTER
            self.men[player] = _put(men, gate, men[gate] + 1)
            event = (player, "muster", 0, 0, 0)
        else:
            x, y = SHIFTS[action - SHIFT]
            men = self.men[player]
            self.men[player] = _put(_put(men, x, men[x] - 1), y, men[y] + 1)
            event = (player, "shift", 0, 0, 0)
        self._record(event)
        if not self.over:
            return self._observe(1 - player), 0, False, False, {}
        scores = [(self.hits[p], sum(self.men[p])) for p in (0, 1)]
        winner = int(scores[0] <= scores[1])
        return self._observe(1 - player), 1 if winner == player else -1, True, False, {"winner": winner}

    def _record(self, event):
        player, kind, gate, own, other = event
        self.events += (event,)
        if kind == "assault":
            for seat, count in ((player, own), (1 - player, other)):
                self.shown[seat] = _put(self.shown[seat], gate, max(0, count - 1))
            if own > other:
                walls = self.walls[1 - player]
                self.walls[1 - player] = _put(walls, gate, walls[gate] - 1)
                self.hits[player] += 1
        self.over = self.hits[player] == HITS_TO_WIN or len(self.events) == TURNS
        self.current_player = 1 - player

    def valid_moves(self):
        """The legal action indices, ascending."""
        player = self.current_player
        men = self.men[player]
        if self.over:
            return []
        if men is None:
            return list(range(ASSAULT))
        walls = self.walls[1 - player]
        out = [ASSAULT + g for g in (0, 1, 2, 3) if men[g] and walls[g]]
        if sum(men) < MOST_MEN:
            out += [MUSTER, MUSTER + 1, MUSTER + 2, MUSTER + 3]
        for gate in (0, 1, 2, 3):
            if men[gate]:
                out += FROM[gate]
        return out

    def move_name(self, action):
        """The move in words."""
        return TITLES[action]

    def render(self):
        """What the player to move may see."""
        return self._board(self.current_player)

    def _total(self, player):
        return START_MEN if self.men[player] is None else sum(self.men[player])

    def _board(self, player):
        rows = (
            ("your men", self.men[player] or "----"),
            ("your walls", self.walls[player]),
            ("their walls", self.walls[1 - player]),
            ("their men last seen", ["?" if n == UNKNOWN else n for n in self.shown[1 - player]]),
        )
        lines = [f"{'gate':20}" + " ".join(GATES)]
        lines += [f"{title:20}" + " ".join(map(str, row)) for title, row in rows]
        mine, theirs = self._total(player), self._total(1 - player)
        lines.append(f"men in all: you {mine}, they {theirs}; moves left {TURNS - len(self.events)}")
        lines.append(f"hits: you {self.hits[player]}, they {self.hits[1 - player]}")
        return "\n".join(lines)

    def _observe(self, me):
        other = 1 - me
        cells = [n / MOST_MEN for n in self.men[me] or (0, 0, 0, 0)]
        cells += [n / WALL for n in self.walls[me]]
        cells += [n / WALL for n in self.walls[other]]
        cells += [n / UNKNOWN for n in self.shown[me]]
        cells += [n / UNKNOWN for n in self.shown[other]]
        cells += [self._total(me) / MOST_MEN, self._total(other) / MOST_MEN]
        cells += [self.hits[me] / HITS_TO_WIN, self.hits[other] / HITS_TO_WIN]
        cells += [len(self.events) / TURNS, self.men[me] is None, me]
        return np.array(cells, dtype=np.float32)

    def clone(self):
        """An independent copy."""
        new = CustomEnv.__new__(CustomEnv)
        new.__dict__.update(self.__dict__)
        new.men = self.men.copy()
        new.walls = self.walls.copy()
        new.shown = self.shown.copy()
        new.hits = self.hits.copy()
        return new

    def key(self):
        """The complete state."""
        return *self.men, self.events

    def _tell(self, event):
        player, kind, gate, own, other = event
        if kind != "assault":
            return f"{SEATS[player]} makes a secret {kind}"
        end = "the wall is hit" if own > other else "the wall holds"
        return f"{SEATS[player]} assaults {GATES[gate]} with {own} against {other}: {end}"

    def view(self, player):
        """All that a player may know."""
        return {
            "player": player,
            "board": self._board(player),
            "observation": self._observe(player).tolist(),
            "men": self.men[player] and list(self.men[player]),
            "events": [list(event) for event in self.events],
            "log": [self._tell(event) for event in self.events],
        }

    def resample(self, view, rng):
        """Draws the other side's men among all secret histories that fit the view."""
        player = view["player"]
        self._start()
        for event in view["events"]:
            self._record(tuple(event))
        self.men[player] = view["men"] and tuple(view["men"])
        part = [
            (kind, gate, other if seat == player else own)
            for seat, kind, gate, own, other in self.events
            if seat != player or kind == "assault"
        ]
        if part:
            beliefs = _beliefs(tuple(part))
            weights = np.array(list(beliefs.values()), dtype=float)
            choice = rng.choice(len(weights), p=weights / weights.sum())
            self.men[1 - player] = list(beliefs)[choice]
