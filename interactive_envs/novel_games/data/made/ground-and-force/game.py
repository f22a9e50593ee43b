import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SEATS = ("first", "second")
NAMES = ("advance", "lunge", "train", "ease", "shove", "jolt")
USES = (6, 3, 4, 3, 3, 2)
GROUND = (0, 2)
FORCE = 2
TOP = 6
TARGET = 24
FALL = 12


class CustomEnv(gymnasium.Env):
    def __init__(self):
        super().__init__()
        self.action_space = Discrete(len(NAMES))
        self.observation_space = Box(-1.0, 60.0, shape=(17,), dtype=np.float32)
        self._set_up()

    def _set_up(self):
        self.ground = list(GROUND)
        self.force = [FORCE, FORCE]
        self.uses = [list(USES), list(USES)]
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._set_up()
        return self._observe(), {}

    def _observe(self):
        values = self.ground + self.force + self.uses[0] + self.uses[1]
        values = values + [self.current_player]
        return np.array(values, dtype=np.float32)

    def _moves(self, player):
        foe = 1 - player
        moves = []
        for action in range(len(NAMES)):
            if self.uses[player][action] == 0:
                continue
            if action == 2 and self.force[player] >= TOP:
                continue
            if action == 3 and self.force[player] <= 1:
                continue
            if action == 4 and self.ground[foe] == 0:
                continue
            if action == 5 and self.force[foe] >= TOP:
                continue
            moves.append(action)
        return moves

    def valid_moves(self):
        if self.done:
            return []
        return self._moves(self.current_player)

    def step(self, action):
        action = int(action)
        player = self.current_player
        foe = 1 - player
        if self.done or action not in self._moves(player):
            self.done = True
            self.winner = foe
            return self._observe(), -10, True, False, {"winner": self.winner}
        self.uses[player][action] -= 1
        if action <= 1:
            self.ground[player] += self.force[player] * (action + 1)
            if self.ground[player] == TARGET:
                self.done = True
                self.winner = player
                return self._observe(), 1, True, False, {"winner": player}
            if self.ground[player] > TARGET:
                self.ground[player] = FALL
        elif action == 2:
            self.force[player] += 1
        elif action == 3:
            self.force[player] -= 1
        elif action == 4:
            self.ground[foe] = max(0, self.ground[foe] - self.force[player])
        else:
            self.force[foe] += 1
        if not self._moves(foe):
            self.done = True
            self.winner = foe if self.ground[foe] > self.ground[player] else player
            reward = 1 if self.winner == player else 0
            return self._observe(), reward, True, False, {"winner": self.winner}
        self.current_player = foe
        return self._observe(), 0, False, False, {}

    def render(self):
        lines = []
        for player in range(2):
            lines.append("%s: ground %d, force %d" % (
                SEATS[player], self.ground[player], self.force[player]))
        for player in range(2):
            lines.append("%s has left: %s" % (SEATS[player], ", ".join(
                "%s %d" % (NAMES[action], self.uses[player][action])
                for action in range(len(NAMES)))))
        if self.done:
            lines.append("game over: %s has won" % SEATS[self.winner])
        else:
            lines.append("to move: %s" % SEATS[self.current_player])
        return "\n".join(lines)

    def move_name(self, action):
        return NAMES[int(action)]

    def clone(self):
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other.ground = list(self.ground)
        other.force = list(self.force)
        other.uses = [list(uses) for uses in self.uses]
        return other

    def key(self):
        return (tuple(self.ground), tuple(self.force), tuple(self.uses[0]),
                tuple(self.uses[1]), self.current_player, self.done, self.winner)
