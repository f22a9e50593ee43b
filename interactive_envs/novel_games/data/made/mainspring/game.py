import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

NAMES = ("first", "second")
MOVES = ("push 1", "push 2", "push 3", "push 4", "copy", "fold")
CARDS = ("1", "2", "3", "4", "copy")
COPY = 4
FOLD = 5
ENERGY = 20


def extra(hand):
    far = min(hand, 12 - hand)
    if far <= 1:
        return 0
    if far <= 3:
        return 1
    return 2


def cost(action, hand):
    if action == FOLD:
        return 1 + extra(hand)
    if action == COPY:
        return 2 + extra(hand)
    return action + 1 + extra(hand)


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self, render_mode=None):
        self.render_mode = render_mode
        self.action_space = Discrete(6)
        self.observation_space = Box(-1.0, 100.0, shape=(18,), dtype=np.float32)
        self._begin()

    def _begin(self):
        self.current_player = 0
        self.hand = 0
        self.energy = [ENERGY, ENERGY]
        self.ready = [[True] * 5, [True] * 5]
        self.pending = None
        self.history = []
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._begin()
        return self._obs(), {}

    def _options(self, player):
        out = []
        for a in range(5):
            if self.ready[player][a] and cost(a, self.hand) <= self.energy[player]:
                out.append(a)
        if not all(self.ready[player]) and cost(FOLD, self.hand) <= self.energy[player]:
            out.append(FOLD)
        return out

    def valid_moves(self):
        if self.done:
            return []
        return self._options(self.current_player)

    def _side(self):
        if 1 <= self.hand <= 5:
            return 1
        if 7 <= self.hand <= 11:
            return 0
        return -1

    def _resolve(self, one, two):
        choice = (one, two)
        pushes = [a + 1 if a < COPY else 0 for a in choice]
        if one == COPY and two < COPY:
            pushes[0] = pushes[1]
        if two == COPY and one < COPY:
            pushes[1] = pushes[0]
        for p in (0, 1):
            self.energy[p] -= cost(choice[p], self.hand)
            if choice[p] == FOLD:
                self.ready[p] = [True] * 5
            else:
                self.ready[p][choice[p]] = False
        self.hand = (self.hand + pushes[0] - pushes[1]) % 12
        hurt = self._side()
        if hurt >= 0:
            far = min(self.hand, 12 - self.hand)
            self.energy[hurt] = max(0, self.energy[hurt] - (far + 1) // 2)
        self.history.append(
            "round %d: first %s, second %s, hand on %d, energy %d and %d"
            % (
                len(self.history) + 1,
                MOVES[one],
                MOVES[two],
                self.hand if self.hand else 12,
                self.energy[0],
                self.energy[1],
            )
        )
        free = [len(self._options(0)) > 0, len(self._options(1)) > 0]
        if free[0] and free[1]:
            return
        self.done = True
        if free[0] != free[1]:
            self.winner = 0 if free[0] else 1
        elif self.energy[0] != self.energy[1]:
            self.winner = 0 if self.energy[0] > self.energy[1] else 1
        elif hurt == 1:
            self.winner = 0
        else:
            self.winner = 1

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done:
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._obs(), -10.0, True, False, {"winner": self.winner}
        if me == 0:
            self.pending = action
            self.current_player = 1
            return self._obs(), 0.0, False, False, {}
        one = self.pending
        self.pending = None
        self._resolve(one, action)
        if self.done:
            reward = 1.0 if self.winner == me else 0.0
            return self._obs(), reward, True, False, {"winner": self.winner}
        self.current_player = 0
        return self._obs(), 0.0, False, False, {}

    def _obs_of(self, player):
        other = 1 - player
        out = [self.hand, self.energy[player], self.energy[other]]
        out += [1 if x else 0 for x in self.ready[player]]
        out += [1 if x else 0 for x in self.ready[other]]
        own = self.pending if player == 0 and self.pending is not None else -1
        out += [1 if self.pending is not None else 0, own]
        out += [self.current_player, player, 1 if self.done else 0]
        return np.array(out, dtype=np.float32)

    def _obs(self):
        return self._obs_of(self.current_player)

    def view(self, player):
        player = int(player)
        log = list(self.history)
        own = None
        if player == 0 and self.pending is not None:
            own = int(self.pending)
            log.append("you have chosen " + MOVES[own])
        return {
            "player": player,
            "board": self.render(),
            "observation": [float(x) for x in self._obs_of(player)],
            "log": log,
            "state": {
                "hand": int(self.hand),
                "energy": [int(x) for x in self.energy],
                "ready": [[bool(x) for x in self.ready[0]], [bool(x) for x in self.ready[1]]],
                "history": list(self.history),
                "to_move": int(self.current_player),
                "chosen": self.pending is not None,
                "own": own,
                "done": bool(self.done),
                "winner": self.winner,
            },
        }

    def resample(self, view, rng):
        state = view["state"]
        self.hand = state["hand"]
        self.energy = list(state["energy"])
        self.ready = [list(state["ready"][0]), list(state["ready"][1])]
        self.history = list(state["history"])
        self.current_player = state["to_move"]
        self.done = state["done"]
        self.winner = state["winner"]
        self.pending = None
        if state["chosen"]:
            if state["own"] is not None:
                self.pending = state["own"]
            else:
                options = self._options(0)
                pick = min(int(rng.random() * len(options)), len(options) - 1)
                self.pending = options[pick]

    def render(self):
        lines = ["hand: %d" % (self.hand if self.hand else 12)]
        lines.append("energy: first %d, second %d" % (self.energy[0], self.energy[1]))
        for p in (0, 1):
            left = [CARDS[a] for a in range(5) if self.ready[p][a]]
            lines.append("cards of %s: %s" % (NAMES[p], " ".join(left) if left else "none"))
        lines.append("extra cost: %d" % extra(self.hand))
        lines.append("chosen: " + ("first" if self.pending is not None else "nobody"))
        lines.append("to move: " + ("nobody" if self.done else NAMES[self.current_player]))
        return "\n".join(lines)

    def move_name(self, action):
        return MOVES[int(action)]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.energy = list(self.energy)
        other.ready = [list(self.ready[0]), list(self.ready[1])]
        other.history = list(self.history)
        other._np_random = copy.deepcopy(self._np_random)
        return other

    def key(self):
        return (
            self.current_player,
            self.hand,
            tuple(self.energy),
            tuple(self.ready[0]),
            tuple(self.ready[1]),
            self.pending,
            self.done,
            self.winner,
        )
