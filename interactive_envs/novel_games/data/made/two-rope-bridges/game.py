import copy

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

LENGTH = 12
CARDS = ("step", "stride", "dash", "vault", "shove", "brace")
COSTS = (0, 1, 3, 3, 2, 1)
BRIDGES = ("north", "south")
VAULT = 3
SHOVE = 4
BRACE = 5
GATHER = 12
UNDO = 13
START_COINS = 2
MOST_COINS = 9
SHOVE_BACK = 2
LAST_MOVE = 80
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    metadata = {"render_modes": []}

    def __init__(self):
        super().__init__()
        self.action_space = Discrete(14)
        self.observation_space = Box(low=0.0, high=100.0, shape=(27,), dtype=np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.planks = [[0, 0], [0, 0]]
        self.coins = [START_COINS, START_COINS]
        self.hands = [[True] * 6, [True] * 6]
        self.braced = [[False, False], [False, False]]
        self.undos = [1, 1]
        self.before = None
        self.before_free = False
        self.last_action = None
        self.barred = None
        self.moves = 0
        self.over = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observation(), {}

    def _observation(self):
        values = self.planks[0] + self.planks[1] + self.coins
        values = list(values)
        for player in range(2):
            values += [int(h) for h in self.hands[player]]
        for player in range(2):
            values += [int(b) for b in self.braced[player]]
        values += list(self.undos)
        values.append(0 if self.barred is None else self.barred + 1)
        values.append(self.moves)
        values.append(self.current_player)
        return np.array(values, dtype=np.float32)

    def _plain_moves(self):
        me = self.current_player
        foe = 1 - me
        moves = []
        for card in range(6):
            if not self.hands[me][card] or self.coins[me] < COSTS[card]:
                continue
            for bridge in range(2):
                theirs = self.planks[foe][bridge]
                total = self.planks[me][bridge] + theirs
                if card < 3:
                    allowed = total > LENGTH or total + card + 1 < LENGTH
                elif card == VAULT:
                    allowed = total == LENGTH - 1 and not self.braced[foe][bridge]
                elif card == SHOVE:
                    allowed = (
                        total == LENGTH - 1
                        and theirs > 0
                        and not self.braced[foe][bridge]
                    )
                else:
                    allowed = True
                if allowed:
                    moves.append(card * 2 + bridge)
        if not all(self.hands[me]):
            moves.append(GATHER)
        return moves

    def _may_undo(self):
        return (
            self.undos[self.current_player] > 0
            and self.before is not None
            and self.before_free
        )

    def valid_moves(self):
        if self.over:
            return []
        moves = [m for m in self._plain_moves() if m != self.barred]
        if self._may_undo():
            moves.append(UNDO)
        return moves

    def _snapshot(self):
        return (
            tuple(tuple(p) for p in self.planks),
            tuple(self.coins),
            tuple(tuple(h) for h in self.hands),
            tuple(tuple(b) for b in self.braced),
        )

    def _restore(self, snapshot):
        self.planks = [list(p) for p in snapshot[0]]
        self.coins = list(snapshot[1])
        self.hands = [list(h) for h in snapshot[2]]
        self.braced = [list(b) for b in snapshot[3]]

    def step(self, action):
        action = int(action)
        me = self.current_player
        foe = 1 - me
        if self.over:
            return self._observation(), -10.0, True, False, {"winner": self.winner}
        if action not in self.valid_moves():
            self.over = True
            self.winner = foe
            return self._observation(), -10.0, True, False, {"winner": self.winner}
        if action == UNDO:
            self.undos[me] -= 1
            self._restore(self.before)
            self.barred = self.last_action
            self.before = None
            self.before_free = False
            self.last_action = None
        else:
            self.before_free = len(self._plain_moves()) > 1
            self.before = self._snapshot()
            self.last_action = action
            self.barred = None
            self.braced[me] = [False, False]
            if action == GATHER:
                self.hands[me] = [True] * 6
            else:
                card, bridge = divmod(action, 2)
                self.hands[me][card] = False
                self.coins[me] -= COSTS[card]
                if card < 3:
                    self.planks[me][bridge] = min(
                        LENGTH, self.planks[me][bridge] + card + 1
                    )
                elif card == VAULT:
                    self.planks[me][bridge] = min(LENGTH, self.planks[me][bridge] + 2)
                elif card == SHOVE:
                    self.planks[foe][bridge] = max(
                        0, self.planks[foe][bridge] - SHOVE_BACK
                    )
                else:
                    self.braced[me][bridge] = True
                if self.planks[me][bridge] >= LENGTH:
                    self.over = True
                    self.winner = me
            self.coins[me] = min(MOST_COINS, self.coins[me] + 1)
        self.moves += 1
        if not self.over and self.moves >= LAST_MOVE:
            self.over = True
            self.winner = 0 if sum(self.planks[0]) > sum(self.planks[1]) else 1
        self.current_player = foe
        if self.over:
            reward = 1.0 if self.winner == me else 0.0
            return self._observation(), reward, True, False, {"winner": self.winner}
        return self._observation(), 0.0, False, False, {}

    def render(self):
        lines = []
        for bridge in range(2):
            lines.append(
                "%s: first %d, second %d"
                % (BRIDGES[bridge], self.planks[0][bridge], self.planks[1][bridge])
            )
        lines.append("coins: first %d, second %d" % (self.coins[0], self.coins[1]))
        for player in range(2):
            cards = [CARDS[c] for c in range(6) if self.hands[player][c]]
            text = " ".join(cards) if cards else "none"
            lines.append("%s holds: %s" % (NAMES[player], text))
        braced = []
        for player in range(2):
            for bridge in range(2):
                if self.braced[player][bridge]:
                    braced.append(NAMES[player] + " " + BRIDGES[bridge])
        lines.append("braced: " + (", ".join(braced) if braced else "none"))
        lines.append("undo left: first %d, second %d" % (self.undos[0], self.undos[1]))
        barred = "none" if self.barred is None else self.move_name(self.barred)
        lines.append("barred: " + barred)
        lines.append("moves made: %d of %d" % (self.moves, LAST_MOVE))
        if self.over:
            lines.append("game over")
        else:
            lines.append("to move: " + NAMES[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        action = int(action)
        if action == UNDO:
            return "undo"
        if action == GATHER:
            return "gather"
        card, bridge = divmod(action, 2)
        return CARDS[card] + " " + BRIDGES[bridge]

    def clone(self):
        other = copy.copy(self)
        other.planks = [list(p) for p in self.planks]
        other.coins = list(self.coins)
        other.hands = [list(h) for h in self.hands]
        other.braced = [list(b) for b in self.braced]
        other.undos = list(self.undos)
        return other

    def key(self):
        history = (self.before, self.last_action) if self._may_undo() else None
        return (
            self.current_player,
            self._snapshot(),
            tuple(self.undos),
            history,
            self.barred,
            self.moves,
            self.over,
        )
