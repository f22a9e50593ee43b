"""Players of mathematical problems: two ask for the hidden numbers and compute, one narrows the answer down."""

from __future__ import annotations

import json
import re
import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from interactive_envs.agent import Agent
from interactive_envs.dialogue.view import DialogueView, facts_of
from interactive_envs.errors import ConfigError
from interactive_envs.mathematics.generators import hidden
from interactive_envs.mathematics.rules import Shown

WIDEST = 32
"""Powers of two up to which a whole number is looked for."""


GUESSES = 40
"""Draws of unknown numbers until some make a problem."""


class Asker(Agent, ABC):
    """Asks for the hidden numbers as it can, and computes the answer as the generator's second route does."""

    family = "math"
    from_view = True

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Seed the draws.

        Raises:
            ConfigError: the problem has no hidden numbers.
        """
        shown = getattr((info or {}).get("view"), "shown", None)
        if not isinstance(shown, Shown) or not shown.hidden:
            raise ConfigError(
                f"agent {self.name!r} of mathematics needs hidden numbers; leave out hidden=false, or try 'bisect'"
            )
        # Another stream than the environment's, which draws the hidden numbers from the same seed.
        self._random = np.random.default_rng(None if seed is None else [seed, zlib.crc32(b"math player")])

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Ask while there is something to ask for and a round to answer in, then answer."""
        view: DialogueView = info["view"]
        ranges = ranges_left(view)
        if view.queries_allowed and view.rounds_left > 1:
            for each in view.shown.hidden:
                low, high = ranges[each.name]
                if each.askable and low < high:
                    return f"<ask>{each.name} = ?</ask>"
            left = {name: ends for name, ends in ranges.items() if ends[0] < ends[1]}
            if left:
                return f"<ask>{self.claim(left)}</ask>"
        return f"<answer>{self._answer(view.shown, ranges)}</answer>"

    @abstractmethod
    def claim(self, ranges: Mapping[str, tuple[int, int]]) -> str:
        """The next claim about numbers whose values cannot be asked for.

        Args:
            ranges: the least and the greatest value of each number that is not known, by name; not empty.
        """

    def _answer(self, shown: Shown, ranges: Mapping[str, tuple[int, int]]) -> str:
        second, setting = hidden.load_hidden()[shown.generator].second, json.loads(shown.setting)
        for _ in range(GUESSES):
            drawn = {name: int(self._random.integers(low, high + 1)) for name, (low, high) in ranges.items()}
            try:
                return str(second(hidden.fill(setting, drawn)))
            except (ArithmeticError, ValueError, LookupError):  # numbers drawn that make no problem
                continue
        return "0"


class Reference(Asker):
    """Asks for every hidden number, one after the other, and computes the answer as the generator's second route does.

    It asks for values first, then halves the widest range that is left. When the rounds are over it draws what it does
    not know, so without questions it only guesses. It never combines two hidden numbers in a claim, which would take
    fewer rounds.
    """

    name = "reference"

    def claim(self, ranges: Mapping[str, tuple[int, int]]) -> str:
        """Halve the widest range."""
        name, (low, high) = max(ranges.items(), key=lambda item: item[1][1] - item[1][0])
        return f"{name} < {(low + high + 1) // 2}"


class Trial(Asker):
    """Asks for the values that may be asked for, then tries the values of the other hidden numbers one by one.

    It does not know how to halve a range: it claims that the first number that it does not know has its least value,
    then the next one, and so on. When the rounds are over it draws what it does not know. The formula by which the
    answer follows it knows as the reference does.
    """

    name = "trial"

    def claim(self, ranges: Mapping[str, tuple[int, int]]) -> str:
        """Try the least value of the first number."""
        name, (low, _) = next(iter(ranges.items()))
        return f"{name} = {low}"


def ranges_left(view: DialogueView) -> dict[str, tuple[int, int]]:
    """Return the least and the greatest value that each hidden number can have after the messages of these players."""
    ranges = {each.name: (each.low, each.high) for each in view.shown.hidden}
    for query, fact in facts_of(view):
        asked = re.fullmatch(r"(\S+) (= \?|([<=]) (-?\d+))", query)
        if asked is None or asked[1] not in ranges:
            continue
        low, high = ranges[asked[1]]
        if asked[3] is None:
            value = int(fact.rsplit(" ", 1)[1])
            ranges[asked[1]] = value, value
        elif fact in ("yes", "no"):
            tried = int(asked[4])
            if asked[3] == "<":
                ranges[asked[1]] = (low, min(high, tried - 1)) if fact == "yes" else (max(low, tried), high)
            else:
                ranges[asked[1]] = (tried, tried) if fact == "yes" else (low + (tried == low), high)
    return ranges


class Bisect(Agent):
    """Asks whether the answer is at least some number, and answers with the only one that is left.

    A whole number is looked for among powers of two first, so that small ones take few rounds; a fraction down the
    Stern-Brocot tree. Where the reply is neither yes nor no it takes it for a no. It answers when one number is left
    or with the last round; an answer of another form it never finds.
    """

    name = "bisect"
    family = "math"

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        """Forget the last problem."""
        view: DialogueView | None = (info or {}).get("view")
        form = str(getattr(getattr(view, "shown", None), "answer_form", ""))
        self._search: _Whole | _Ratio = (
            _Ratio() if re.search(r"fraction|ratio|decimal|number of the form", form) else _Whole()
        )
        self._asked = False

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        """Hear the last reply, then ask about the next number or answer."""
        if self._asked:
            self._search.hear(str(observation).startswith("Yes"))
        may_ask = "ask" in info.get("action_tags", ("ask",)) and info.get("rounds_left", 2) > 1
        self._asked = may_ask and not self._search.found
        if self._asked:
            return f"<ask>Is the answer at least {self._search.asks}?</ask>"
        return f"<answer>{self._search.guess}</answer>"


class _Whole:
    """Numbers from ``low`` up to, not including, ``high``; either may be unknown yet."""

    def __init__(self) -> None:
        self._sign: int = 0
        self._powers = (0, WIDEST)
        self._low, self._high = 0, 0

    @property
    def found(self) -> bool:
        """Whether one number is left."""
        return self._high - self._low == 1

    @property
    def guess(self) -> int:
        """The least number that is left."""
        return self._sign * self._low if self._high else max(0, self._sign) * 2 ** self._powers[0]

    @property
    def asks(self) -> int:
        """The number to compare with next."""
        if not self._sign:
            return 1
        least = (self._low + self._high) // 2 if self._high else 2 ** ((self._powers[0] + self._powers[1]) // 2)
        # Minus the answer is at least that much where the answer is not at least one more than its opposite.
        return least if self._sign > 0 else 1 - least

    def hear(self, yes: bool) -> None:
        """Keep the half that a reply leaves."""
        if not self._sign:
            self._sign = 1 if yes else -1
            if not yes:
                self._powers = (-1, WIDEST)
            return
        larger = yes == (self._sign > 0)
        if self._high:
            middle = (self._low + self._high) // 2
            self._low, self._high = (middle, self._high) if larger else (self._low, middle)
            return
        first, last = self._powers
        middle = (first + last) // 2
        self._powers = (middle, last) if larger else (first, middle)
        if self._powers[1] - self._powers[0] == 1:
            first, last = self._powers
            self._low, self._high = (2**first, 2**last) if first >= 0 else (0, 1)


class _Ratio:
    """A positive fraction, down the Stern-Brocot tree: what is at least a number may be it."""

    found = False

    def __init__(self) -> None:
        self._left, self._right = (0, 1), (1, 0)

    @property
    def guess(self) -> Fraction:
        """The largest fraction that the answer is known to reach."""
        return Fraction(*self._left)

    @property
    def asks(self) -> Fraction:
        """The mediant."""
        return Fraction(self._left[0] + self._right[0], self._left[1] + self._right[1])

    def hear(self, yes: bool) -> None:
        """Go down to one side."""
        middle = self.asks.numerator, self.asks.denominator
        if yes:
            self._left = middle
        else:
            self._right = middle
