"""Sealed Freight: cards laid face down under a claim, which the other player trusts or checks."""

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

TOP = 6
TRUST = TOP * TOP
CHECK = TRUST + 1
FULL = (1 << TOP) - 1
MOST = 72
SEATS = ("First", "Second")
CARDS = [[card for card in range(1, TOP + 1) if mask >> card - 1 & 1] for mask in range(FULL + 1)]
BITS = [[float(mask >> card & 1) for card in range(TOP)] for mask in range(FULL + 1)]
HOT = [[float(card == other) for other in range(1, TOP + 1)] for card in range(TOP + 1)]
LAYS = [[(card - 1) * TOP + claim for card in CARDS[mask] for claim in range(TOP)] for mask in range(FULL + 1)]


class CustomEnv(gymnasium.Env):
    """Both players ship the cards 1 to 6, honestly or not."""

    def __init__(self):
        self.action_space = Discrete(CHECK + 1)
        self.observation_space = Box(0, 1, (8 * TOP + 3,), np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.hands = (FULL, FULL)
        self.shown = (0, 0)
        self.score = (0, 0)
        self.trusted = ((0,) * TOP, (0,) * TOP)  # how often each player was trusted with each claim
        self.crate = None  # (card, claim) that waits for the other player's answer
        self.log = ()
        self.legal = LAYS[FULL]

    def reset(self, seed=None, options=None):
        """Give both players their six cards."""
        super().reset(seed=seed)
        self._start()
        return self._observe(self.current_player), {}

    def step(self, action):
        """Lay a card under a claim, or answer a claim."""
        action = int(action)
        if action not in self.legal:
            return self._observe(self.current_player), -10.0, True, False, {"illegal": True}
        me = self.current_player
        if action < TRUST:
            card, claim = action // TOP + 1, action % TOP + 1
            self.crate = (card, claim)
            self.hands = self._put(self.hands, me, self.hands[me] ^ 1 << card - 1)
            self.log += (f"{SEATS[me]} lays a card and claims {claim}",)
            self.current_player = 1 - me
        else:
            self._answer(me, action == CHECK)
        winner = self._settle()
        if winner != "nobody":
            reward = 0.0 if winner is None else 1.0 if winner == me else -1.0
            return self._observe(me), reward, True, False, {"winner": winner}
        return self._observe(self.current_player), 0.0, False, False, {}

    @staticmethod
    def _put(pair, player, value):
        return (pair[0], value) if player else (value, pair[1])

    def _answer(self, me, check):
        other = 1 - me
        card, claim = self.crate
        self.crate = None
        gainer, points = other, claim
        if check:
            self.shown = self._put(self.shown, other, self.shown[other] | 1 << card - 1)
            gainer, points = (other, 2 * claim) if card == claim else (me, claim)
            word = f"checks: it is the {card}"
        else:
            counts = list(self.trusted[other])
            counts[claim - 1] += 1
            self.trusted = self._put(self.trusted, other, tuple(counts))
            word = "trusts it"
        self.score = self._put(self.score, gainer, self.score[gainer] + points)
        self.log += (f"{SEATS[me]} {word}, {SEATS[gainer]} scores {points}",)

    def _settle(self):
        first, second = self.score
        if self.crate:
            self.legal = [TRUST, CHECK]
        else:
            self.legal = LAYS[self.hands[self.current_player]]
            if not self.legal:
                return None if first == second else int(second > first)
        return "nobody"

    def valid_moves(self):
        """List the actions that the rules allow now."""
        return self.legal[:]

    def move_name(self, action):
        """Name an action."""
        if action < TRUST:
            return f"lay {action // TOP + 1} as {action % TOP + 1}"
        return "trust" if action == TRUST else "check"

    def render(self):
        """Draw what the player to move sees."""
        return self._board(self.current_player)

    def _board(self, me):
        if not self.crate:
            quay = "quay: empty"
        else:
            card, claim = self.crate
            mine = me != self.current_player
            quay = f"quay: a card of {SEATS[1 - self.current_player]}, claimed to be {claim}"
            quay += f" (it is the {card})" if mine else ""
        lines = [quay]
        for seat, name in enumerate(SEATS):
            cards = " ".join(map(str, CARDS[self.hands[seat]])) or "none"
            hand = f"hand {cards}" if seat == me else f"cards in hand: {len(CARDS[self.hands[seat]])}"
            shown = " ".join(map(str, CARDS[self.shown[seat]])) or "none"
            lines.append(f"{name}: {self.score[seat]} points, {hand}, checked cards {shown}")
        return "\n".join(lines)

    def clone(self):
        """Copy the game."""
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other._np_random = None
        return other

    def key(self):
        """Identify the position."""
        return self.current_player, self.hands, self.shown, self.score, self.trusted, self.crate

    def view(self, player):
        """Tell what a player knows: all but the other hand and the other player's face-down cards."""
        mine = player != self.current_player
        return {
            "player": player,
            "board": self._board(player),
            "observation": self._observe(player).tolist(),
            "log": list(self.log),
            "mover": self.current_player,
            "hand": self.hands[player],
            "cards": len(CARDS[self.hands[1 - player]]),
            "shown": list(self.shown),
            "score": list(self.score),
            "trusted": [list(counts) for counts in self.trusted],
            "claim": self.crate[1] if self.crate else 0,
            "crate": self.crate[0] if self.crate and mine else 0,
        }

    def resample(self, view, rng):
        """Take over a view and deal the other player's unseen cards anew."""
        me = view["player"]
        self.current_player = view["mover"]
        self.shown = tuple(view["shown"])
        self.score = tuple(view["score"])
        self.trusted = tuple(tuple(counts) for counts in view["trusted"])
        self.log = tuple(view["log"])
        unseen = CARDS[FULL ^ self.shown[1 - me]]
        unseen = [unseen[place] for place in rng.permutation(len(unseen))]
        hand = sum(1 << card - 1 for card in unseen[: view["cards"]])
        self.hands = self._put((hand, hand), me, view["hand"])
        claim = view["claim"]
        self.crate = (view["crate"] or unseen[view["cards"]], claim) if claim else None
        self._settle()

    def _observe(self, me):
        other = 1 - me
        mine = me != self.current_player
        card, claim = self.crate or (0, 0)
        values = BITS[self.hands[me]] + BITS[self.shown[me]] + BITS[self.shown[other]]
        values += HOT[claim if mine else 0] + HOT[0 if mine else claim] + HOT[card if mine else 0]
        values += [count / TOP for count in self.trusted[me] + self.trusted[other]]
        values += (len(CARDS[self.hands[other]]) / TOP, self.score[me] / MOST, self.score[other] / MOST)
        return np.array(values, np.float32)
