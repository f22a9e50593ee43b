"""Who is better, from matches: ratings with ranks, a cross-table, and what separates every two players.

Matches that share cards, horizons or any other luck carry the same *cluster*; a cluster is the unit of sampling.
Ratings have 95 % percentile intervals of a seeded bootstrap over clusters. No result depends on the order in which
the records come, since matches that run in parallel end in any order.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from interactive_envs.errors import ConfigError
from interactive_envs.reporting.estimates import LEVEL, Estimate, Floats, mean

Ints: TypeAlias = NDArray[np.intp]
Walk: TypeAlias = Callable[[Ints], Floats]
"""Final ratings [sequences, players] of matches played in the orders [sequences, matches]."""

ELO_START, ELO_SCALE = 1500.0, 400.0
MU, SIGMA = 25.0, 25.0 / 3
"""Where every player starts, as in OpenSkill."""
BETA_SQUARED, TAU_SQUARED, KAPPA = (25.0 / 6) ** 2, (25.0 / 300) ** 2, 1e-4
"""OpenSkill's spread of one performance, growth of the spread between matches, and smallest factor of a variance."""
BATCH = 2_000_000
"""Numbers of a bootstrap that are held at once."""


@dataclass(frozen=True, slots=True)
class Result:
    """One match.

    Attributes:
        cluster: what luck the match shares with others: a deal, a horizon, or its own name where it shares none.
        players: who played, in any order, each once.
        scores: what each scored; for win, draw and loss 1, 1/2 and 0. Equal scores are a draw.

    Raises:
        ConfigError: fewer than two players, one of them twice, or not one finite score each.
    """

    cluster: str | int
    players: tuple[str, ...]
    scores: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.players) < 2 or len(set(self.players)) < len(self.players):
            raise ConfigError(f"a rated match needs two players or more, each once, got {self.players!r}")
        if len(self.scores) != len(self.players) or not all(map(math.isfinite, self.scores)):
            raise ConfigError(f"a rated match needs one finite score a player, got {self.scores!r}")


@dataclass(frozen=True, slots=True)
class Rating:
    """One player's place.

    Attributes:
        player: its name.
        estimate: rating with its interval; n counts the player's matches.
        rank: 1 for the best; equal ratings share the better rank.
        rank_low: best rank within the 95 % interval, None with a single cluster.
        rank_high: worst rank within it.
    """

    player: str
    estimate: Estimate
    rank: int
    rank_low: int | None
    rank_high: int | None

    def as_json(self) -> dict[str, Any]:
        """Plain JSON, rounded so that equal runs give equal bytes."""
        ranks = {"rank": self.rank, "rank_low": self.rank_low, "rank_high": self.rank_high}
        return {"player": self.player, **self.estimate.as_json(), **ranks}


@dataclass(frozen=True, slots=True)
class Difference:
    """How far one player is ahead of another.

    Attributes:
        left: the one whose score counts positive.
        right: the other.
        estimate: difference of mean scores, its interval not corrected; n counts clusters.
        p: two-sided p-value of no difference, None where too few clusters say nothing.
        p_holm: the same after Holm's correction for all pairs that have one.
        matched: whether both met the same clusters, which were compared one by one.
    """

    left: str
    right: str
    estimate: Estimate
    p: float | None
    p_holm: float | None
    matched: bool

    def as_json(self) -> dict[str, Any]:
        """Plain JSON, rounded so that equal runs give equal bytes."""
        # p-values are small: significant digits, not decimals.
        both = (("p", self.p), ("p_holm", self.p_holm))
        chances = {name: None if p is None else float(f"{p:.4g}") for name, p in both}
        return {"left": self.left, "right": self.right, **self.estimate.as_json(), **chances, "matched": self.matched}


def bradley_terry(results: Sequence[Result], *, prior: float = 1.0, samples: int = 1000, seed: int = 0) -> list[Rating]:
    """Bradley-Terry strengths in log-odds with mean zero, best first.

    P(i beats j) = 1 / (1 + exp(θ_j - θ_i)); a draw is half a win for each; a match of k players counts as its
    k(k - 1)/2 pairs, whose dependence the bootstrap over clusters carries into the interval. Maximum likelihood,
    with ``prior`` drawn games a player spread evenly over all opponents: so those who won or lost everything, and
    those who never met, have finite strengths. Two players with w wins of n: θ_1 - θ_2 = log((w + prior/2) /
    (n - w + prior/2)). Whoever won everything did so in every bootstrap sample too: only the prior bounds its
    interval. Source: Bradley and Terry, Biometrika 39 (1952); Hunter, Annals of Statistics 32 (2004).

    Args:
        results: the matches.
        prior: drawn games added a player, above 0.
        samples: bootstrap samples.
        seed: of the bootstrap.

    Raises:
        ConfigError: no match, or a prior that is not above 0.
    """
    if not (math.isfinite(prior) and prior > 0):
        raise ConfigError(f"prior must be a number above 0, got {prior!r}")
    from scipy.sparse import coo_array

    table = _Table(results)
    players = len(table.players)
    match, seat, other = np.nonzero(table.better + table.equal)
    won = (table.better + 0.5 * table.equal)[match, seat, other]
    pair = table.who[match, seat] * players + table.who[match, other]
    shape = (players * players, table.clusters)
    wins = coo_array((won, (pair, table.cluster[match])), shape=shape).tocsr()
    drawn = (1 - np.eye(players)) * (prior / (2 * (players - 1)))

    def fit(weights: Floats) -> Floats:
        return strengths_of((wins @ weights.T).T.reshape(-1, players, players) + drawn)

    draws = [fit(weights) for weights in cluster_weights(table.clusters, samples, seed)]
    return _ranked(table, fit(np.ones((1, table.clusters)))[0], draws)


def elo(
    results: Sequence[Result], *, k: float = 20.0, orders: int = 100, samples: int = 200, seed: int = 0
) -> list[Rating]:
    """Elo ratings averaged over seeded random orders of the matches, best first.

    R_i += k (S_i - E_i), E_i = 1 / (1 + 10^((R_j - R_i)/400)), from 1500; at a table of n each player meets n - 1
    others at once with k/(n - 1). A single pass depends on the order of the matches, so many random ones are
    averaged. With few matches Elo has not come far from 1500 yet; Bradley-Terry is the estimate, this the familiar
    scale. Source: Elo, The Rating of Chessplayers (1978).

    Args:
        results: the matches.
        k: what one match can move, in points, above 0.
        orders: random orders averaged; a bootstrap sample averages a tenth of them.
        samples: bootstrap samples.
        seed: of orders and bootstrap.

    Raises:
        ConfigError: no match, ``k`` not above 0, or no order.
    """
    if not (math.isfinite(k) and k > 0):
        raise ConfigError(f"k must be a number above 0, got {k!r}")
    table = _Table(results)
    met = table.better | table.better.swapaxes(1, 2) | table.equal
    actual = table.better + 0.5 * table.equal
    step = k / np.maximum(1, met.any(2).sum(1) - 1)

    def walk(order: Ints) -> Floats:
        ratings = np.full((len(order), len(table.players) + 1), ELO_START)
        row = np.arange(len(order))[:, None]
        for match in order.T:
            seats = table.who[match]
            mine = ratings[row, seats]
            expected = 1 / (1 + 10 ** ((mine[:, None, :] - mine[:, :, None]) / ELO_SCALE))
            gained = (met[match] * (actual[match] - expected)).sum(2)
            ratings[row, seats] = mine + step[match, None] * gained
        return ratings[:, :-1]

    return average_over_orders(table, walk, orders, samples, seed)


def open_skill(results: Sequence[Result], *, orders: int = 100, samples: int = 200, seed: int = 0) -> list[Rating]:
    """OpenSkill's mu under its Plackett-Luce model with the default settings, best first; tables of any size.

    Weng and Lin, JMLR 12 (2011), algorithm 4. Depends on the order of the matches as Elo does and is averaged alike.
    The update is computed here for all bootstrap samples at once; it is the openskill library's. The spread is the
    bootstrap's, not the model's sigma, which counts matches and knows nothing of clusters.

    Args:
        results: the matches.
        orders: random orders averaged; a bootstrap sample averages a tenth of them.
        samples: bootstrap samples.
        seed: of orders and bootstrap.

    Raises:
        ConfigError: no match, or no order.
    """
    table = _Table(results)
    sits = table.who < len(table.players)
    at_most = table.better.swapaxes(1, 2) | table.equal | (np.eye(sits.shape[1], dtype=bool) & sits[:, :, None])
    """[match, seat, other]: whether the seat scored at most what the other did."""
    tied = np.maximum(1, (at_most & at_most.swapaxes(1, 2)).sum(2))
    share = at_most / tied[:, None, :]

    def walk(order: Ints) -> Floats:
        means = np.full((len(order), len(table.players) + 1), MU)
        variances = np.full_like(means, SIGMA**2)
        row = np.arange(len(order))[:, None]
        for match in order.T:
            seats, here = table.who[match], sits[match]
            mu, variance = means[row, seats], variances[row, seats] + TAU_SQUARED
            # Padding matches seat nobody; 1 is below any real sum.
            c = np.sqrt(np.maximum(1.0, (here * (variance + BETA_SQUARED)).sum(1, keepdims=True)))
            strength = here * np.exp(mu / c)
            field = (at_most[match] * strength[:, :, None]).sum(1) + ~here
            p = strength[:, :, None] / field[:, None, :]
            omega = here / tied[match] - (share[match] * p).sum(2)
            delta = (share[match] * p * (1 - p)).sum(2)
            means[row, seats] = mu + variance / c * omega
            variances[row, seats] = variance * np.maximum(KAPPA, 1 - (variance**1.5 / c**3) * delta)
        return means[:, :-1]

    return average_over_orders(table, walk, orders, samples, seed)


def cross_table(results: Sequence[Result]) -> dict[tuple[str, str], Estimate]:
    """The mean score of each player in the matches with each other player, clustered; n counts matches.

    Pairs that never met are not in it.
    """
    table = _Table(results)
    values: dict[tuple[str, str], tuple[list[float], list[int]]] = {}
    for result, cluster in zip(table.results, table.cluster, strict=True):
        for (mine, score), (other, _) in itertools.permutations(zip(result.players, result.scores, strict=True), 2):
            scores, clusters = values.setdefault((mine, other), ([], []))
            scores.append(score)
            clusters.append(int(cluster))
    return {pair: mean(*values[pair]) for pair in sorted(values)}


def differences(results: Sequence[Result]) -> list[Difference]:
    """Every two players' difference of mean scores, with Holm's correction for the number of pairs.

    A player's scores in a cluster are averaged first. Where two players met the same clusters, these are compared one
    by one (paired t), and clusters that only one of them met are left out; otherwise Welch's t compares the clusters
    of one with those of the other. Where all clusters agree t would claim certainty; then p is the smallest that a
    sign test (paired) or a rank test can give with as many clusters, and there is no interval.

    Raises:
        ConfigError: no match.
    """
    table = _Table(results)
    match, seat = np.nonzero(table.who < len(table.players))
    cell = table.who[match, seat] * table.clusters + table.cluster[match]
    shape = (len(table.players), table.clusters)
    played = np.bincount(cell, minlength=math.prod(shape)).reshape(shape)
    total = np.bincount(cell, table.scores[match, seat], minlength=math.prod(shape)).reshape(shape)
    score = total / np.maximum(1, played)
    found = []
    for left, right in itertools.combinations(range(len(table.players)), 2):
        both = (played[left] > 0) & (played[right] > 0)
        matched = bool(both.any())
        if matched:
            estimate, p = _paired(score[left, both] - score[right, both])
        else:
            estimate, p = _welch(score[left, played[left] > 0], score[right, played[right] > 0])
        found.append((table.players[left], table.players[right], estimate, p, matched))
    corrected = iter(holm([p for *_, p, _ in found if p is not None]))
    return [
        Difference(left, right, estimate, p, None if p is None else next(corrected), matched)
        for left, right, estimate, p, matched in found
    ]


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's step-down adjusted p-values, in the order given.

    The i-th smallest of m becomes max over j ≤ i of min(1, (m - j + 1) p_(j)): rejecting where it is at most alpha errs
    in any pair with probability at most alpha. Source: Holm, Scandinavian Journal of Statistics 6 (1979).
    """
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def cluster_weights(clusters: int, samples: int, seed: int) -> Iterator[Floats]:
    """Bootstrap samples in batches [batch, clusters]: how often each cluster is drawn; none of a single cluster.

    Raises:
        ConfigError: ``samples`` is no whole number of at least 1.
    """
    if not isinstance(samples, int) or isinstance(samples, bool) or samples < 1:
        raise ConfigError(f"samples must be a whole number of at least 1, got {samples!r}")
    rng = np.random.default_rng(seed)
    batch = max(1, BATCH // clusters)
    for start in range(0, samples if clusters > 1 else 0, batch):
        drawn = rng.integers(clusters, size=(min(batch, samples - start), clusters))
        drawn += clusters * np.arange(len(drawn))[:, None]
        yield np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape).astype(float)


def percentiles(draws: ArrayLike) -> tuple[Floats, Floats]:
    """Both ends of the percentile interval along the first axis."""
    tail = 50 * (1 - LEVEL)
    low, high = np.percentile(np.asarray(draws, float), [tail, 100 - tail], axis=0)
    return low, high


class _Table:
    """Matches as arrays, in an order of their own; a last match and a last player that do not exist pad them."""

    def __init__(self, results: Sequence[Result]) -> None:
        if not results:
            raise ConfigError("there is no match to rate; give at least one Result")
        self.results = sorted(results, key=lambda result: (str(result.cluster), _seated(result)))
        self.players = sorted({player for result in results for player in result.players})
        place = {player: index for index, player in enumerate(self.players)}
        clusters: dict[str | int, int] = {}
        self.cluster: Ints = np.array([clusters.setdefault(r.cluster, len(clusters)) for r in self.results], np.intp)
        self.clusters = len(clusters)
        shape = (len(results) + 1, max(len(result.players) for result in results))
        self.who: Ints = np.full(shape, len(self.players), np.intp)
        self.scores: Floats = np.full(shape, math.nan)
        for index, result in enumerate(self.results):
            # Sorted, so that who is named first in a record makes no difference, not even in rounding.
            for seat, (player, score) in enumerate(_seated(result)):
                self.who[index, seat], self.scores[index, seat] = place[player], score
        # Nobody sits where the score is NaN, and NaN compares as False.
        self.better = self.scores[:, :, None] > self.scores[:, None, :]
        self.equal = (self.scores[:, :, None] == self.scores[:, None, :]) & ~np.eye(shape[1], dtype=bool)


def _seated(result: Result) -> list[tuple[str, float]]:
    return sorted(zip(result.players, result.scores, strict=True))


def strengths_of(wins: Floats) -> Floats:
    """Bradley-Terry's maximum likelihood for wins [fits, winner, loser] by Newton's method, mean zero."""
    fits, players, _ = wins.shape
    games = wins + wins.swapaxes(1, 2)
    theta = np.zeros((fits, players))
    for _ in range(1000):
        p = 1 / (1 + np.exp(theta[:, None, :] - theta[:, :, None]))
        gradient = (wins - games * p).sum(2)
        curvature = games * p * (1 - p)
        hessian = curvature.sum(2)[:, :, None] * np.eye(players) - curvature
        # Only differences are determined; the added constant fixes the mean at zero.
        step = np.linalg.solve(hessian + games.mean(), gradient[:, :, None])[:, :, 0]
        spread = np.ptp(step, axis=1, keepdims=True)
        # A step that moves no two players by more than 1 apart lowers this loss always; a full one may not.
        theta += step / np.maximum(1.0, spread)
        if spread.max() < 1e-9:
            break
    strengths: Floats = theta - theta.mean(1, keepdims=True)
    return strengths


def average_over_orders(table: _Table, walk: Walk, orders: int, samples: int, seed: int) -> list[Rating]:
    """Ratings by a sequential rule, averaged over random orders of the matches and of each bootstrap sample's."""
    if not isinstance(orders, int) or isinstance(orders, bool) or orders < 1:
        raise ConfigError(f"orders must be a whole number of at least 1, got {orders!r}")
    rng = np.random.default_rng([seed, 1])
    matches = np.arange(len(table.cluster))

    def rate(chosen: Sequence[Ints], orders: int) -> Floats:
        order = np.full((len(chosen) * orders, max(map(len, chosen))), len(matches), np.intp)
        for index, sequence in enumerate(order):
            mine = chosen[index // orders]
            sequence[: len(mine)] = rng.permutation(mine)
        ratings: Floats = walk(order).reshape(len(chosen), orders, -1).mean(1)
        return ratings

    point = rate([matches], orders)[0]
    draws = []
    fewer = max(1, orders // 10)
    batch = max(1, BATCH // (fewer * len(matches)))
    for weights in cluster_weights(table.clusters, samples, seed):
        for start in range(0, len(weights), batch):
            times = weights[start : start + batch, table.cluster].astype(np.intp)
            draws.append(rate([np.repeat(matches, row) for row in times], fewer))
    return _ranked(table, point, draws)


def _ranked(table: _Table, point: Floats, draws: Sequence[Floats]) -> list[Rating]:
    matches = np.bincount(table.who.ravel(), minlength=len(table.players) + 1)
    ranks = _ranks(point)
    if draws:
        drawn = np.concatenate(draws)
        low, high = percentiles(drawn)
        best, worst = percentiles(np.array([_ranks(row) for row in drawn]))
    found = []
    for i, player in enumerate(table.players):
        ends = (float(low[i]), float(high[i])) if draws else (None, None)
        # Ranks are whole; the interval takes in those it only touches.
        places = (math.floor(best[i]), math.ceil(worst[i])) if draws else (None, None)
        estimate = Estimate(float(point[i]), ends[0], ends[1], int(matches[i]))
        found.append(Rating(player, estimate, int(ranks[i]), *places))
    return sorted(found, key=lambda rating: (rating.rank, rating.player))


def _ranks(ratings: Floats) -> Ints:
    # Equal players differ by rounding.
    rounded = np.round(ratings, 7)
    return np.asarray(1 + (rounded[None, :] > rounded[:, None]).sum(1), np.intp)


def _paired(gaps: Floats) -> tuple[Estimate, float | None]:
    estimate = mean(gaps, np.arange(gaps.size))
    if gaps.size < 2:
        return estimate, None
    if estimate.low is None:
        return estimate, 1.0 if np.abs(gaps).max() < 1e-12 else 2.0 ** (1 - gaps.size)
    from scipy.stats import ttest_1samp

    return estimate, float(ttest_1samp(gaps, 0.0).pvalue)


def _welch(left: Floats, right: Floats) -> tuple[Estimate, float | None]:
    value, n = float(left.mean() - right.mean()), left.size + right.size
    if min(left.size, right.size) < 2:
        return Estimate(value, None, None, n), None
    if np.ptp(left) + np.ptp(right) < 1e-12 * max(1.0, float(np.abs(left).max()), float(np.abs(right).max())):
        return Estimate(value, None, None, n), 1.0 if abs(value) < 1e-12 else min(1.0, 2 / math.comb(n, left.size))
    from scipy.stats import ttest_ind

    test = ttest_ind(left, right, equal_var=False)
    interval = test.confidence_interval(LEVEL)
    return Estimate(value, float(interval.low), float(interval.high), n), float(test.pvalue)
