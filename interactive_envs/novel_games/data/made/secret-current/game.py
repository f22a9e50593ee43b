import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

SIZE = 18
VALUES = 5
COPIES = 2
REACH = 7
SECRET = 0
CARD = VALUES
CELL = 2 * VALUES
LETTERS = ("F", "S")
NAMES = ("first", "second")


class CustomEnv(gymnasium.Env):
    def __init__(self):
        self.action_space = Discrete(CELL + SIZE)
        self.observation_space = Box(-1.0, 1.0, shape=(2 * SIZE + 2 * VALUES + 7,),
                                     dtype=np.float32)
        self._start()

    def _start(self):
        self.cells = [None] * SIZE
        self.hands = [[COPIES] * VALUES, [COPIES] * VALUES]
        self.secrets = [0, 0]
        self.chosen = 0
        self.placed = 0
        self.events = []
        self.current_player = 0
        self.done = False
        self.winner = None

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self._start()
        return self._observe(self.current_player), {}

    def _phase(self):
        if self.secrets[self.current_player] == 0:
            return "secret"
        return "card" if self.chosen == 0 else "cell"

    def _observe(self, player):
        values = []
        for cell in self.cells:
            if cell is None:
                values += [0.0, 0.0]
            else:
                values += [1.0 if cell[0] == player else -1.0, cell[1] / VALUES]
        for owner in (player, 1 - player):
            values += [n / COPIES for n in self.hands[owner]]
        values.append(self.secrets[player] / VALUES)
        phase = self._phase()
        values += [1.0 if phase == p else 0.0 for p in ("secret", "card", "cell")]
        values.append(self.chosen / VALUES)
        values.append(self.placed / SIZE)
        values.append(1.0 if self.current_player == player else -1.0)
        return np.array(values, dtype=np.float32)

    def valid_moves(self):
        if self.done:
            return []
        phase = self._phase()
        if phase == "secret":
            return [SECRET + i for i in range(VALUES)]
        if phase == "card":
            hand = self.hands[self.current_player]
            return [CARD + i for i in range(VALUES) if hand[i] > 0]
        empty = [c for c in range(SIZE) if self.cells[c] is None]
        return [CELL + c for c in empty[:REACH - self.chosen]]

    def _place(self, me, cell):
        value = self.chosen
        self.cells[cell] = (me, value)
        self.hands[me][value - 1] -= 1
        self.chosen = 0
        self.placed += 1
        for near in (cell - 1, cell + 1):
            if 0 <= near < SIZE and self.cells[near] is not None:
                owner, strength = self.cells[near]
                if owner != me and strength < value:
                    self.cells[near] = (me, strength)

    def _flow(self):
        for c in range(SIZE - 2, -1, -1):
            if self.cells[c] is not None and self.cells[c + 1] is None:
                self.cells[c + 1] = self.cells[c]
                self.cells[c] = None

    def _chain(self, player):
        best = 0
        run = 0
        for cell in self.cells:
            if cell is not None and (cell[0] == player or cell[1] == self.secrets[player]):
                run += 1
                best = max(best, run)
            else:
                run = 0
        return best

    def _decide(self):
        first = self._chain(0)
        second = self._chain(1)
        if first != second:
            return 0 if first > second else 1
        own_first = sum(1 for cell in self.cells if cell is not None and cell[0] == 0)
        own_second = sum(1 for cell in self.cells if cell is not None and cell[0] == 1)
        if own_first != own_second:
            return 0 if own_first > own_second else 1
        return 0

    def step(self, action):
        action = int(action)
        me = self.current_player
        if self.done or action not in self.valid_moves():
            self.done = True
            self.winner = 1 - me
            return self._observe(me), -10.0, True, False, {"winner": 1 - me}
        phase = self._phase()
        if phase == "secret":
            self.secrets[me] = action - SECRET + 1
            self.events.append(f"{NAMES[me]} has chosen a secret value")
            self.current_player = 1 - me
        elif phase == "card":
            self.chosen = action - CARD + 1
            self.events.append(f"{NAMES[me]} plays card {self.chosen}")
        else:
            cell = action - CELL
            self._place(me, cell)
            self.events.append(f"{NAMES[me]} places it in cell {cell + 1}")
            if self.placed == SIZE:
                self.done = True
                self.winner = self._decide()
                reward = 1.0 if self.winner == me else 0.0
                return self._observe(me), reward, True, False, {"winner": self.winner}
            if me == 1:
                self._flow()
            self.current_player = 1 - me
        return self._observe(self.current_player), 0.0, False, False, {}

    def _cards(self, player):
        cards = []
        for i in range(VALUES):
            cards += [str(i + 1)] * self.hands[player][i]
        return " ".join(cards) or "none"

    def _board(self, player):
        river = " ".join("." if cell is None else f"{LETTERS[cell[0]]}{cell[1]}"
                         for cell in self.cells)
        secret = str(self.secrets[player]) if self.secrets[player] else "none"
        chosen = str(self.chosen) if self.chosen else "none"
        if self.done:
            mover = "game over"
        else:
            mover = f"{NAMES[self.current_player]}, choose a {self._phase()}"
        return "\n".join([
            f"river: {river}",
            f"cards of first: {self._cards(0)}",
            f"cards of second: {self._cards(1)}",
            f"played card: {chosen}",
            f"placed: {self.placed} of {SIZE}",
            f"your secret: {secret}",
            f"to move: {mover}",
        ])

    def render(self):
        return self._board(self.current_player)

    def move_name(self, action):
        action = int(action)
        if action < CARD:
            return f"secret {action - SECRET + 1}"
        if action < CELL:
            return f"card {action - CARD + 1}"
        return f"cell {action - CELL + 1}"

    def view(self, player):
        player = int(player)
        log = list(self.events)
        if self.secrets[player]:
            log.append(f"your secret value is {self.secrets[player]}")
        return {
            "player": player,
            "board": self._board(player),
            "observation": [float(x) for x in self._observe(player)],
            "log": log,
            "events": list(self.events),
            "cells": [None if cell is None else [int(cell[0]), int(cell[1])]
                      for cell in self.cells],
            "hands": [[int(n) for n in hand] for hand in self.hands],
            "secret": int(self.secrets[player]),
            "other_has_secret": bool(self.secrets[1 - player]),
            "chosen": int(self.chosen),
            "placed": int(self.placed),
            "to_move": int(self.current_player),
            "done": bool(self.done),
            "winner": self.winner,
        }

    def resample(self, view, rng):
        player = view["player"]
        self.cells = [None if cell is None else (cell[0], cell[1]) for cell in view["cells"]]
        self.hands = [list(hand) for hand in view["hands"]]
        self.chosen = view["chosen"]
        self.placed = view["placed"]
        self.events = list(view["events"])
        self.current_player = view["to_move"]
        self.done = view["done"]
        self.winner = view["winner"]
        secrets = [0, 0]
        secrets[player] = view["secret"]
        if view["other_has_secret"]:
            if hasattr(rng, "integers"):
                secrets[1 - player] = int(rng.integers(1, VALUES + 1))
            else:
                secrets[1 - player] = int(rng.choice(range(1, VALUES + 1)))
        self.secrets = secrets

    def clone(self):
        other = CustomEnv()
        other.cells = list(self.cells)
        other.hands = [list(hand) for hand in self.hands]
        other.secrets = list(self.secrets)
        other.chosen = self.chosen
        other.placed = self.placed
        other.events = list(self.events)
        other.current_player = self.current_player
        other.done = self.done
        other.winner = self.winner
        return other

    def key(self):
        return (tuple(self.cells), tuple(self.hands[0]), tuple(self.hands[1]),
                tuple(self.secrets), self.chosen, self.placed,
                self.current_player, self.done)
