"""What loggers are told while a run or a tournament is played: running means of each player and family."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from interactive_envs.outcome import Outcome
from interactive_envs.reporting.loggers.base import Loggers, slug

POINTS = 1000
"""Points of a curve, about: long runs are logged every few episodes."""


class Tally:
    """Sums of one player in one family."""

    def __init__(self) -> None:
        self._outcomes: Counter[str] = Counter()
        self._sums: defaultdict[str, float] = defaultdict(float)
        self.broken = 0

    def add(self, outcome: str, **values: float | None) -> None:
        """Count an episode or a seat of a match; one unknown value makes a sum unknown."""
        self._outcomes[outcome] += 1
        for name, value in values.items():
            if name != "reward" or outcome != Outcome.UNSCORED:
                self._sums[name] += math.nan if value is None else value

    def means(self) -> Iterator[tuple[str, float]]:
        """Yield the mean per episode of each value, the shares of the outcomes, and the episodes that broke for good.

        Unscored episodes do not count towards the mean reward.
        """
        n = self._outcomes.total()
        scored = n - self._outcomes[Outcome.UNSCORED]
        for name, total in self._sums.items():
            yield name, total / (scored if name == "reward" else n)
        for outcome, count in self._outcomes.items():
            yield f"outcome_{outcome}", count / n
        yield "faults", float(self.broken)


class PlayLog:
    """Logs a run or a tournament as its episodes or matches end.

    Args:
        loggers: where to.
        total: episodes or matches of the whole plan.
    """

    def __init__(self, loggers: Loggers, total: int) -> None:
        self._loggers = loggers
        self._every = max(1, total // POINTS)
        self._tallies: dict[tuple[str, str], Tally] = {}
        self._changed: set[tuple[str, str]] = set()
        self._names: dict[str, str] = {}
        self._all: Counter[str] = Counter()
        self._spent = 0.0

    def begin(self, config: Mapping[str, Any]) -> None:
        """Start the loggers; what was played before may be counted first."""
        self._loggers.start(config)

    def add(self, player: str, family: str, outcome: str, *, cost: float | None, **values: float | None) -> None:
        """Count what a player did in an episode or a match of a family."""
        self._tally(player, family).add(outcome, cost=cost, **values)
        self._spent += cost or 0.0

    def broken(self, player: str, family: str) -> None:
        """Count an episode or match that infrastructure broke for good."""
        self._tally(player, family).broken += 1

    def fault(self) -> None:
        """Count an attempt that infrastructure broke."""
        self._all["faults"] += 1

    def done(self, *, quiet: bool = False) -> None:
        """An episode or match has ended: log what changed, where it is time for it.

        Args:
            quiet: only count it, as one that was played before.
        """
        self._all["done"] += 1
        if not quiet and self._all["done"] % self._every == 0:
            self._log()

    def finish(self, summary: Mapping[str, float]) -> None:
        """Log what is left and the summary's numbers, and wait for the loggers."""
        if self._changed:
            self._log()
        self._loggers.scalars(self._all["done"], summary)
        self._loggers.finish()

    def name(self, text: str) -> str:
        """A part of a number's name, another one for every text."""
        if text not in self._names:
            short, used = slug(text), set(self._names.values())
            self._names[text] = short if short not in used else f"{short}_{len(used)}"
        return self._names[text]

    def _tally(self, player: str, family: str) -> Tally:
        key = (self.name(player), self.name(family))
        self._changed.add(key)
        return self._tallies.setdefault(key, Tally())

    def _log(self) -> None:
        values = {"run/done": self._all["done"], "run/faults": self._all["faults"], "run/cost": self._spent}
        for player, family in sorted(self._changed):
            means = self._tallies[player, family].means()
            values |= {f"{name}/{player}/{family}": value for name, value in means}
        self._changed.clear()
        self._loggers.scalars(self._all["done"], values)
