"""A rule player for mathematical problems: it does no mathematics and narrows the answer down by asking."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from interactive_envs.agent import Agent
from interactive_envs.dialogue.view import DialogueView

WIDEST = 32
"""Powers of two up to which a whole number is looked for."""


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
