"""Puzzles of coins of which one or two have another weight, and a balance that may lie."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.black_box.base import Observations, Trial
from interactive_envs.black_box.puzzle.base import LONGEST, Puzzle, tokens, unreadable
from interactive_envs.parsing import Unreadable

BLOCK = 10
"""Weighings of which exactly one has a false reply."""
BLOCKS = 100
"""Blocks whose false replies are drawn; after them they come again."""


@dataclass(frozen=True, kw_only=True)
class Coins(Puzzle):
    """Coins of equal weight but for one or two, and a balance.

    Attributes:
        coins: how many.
        sought: ``heavy``: one is heavier; ``odd``: one is heavier or lighter; ``both``: one is heavier and another as
            much lighter.
        sides: replies say which side is heavier, otherwise only whether they are equal.
        lies: exactly one of each ten replies is false: of 1 to 10, of 11 to 20 and so on; only with ``heavy`` and
            without ``sides``.
    """

    kind: ClassVar[str] = "coins"

    @property
    def examples(self) -> tuple[str, ...]:
        """A query and an answer."""
        return ("<query>1 2 | 3 4</query>",)

    coins: int
    sought: str = "heavy"
    sides: bool = True
    lies: bool = False

    @property
    def every(self) -> int:
        """Where replies cannot be weaker, every third is kept back."""
        return 3 if self.partial and not self.sides else 0

    @property
    def sided(self) -> bool:
        """Whether replies say which side is heavier."""
        return self.sides and not self.partial

    def introduction(self) -> str:
        """Coins and a balance."""
        what = {
            "heavy": "One coin is heavier than the others; all others weigh the same.",
            "odd": "One coin is heavier or lighter than the others; all others weigh the same.",
            "both": "One coin is heavier and another one is lighter by the same amount; all others weigh the same, so "
            "these two together weigh as much as two of the others.",
        }[self.sought]
        reply = "Left or Right for the heavier side, or Equal" if self.sided else "Balance or Imbalance"
        false = (
            f" In every block of {BLOCK} replies exactly one is false: one of replies 1 to {BLOCK}, one of replies "
            f"{BLOCK + 1} to {2 * BLOCK} and so on; which one is random. Each part counts its replies from 1."
            if self.lies
            else ""
        )
        return (
            f"There are {self.coins} coins, numbered from 1. {what} A query puts coins on the two sides of a balance, "
            "the same number on each, at least one: <query>1 2 5 | 3 4 7</query>; 1-4 means 1 2 3 4. "
            f"The reply is {reply}.{false}{self.withholding}"
        )

    def examination(self) -> str:
        """Which coins."""
        return {
            "heavy": "Name the heavier coin, e.g. <answer>3</answer>.",
            "odd": "Name the coin and what it is, e.g. <answer>3 heavy</answer> or <answer>3 light</answer>.",
            "both": "Name the heavier coin, then the lighter one, e.g. <answer>3 5</answer>.",
        }[self.sought]

    def any_query(self, rng: np.random.Generator) -> str:
        """Some coins against as many others."""
        size = int(rng.integers(1, self.coins // 2 + 1))
        drawn = [str(coin + 1) for coin in rng.choice(self.coins, 2 * size, replace=False)]
        return f"<query>{' '.join(drawn[:size])} | {' '.join(drawn[size:])}</query>"

    def draw(self, rng: np.random.Generator) -> Any:
        """The answer; with lies, the pair of it and the place of the false reply in each block, from 0."""
        first, second = (int(coin) + 1 for coin in rng.choice(self.coins, 2, replace=False))
        if self.lies:
            return first, tuple(map(int, rng.integers(BLOCK, size=BLOCKS)))
        if self.sought == "heavy":
            return first
        return (first, "light" if rng.integers(2) else "heavy") if self.sought == "odd" else (first, second)

    def answer_of(self, hidden: Any) -> Any:
        """Without the places of false replies."""
        return hidden[0] if self.lies else hidden

    def read_query(self, tag: str, body: str, seen: Any) -> Any | Unreadable:
        """The coins of the left side and of the right side, each in order."""
        problem = unreadable(
            body, f"write two equally long lists of different coins from 1 to {self.coins}, such as 1 2 | 3 4."
        )
        if len(body) > LONGEST or not body.isascii():
            return problem
        text = body.lower()
        if "|" not in text:
            text = re.sub(r"right|\bvs\b|\bagainst\b", "|", text)
        parts = text.split("|")
        left, right = (self._side(part) for part in parts) if len(parts) == 2 else (None, None)
        if not left or not right or len(left) != len(right) or len({*left, *right}) != 2 * len(left):
            return problem
        return tuple(sorted(left)), tuple(sorted(right))

    def _side(self, text: str) -> list[int] | None:
        found: list[int] = []
        for word in tokens(re.sub(r"\s*-\s*", "-", text), ("left", "right", "coin", "coins", "and")) or ():
            span = re.fullmatch(r"([0-9]{1,6})(?:-([0-9]{1,6}))?", word)
            if span is None:
                return None
            first, last = int(span[1]), int(span[2] or span[1])
            if not 1 <= first <= last <= self.coins or len(found) > self.coins:
                return None
            found += range(first, last + 1)
        return found

    def fact(self, hidden: Any, asked: int, query: Any, rng: np.random.Generator) -> Any:
        """Left, Right or Equal; Balance or Imbalance."""
        answer = self.answer_of(hidden)
        if self.sought == "heavy":
            weights = [(answer, 1)]
        elif self.sought == "odd":
            weights = [(answer[0], 1 if answer[1] == "heavy" else -1)]
        else:
            weights = [(answer[0], 1), (answer[1], -1)]
        left, right = query
        tilt = sum(weight * ((coin in left) - (coin in right)) for coin, weight in weights)
        if self.sided:
            return "Left" if tilt > 0 else "Right" if tilt < 0 else "Equal"
        false = self.lies and asked % BLOCK == hidden[1][asked // BLOCK % BLOCKS]
        return "Imbalance" if bool(tilt) != false else "Balance"

    def say(self, fact: Any) -> str:
        """The word itself."""
        return f"{fact}."

    def show_query(self, query: Any) -> str:
        """Two lists."""
        return " | ".join(" ".join(map(str, side)) for side in query)

    def question(self, trial: Trial, argument: Any) -> str:
        """Which coins."""
        return {
            "heavy": "Which coin is heavier?",
            "odd": "Which coin differs from the others, and is it heavy or light?",
            "both": "Which coin is heavier, and which is lighter?",
        }[self.sought]

    def read_answer(self, argument: Any, body: str) -> Any | Unreadable:
        """A coin, a coin and its sort, or two coins."""
        found = tokens(body, ("coin", "coins", "and", "is", "the")) or []
        found = [{"heavier": "heavy", "lighter": "light"}.get(word, word) for word in found]
        numbers = [int(word) for word in found if re.fullmatch(r"[0-9]{1,6}", word)]
        sorts = [word for word in found if word in ("heavy", "light")]
        legal = len(numbers) + len(sorts) == len(found) and all(1 <= number <= self.coins for number in numbers)
        if legal and self.sought == "heavy" and len(numbers) == 1 and sorts in ([], ["heavy"]):
            return numbers[0]
        if legal and self.sought == "odd" and len(numbers) == len(sorts) == 1:
            return numbers[0], sorts[0]
        if legal and self.sought == "both" and len(set(numbers)) == 2 and sorts in ([], ["heavy", "light"]):
            return numbers[0], numbers[1]
        if legal and self.sought == "both" and len(set(numbers)) == 2 and sorts == ["light", "heavy"]:
            return numbers[1], numbers[0]
        wanted = {"heavy": "one coin", "odd": "one coin and heavy or light", "both": "two coins, the heavier first"}
        return unreadable(body, f"write {wanted[self.sought]}; coins are 1 to {self.coins}.")

    def show_answer(self, truth: Any) -> str:
        """As a player writes it."""
        return " ".join(map(str, truth)) if isinstance(truth, tuple) else str(truth)

    # Hypotheses: which coin is heavy and which is light, 0 for none.

    def agreeing(self, observations: Observations) -> NDArray[Any]:
        """Whether coin h is heavy and coin l light, of shape (coins + 1, coins + 1), where 0 stands for none."""
        found = np.zeros((self.coins + 1, self.coins + 1), bool)
        if self.sought == "both":
            found[1:, 1:] = ~np.eye(self.coins, dtype=bool)
        else:
            found[1:, 0] = True
            found[0, 1:] = self.sought == "odd"
        if self.lies:
            found[1:, 0] = (self.false_replies(observations) <= 1).all(axis=0) & self._one_in_each(observations)
            return found
        for query, fact in observations:
            if fact is not None:
                side = self.placed(query)
                tilt = np.sign(side[:, None] - side[None, :])
                if self.sided:
                    found &= tilt == {"Left": 1, "Right": -1, "Equal": 0}[fact]
                else:
                    found &= (tilt != 0) == (fact == "Imbalance")
        return found

    def placed(self, query: Any) -> NDArray[Any]:
        """Where each coin is: 1 left, -1 right, 0 neither; the first for no coin."""
        side = np.zeros(self.coins + 1, np.int64)
        side[list(query[0])], side[list(query[1])] = 1, -1
        return side

    def false_replies(self, observations: Observations) -> NDArray[Any]:
        """How many replies of each block were false if a coin is the heavy one, of shape (blocks, coins)."""
        found = np.zeros((-(-len(observations) // BLOCK) or 1, self.coins), np.int64)
        for number, (query, fact) in enumerate(observations):
            if fact is not None:
                found[number // BLOCK] += (self.placed(query)[1:] != 0) != (fact == "Imbalance")
        return found

    def _one_in_each(self, observations: Observations) -> NDArray[Any]:
        """Whether each whole block without a withheld reply has a false one if a coin is the heavy one."""
        good = np.ones(self.coins, bool)
        for block, false in enumerate(self.false_replies(observations)):
            replies = [fact for _, fact in observations[block * BLOCK : (block + 1) * BLOCK]]
            if len(replies) == BLOCK and None not in replies:
                good &= false == 1
        return good

    def left(self, trial: Trial, observations: Observations) -> int | None:
        """Answers that agree."""
        return int(self.agreeing(observations).sum())
