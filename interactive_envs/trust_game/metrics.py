"""How a player behaved over its matches: the paper's score and rates, reciprocity and forgiveness.

Interactive Benchmarks v1, section 2.4, equations 2.5 to 2.7. All are ratios of counts pooled over the rounds of all
matches, so a long match weighs more than a short one, as in the paper.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True)
class Tally:
    """Counts over matches of one player; the sum of two tallies is the tally of all their matches.

    A round t has a last round from t = 2 on. A ratio is None where it has nothing to count.

    Attributes:
        matches: matches counted.
        rounds: finished rounds; one that a forfeit broke off is not among them.
        payoff: what the player was paid in them.
        cooperations: rounds in which it cooperated.
        after_c: rounds whose last round saw the other cooperate.
        d_after_c: those of them in which the player defected.
        after_d: rounds whose last round saw the other defect.
        c_after_d: those of them in which the player cooperated.
        after_return: rounds before which the other cooperated after having defected in the round before that.
        c_after_return: those of them in which the player cooperated.
    """

    matches: int = 0
    rounds: int = 0
    payoff: float = 0
    cooperations: int = 0
    after_c: int = 0
    d_after_c: int = 0
    after_d: int = 0
    c_after_d: int = 0
    after_return: int = 0
    c_after_return: int = 0

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, count.name) + getattr(other, count.name) for count in fields(Tally)))

    @property
    def score(self) -> float | None:
        """Payoff a round (eq. 2.5)."""
        return _ratio(self.payoff, self.rounds)

    @property
    def cooperation_rate(self) -> float | None:
        """Share of rounds in which the player cooperated (eq. 2.6)."""
        return _ratio(self.cooperations, self.rounds)

    @property
    def betrayal_rate(self) -> float | None:
        """Share of defections among the rounds whose last round saw the other cooperate (eq. 2.7)."""
        return _ratio(self.d_after_c, self.after_c)

    @property
    def reciprocity(self) -> float | None:
        """How much the other's last move decides: P(C | its last was C) - P(C | its last was D).

        1 for tit for tat, 0 for a player that does not look, below 0 for one that does the opposite.
        """
        if not (self.after_c and self.after_d):
            return None
        return 1 - self.d_after_c / self.after_c - self.c_after_d / self.after_d

    @property
    def forgiveness(self) -> float | None:
        """Share of cooperations in the rounds right after the other went back from defecting to cooperating.

        1 for tit for tat, 0 for grim.
        """
        return _ratio(self.c_after_return, self.after_return)


def tally(record: Mapping[str, Any], seat: int) -> Tally:
    """The counts of one seat of one match.

    Args:
        record: what ``TrustGame.record`` leaves.
        seat: whose.
    """
    own, other = record["histories"][seat], record["histories"][1 - seat]
    answers = list(zip(other, own[1:], strict=False))
    returns = [own[t] for t in range(2, len(own)) if other[t - 2 : t] == "DC"]
    return Tally(
        matches=1,
        rounds=len(own),
        payoff=record["totals"][seat],
        cooperations=own.count("C"),
        after_c=sum(last == "C" for last, _ in answers),
        d_after_c=answers.count(("C", "D")),
        after_d=sum(last == "D" for last, _ in answers),
        c_after_d=answers.count(("D", "C")),
        after_return=len(returns),
        c_after_return=returns.count("C"),
    )


def _ratio(count: float, among: int) -> float | None:
    return count / among if among else None
