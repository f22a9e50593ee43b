"""How a player behaved over its matches: the paper's score and rates, reciprocity, forgiveness and regret.

Interactive Benchmarks v1, section 2.4, equations 2.5 to 2.7. All are ratios of counts pooled over the rounds of all
matches, so a long match weighs more than a short one, as in the paper. No count goes from one match to the next.
"""

from __future__ import annotations

import functools
import operator
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass, fields
from typing import Any

import numpy as np

from interactive_envs.reporting import ratings
from interactive_envs.reporting.estimates import NOTHING, Estimate
from interactive_envs.trust_game.best_reply import regrets_of

METRICS = ("score", "cooperation_rate", "betrayal_rate", "reciprocity", "forgiveness", "mean_regret")
"""Properties of a :class:`Tally`."""
NOTES = (
    "n counts rounds. Betrayal: defections in the rounds right after the other cooperated. Reciprocity: how much "
    "likelier a player cooperates after the other's cooperation than after a defection, from \N{MINUS SIGN}1 to 1. "
    "Forgiveness: cooperations right after the other went back to cooperating. Regret: expected payoff per round that "
    "the player lost to the best reply to its opponent; it is known against rule players only, whose rounds n counts."
)
BOOTSTRAP = 1000
"""Samples behind an interval."""


@dataclass(frozen=True, slots=True)
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
        regret: what its moves cost it, see :mod:`interactive_envs.trust_game.best_reply`.
        regret_rounds: the rounds of matches for which that is known.
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
    regret: float = 0
    regret_rounds: int = 0

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

    @property
    def mean_regret(self) -> float | None:
        """Expected payoff per round that the player lost to the best reply to its opponents, where that is known."""
        return _ratio(self.regret, self.regret_rounds)


def tallies(record: Mapping[str, Any], seat: int, opponent: str | None = None) -> list[Tally]:
    """Return the counts of one seat in every match of an episode.

    Args:
        record: what ``TrustGame.record`` leaves.
        seat: whose.
        opponent: spec of the player on the other seat.
    """
    matches = record["matches"]
    regrets = None if opponent is None else regrets_of(record, seat, opponent)
    if regrets is None:
        return [_count(match, seat, None) for match in matches]
    return [_count(match, seat, regret) for match, regret in zip(matches, regrets, strict=True)]


def tally(record: Mapping[str, Any], seat: int, opponent: str | None = None) -> Tally:
    """Return the counts of one seat over all matches of an episode; the arguments are those of :func:`tallies`."""
    return functools.reduce(operator.add, tallies(record, seat, opponent), Tally())


def _count(match: Mapping[str, Any], seat: int, regret: float | None) -> Tally:
    own, other = match["histories"][seat], match["histories"][1 - seat]
    answers = list(zip(other, own[1:], strict=False))
    returns = [own[t] for t in range(2, len(own)) if other[t - 2 : t] == "DC"]
    return Tally(
        matches=1,
        rounds=len(own),
        payoff=match["totals"][seat],
        cooperations=own.count("C"),
        after_c=sum(last == "C" for last, _ in answers),
        d_after_c=answers.count(("C", "D")),
        after_d=sum(last == "D" for last, _ in answers),
        c_after_d=answers.count(("D", "C")),
        after_return=len(returns),
        c_after_return=returns.count("C"),
        regret=regret or 0.0,
        regret_rounds=0 if regret is None else len(own),
    )


def _ratio(count: float, among: int) -> float | None:
    return count / among if among else None


def estimate(counted: Iterable[tuple[str, Tally]]) -> dict[str, Estimate]:
    """Estimate every metric over matches; intervals of a bootstrap over clusters.

    Args:
        counted: the counts of each episode or match, with the cluster that it belongs to.
    """
    clusters: dict[str, Tally] = defaultdict(Tally)
    for cluster, one in counted:
        clusters[cluster] += one
    if not clusters:
        return dict.fromkeys(METRICS, NOTHING)
    total = sum(clusters.values(), Tally())
    counts = np.array([astuple(clusters[cluster]) for cluster in sorted(clusters)], float)
    drawn = [
        Tally(*sample)
        for weights in ratings.cluster_weights(len(counts), BOOTSTRAP, 0)
        for sample in (weights @ counts).tolist()
    ]
    found = {}
    for metric in METRICS:
        values = [value for one in drawn if (value := getattr(one, metric)) is not None]
        low, high = map(float, ratings.percentiles(values)) if values else (None, None)
        n = total.regret_rounds if metric == "mean_regret" else total.rounds
        found[metric] = Estimate(getattr(total, metric), low, high, n)
    return found
