import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SEATS = ("first", "second")
PILES = (1, 6, 2, 5, 3, 4)
CELLS = len(PILES)
CARDS = 10
TAKES_FROM = 3
LAST_MOVE = 40
KINDS = ("split", "back", "merge", "haul")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(4 * CELLS)
        self.observation_space = Box(-1.0, 50.0, shape=(CELLS + CARDS + 2,), dtype=np.float32)
        self._set_up()

    def _set_up(self):
        self.piles = list(PILES)
        # the owner of each card: 0 is the table, 1 is first, 2 is second
        self.owners = [0] * CARDS
        self.moves = 0
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._set_up()
        return self._observe(), {}

    def _observe(self):
        values = self.piles + self.owners + [self.moves, self.current_player]
        return np.array(values, dtype=np.float32)

    def _held(self, player):
        return [card + 1 for card in range(CARDS) if self.owners[card] == player + 1]

    def _legal(self):
        player = self.current_player
        behind = len(self._held(player)) < len(self._held(1 - player))
        moves = []
        for cell in range(CELLS):
            if self.piles[cell] >= 2:
                moves.append(cell)
                moves.append(CELLS + cell)
            if self.piles[cell] >= 1:
                moves.append(2 * CELLS + cell)
                if behind:
                    moves.append(3 * CELLS + cell)
        return moves

    def valid_moves(self):
        if self.done:
            return []
        return self._legal()

    def _has_sum(self, player):
        held = self._held(player)
        for i in range(len(held)):
            for j in range(i + 1, len(held)):
                if held[i] + held[j] in held:
                    return True
        return False

    def step(self, action):
        action = int(action)
        player = self.current_player
        if self.done or action not in self._legal():
            self.done = True
            self.winner = 1 - player
            return self._observe(), -10, True, False, {"winner": self.winner}
        kind, cell = divmod(action, CELLS)
        target = (cell + 1) % CELLS if kind in (0, 2) else (cell - 1) % CELLS
        amount = self.piles[cell] // 2 if kind < 2 else self.piles[cell]
        self.piles[cell] -= amount
        self.piles[target] += amount
        self.moves += 1
        size = self.piles[target]
        if self.moves >= TAKES_FROM and size <= CARDS and self.owners[size - 1] == 0:
            self.owners[size - 1] = player + 1
            if self._has_sum(player):
                self.done = True
                self.winner = player
                return self._observe(), 1, True, False, {"winner": player}
        if self.moves >= LAST_MOVE or 0 not in self.owners:
            self.done = True
            scores = [(len(self._held(seat)), sum(self._held(seat))) for seat in range(2)]
            if scores[0] > scores[1]:
                self.winner = 0
            elif scores[1] > scores[0]:
                self.winner = 1
            reward = 1 if self.winner == player else 0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = 1 - player
        return self._observe(), 0, False, False, {}

    def render(self):
        table = [card + 1 for card in range(CARDS) if self.owners[card] == 0]
        lines = ["cells: 1 2 3 4 5 6"]
        lines.append("piles: %s" % " ".join(str(pile) for pile in self.piles))
        lines.append("table: %s" % (" ".join(str(card) for card in table) or "none"))
        for player in range(2):
            lines.append("%s holds: %s" % (SEATS[player], " ".join(
                str(card) for card in self._held(player)) or "none"))
        lines.append("moves: %d" % self.moves)
        if self.done:
            if self.winner is None:
                lines.append("game over: a draw")
            else:
                lines.append("game over: %s has won" % SEATS[self.winner])
        else:
            lines.append("to move: %s" % SEATS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        kind, cell = divmod(int(action), CELLS)
        return "%s %d" % (KINDS[kind], cell + 1)

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.piles = list(self.piles)
        other.owners = list(self.owners)
        return other

    def key(self):
        return (tuple(self.piles), tuple(self.owners), self.moves,
                self.current_player, self.done, self.winner)
