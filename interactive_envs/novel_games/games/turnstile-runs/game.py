"""Turnstile Runs: cards are laid on posts, and whoever turns a run round scores its length."""

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete

HANDS = ((1, 4, 6, 7, 9, 12), (2, 3, 5, 8, 10, 11))
TOP = 12
REACH = 4
POSTS = 3
MOST = 40
EMPTY = (0, 0, 0, 0)  # top card, direction (+1 up, -1 down, 0 open), length of the run, who laid the top
CARD_BITS = [[float(mask >> card & 1) for card in range(TOP)] for mask in range(1 << TOP)]
FACE = [[float(card == top) for card in range(1, TOP + 1)] for top in range(TOP + 1)]
CARDS_OF = [[card for card in range(1, TOP + 1) if mask >> card - 1 & 1] for mask in range(1 << TOP)]
SEATS = ("First", "Second")


class CustomEnv(gymnasium.Env):
    """Two open hands, three posts, and runs that pay the player who turns them."""

    def __init__(self):
        self.action_space = Discrete(TOP * POSTS)
        self.observation_space = Box(0, 1, (2 * TOP + POSTS * (TOP + 5) + 2,), np.float32)
        self._start()

    def _start(self):
        self.current_player = 0
        self.hands = tuple(sum(1 << card - 1 for card in hand) for hand in HANDS)
        self.posts = (EMPTY,) * POSTS
        self.score = (0, 0)
        self.legal = self._moves(0)

    def reset(self, seed=None, options=None):
        """Deal the fixed hands."""
        super().reset(seed=seed)
        self._start()
        return self._observe(self.current_player), {}

    def step(self, action):
        """Lay a card on a post."""
        action = int(action)
        if action not in self.legal:
            return self._observe(self.current_player), -10.0, True, False, {"illegal": True}
        me = self.current_player
        index, post = divmod(action, POSTS)
        top, way, run, _ = self.posts[post]
        card = index + 1
        news = ""
        if not run:
            laid = (card, 0, 1, me)
        else:
            new = 1 if card > top else -1
            if way == -new:
                self._pay(me, run)
                news = f"turns a run of {run}, scores {run}"
                run = 1
            laid = (card, new, run + 1, me)
        self.posts = (*self.posts[:post], laid, *self.posts[post + 1 :])
        left = self.hands[me] ^ 1 << index
        self.hands = (self.hands[0], left) if me else (left, self.hands[1])
        self.current_player = 1 - me
        self.legal = self._moves(1 - me)
        if not self.legal:
            self.current_player = me
            self.legal = self._moves(me)
            if self.legal:
                news += "; " * bool(news) + f"{SEATS[1 - me]} is skipped"
        if self.legal:
            return self._observe(self.current_player), 0.0, False, False, {"news": news}
        before = self.score
        for _, _, run, owner in self.posts:
            self._pay(1 - owner, run)
        settled = [self.score[seat] - before[seat] for seat in (0, 1)]
        news += "; " * bool(news) + f"settling: {settled[0]} to First, {settled[1]} to Second"
        winner = 0 if self.score[0] >= self.score[1] else 1
        return self._observe(me), 1.0 if winner == me else -1.0, True, False, {"winner": winner, "news": news}

    def _pay(self, player, points):
        first, second = self.score
        self.score = (first, second + points) if player else (first + points, second)

    def _moves(self, player):
        moves = []
        for card in CARDS_OF[self.hands[player]]:
            opened = False
            for post, (top, _, run, _) in enumerate(self.posts):
                if (-REACH <= card - top <= REACH) if run else not opened:
                    moves.append((card - 1) * POSTS + post)
                    opened = opened or not run
        return moves

    def valid_moves(self):
        """List the actions that the rules allow now."""
        return self.legal[:]

    def move_name(self, action):
        """Name an action: the card and the post."""
        return f"{action // POSTS + 1} to {'abc'[action % POSTS]}"

    def render(self):
        """Draw the posts, the hands and the score."""
        lines = []
        for name, (top, way, run, owner) in zip("abc", self.posts, strict=True):
            if not run:
                lines.append(f"post {name}: empty")
            else:
                word = ("open", "up", "down")[way]
                lines.append(f"post {name}: {top} {word}, run of {run}, top laid by {('First', 'Second')[owner]}")
        for seat, name in enumerate(("First", "Second")):
            cards = " ".join(map(str, CARDS_OF[self.hands[seat]])) or "none"
            lines.append(f"{name}: {self.score[seat]} points, hand {cards}")
        return "\n".join(lines)

    def clone(self):
        """Copy the game."""
        other = CustomEnv.__new__(CustomEnv)
        other.__dict__.update(self.__dict__)
        other._np_random = None
        return other

    def key(self):
        """Identify the position; the order of the posts and what both have scored alike do not matter."""
        return self.current_player, self.hands, tuple(sorted(self.posts)), self.score[0] - self.score[1]

    def _observe(self, me):
        values = CARD_BITS[self.hands[me]] + CARD_BITS[self.hands[1 - me]]
        for top, way, run, owner in self.posts:
            values += FACE[top]
            values += (way == 1, way == -1, run / TOP, run > 0 and owner == me, run > 0 and owner != me)
        values += (self.score[me] / MOST, self.score[1 - me] / MOST)
        return np.array(values, np.float32)
