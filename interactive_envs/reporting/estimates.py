"""Estimates: means, shares, differences and ratios, each with n and a 95 % interval.

Intervals treat the *case* as the unit of sampling: further epochs of a case are clustered with it, and cells
that met the same cases are compared case by case.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

LEVEL = 0.95

Floats: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean with its 95 % interval.

    Attributes:
        value: the mean, None without observations.
        low: lower end, None where the observations say nothing of the spread.
        high: upper end.
        n: observations behind it.
    """

    value: float | None
    low: float | None
    high: float | None
    n: int

    def as_json(self) -> dict[str, Any]:
        """Plain JSON, rounded so that equal runs give equal bytes."""
        return {"value": rounded(self.value), "low": rounded(self.low), "high": rounded(self.high), "n": self.n}


NOTHING = Estimate(None, None, None, 0)


def wilson(hits: float, n: int) -> Estimate:
    """Estimate a proportion with Wilson's score interval; ``hits`` may be fractional where cases are averages."""
    if n == 0:
        return NOTHING
    share, z2 = hits / n, normal() ** 2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return Estimate(share, 0.0 if hits <= 0 else centre - half, 1.0 if hits >= n else centre + half, n)


def proportion(hits: ArrayLike, cases: ArrayLike, of: ArrayLike | None = None) -> Estimate:
    """Estimate a share of observations: Wilson with one a case, clustered by case with several.

    Args:
        hits: hits of each episode (0 or 1, or a count where ``of`` is given).
        cases: which case each episode played, a small non-negative integer.
        of: observations of each episode, 1 where left out.
    """
    counts, case = np.asarray(hits, float), np.asarray(cases, int)
    sizes = np.ones_like(counts) if of is None else np.asarray(of, float)
    n = int(sizes.sum())
    if n == 0:
        return NOTHING
    value, half, clusters = clustered(counts, sizes, case)
    if clusters == n:
        return wilson(float(counts.sum()), n)
    if not half:
        plain = wilson(value * clusters, clusters)
        return Estimate(value, plain.low, plain.high, n)
    return Estimate(value, max(0.0, value - half), min(1.0, value + half), n)


def mean(values: ArrayLike, cases: ArrayLike, lowest: float = -math.inf, highest: float = math.inf) -> Estimate:
    """Estimate a mean with a Student t interval, clustered by case; no interval where nothing varies.

    Args:
        values: one value an episode.
        cases: which case each episode played, a small non-negative integer.
        lowest: no value can be lower, so the interval ends there.
        highest: no value can be higher.
    """
    numbers, case = np.asarray(values, float), np.asarray(cases, int)
    if numbers.size == 0:
        return NOTHING
    value, half, _ = clustered(numbers, np.ones_like(numbers), case)
    if not half:
        return Estimate(value, None, None, numbers.size)
    return Estimate(value, max(lowest, value - half), min(highest, value + half), numbers.size)


def paired(differences: ArrayLike, cases: ArrayLike) -> Estimate:
    """Estimate the mean of differences in [-1, 1] with a Student t interval clustered by case; n counts cases.

    Every episode weighs the same, as in :func:`proportion`: the mean is the difference of two accuracies.
    Where all n cases differ alike, t would claim certainty. Then Wilson bounds the share of cases that
    could differ (0 of n seen), and the interval lets those lie at -1 or 1.

    Args:
        differences: one value a pair of episodes.
        cases: which case each pair played, a small non-negative integer.
    """
    gaps = np.asarray(differences, float)
    if gaps.size == 0:
        return NOTHING
    value, half, n = clustered(gaps, np.ones_like(gaps), np.asarray(cases, int))
    if half:
        return Estimate(value, max(-1.0, value - half), min(1.0, value + half), n)
    others = wilson(0, n).high or 0.0
    rest = value * (1 - others)
    return Estimate(value, max(-1.0, rest - others), min(1.0, rest + others), n)


def score(values: ArrayLike, clusters: ArrayLike) -> Estimate:
    """Estimate a mean of numbers from 0 to 1, clustered; with Wilson's interval over clusters where nothing varies."""
    estimate = mean(values, clusters, 0.0, 1.0)
    return proportion(values, clusters) if estimate.low is None else estimate


def ratio(parts: ArrayLike, wholes: ArrayLike, clusters: ArrayLike) -> Estimate:
    """Estimate a sum over another sum, by its linearisation; nothing where the other is not positive."""
    x, y = np.asarray(parts, float), np.asarray(wholes, float)
    if not x.size or y.sum() <= 0:
        return NOTHING
    value = x.sum() / y.sum()
    return mean(value + (x - value * y) / y.mean(), clusters)


def kendall(left: Mapping[str, float], right: Mapping[str, float]) -> tuple[float | None, int]:
    """Measure how far two judges rank players alike: Kendall's tau-b over the players both have, and their number."""
    players = sorted(left.keys() & right.keys())
    if len(players) < 2:
        return None, len(players)
    from scipy.stats import kendalltau

    tau = float(kendalltau([left[p] for p in players], [right[p] for p in players]).statistic)
    return (None if math.isnan(tau) else tau), len(players)


def clustered(totals: Floats, sizes: Floats, case: NDArray[np.intp]) -> tuple[float, float | None, int]:
    """Return a ratio of sums, half its interval, and the number of cases behind it.

    The standard error is cluster-robust (linearised, with the G / (G - 1) correction); with one
    observation a case that is the ordinary one. None where one case alone says nothing of the spread.
    """
    value = float(totals.sum() / sizes.sum())
    clusters = int(np.count_nonzero(np.bincount(case, sizes)))
    if clusters < 2:
        return value, None, clusters
    residuals = np.bincount(case, totals - value * sizes)
    error = math.sqrt(clusters / (clusters - 1) * float((residuals**2).sum())) / float(sizes.sum())
    # Rounding may leave a trace of an error where every case has the same mean.
    return value, (student(clusters - 1) * error if error > 1e-12 * max(1.0, abs(value)) else 0.0), clusters


def student(freedom: int) -> float:
    """Return Student's quantile for a 95 % interval."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + LEVEL) / 2))


def normal() -> float:
    """Return the normal quantile for a 95 % interval."""
    from scipy.special import ndtri

    return float(ndtri((1 + LEVEL) / 2))


def rounded(value: float | None) -> float | None:
    """Round to six digits, so that equal runs give equal bytes."""
    # Adding zero turns -0.0 into 0.0.
    return None if value is None else round(float(value), 6) + 0.0


def dump(content: Mapping[str, Any]) -> str:
    """Return the text of ``summary.json`` and ``timing.json``."""
    return json.dumps(content, indent=1, ensure_ascii=False, sort_keys=True) + "\n"
