"""What a player wins per hand, with the luck of the cards taken out and its worth measured.

A *deal* is one deck. Duplicate play (as in duplicate bridge, and in poker matches against programs) lets every player
sit in every seat of the same deal; all those hands count as hands played, and the deal is the unit of sampling.

For hands h of deal d with values y_h, each estimate is the mean over all n hands. Its standard error is clustered:
residuals e_h = y_h - (mean of h's seats) are summed by deal, r_d = Σ e_h, and se² = G/(G - L) Σ r_d² / n² with G deals
and L free seat means. What a seat is worth by itself is no luck, as the button goes round in plain poker too.

- plain: one hand of each deal, the next seating with each deal, as if no deal had been replayed; seats weigh as they
  do among all hands. A hand's variance is that of all hands, σ² = Σ e_h² / (n - seat means), and se² = σ² / G.
  Where hands of different deals share luck, as those of a table at which chips are carried, d is the table, plain play
  is all of its hands, and nothing was replayed; L is 1 then, the mean of all hands: seats are nearly balanced within a
  table, and a mean for each would leave few tables to tell their spread.
- duplicate: y_h is what was won; the deal's replays cancel what the cards gave to each seat.
- all-in: y_h is the winnings expected when all-in hands were shown, instead of those drawn by the remaining cards.
- controls: y_h - β·c_h, where c_h has expectation zero whatever the players do. β is the least-squares coefficient
  of the *other* folds of deals, so E[β·c_h] = β·E[c_h] = 0 holds exactly and the estimate stays unbiased.
  Source: Lavenberg and Welch, Management Science 27 (1981); cross-fitting: Chernozhukov et al., Econometrics
  Journal 21 (2018).

AIVAT (Burch et al., AAAI 2018) goes further with a value function and the players' known strategies; it is related
work and not built here.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.reporting.estimates import LEVEL, Estimate, Floats
from interactive_envs.reporting.ratings import Ints, cluster_weights, percentiles

FOLDS = 10
"""Parts of the deals; the coefficients for each come from the others."""
DEALS_PER_CONTROL = 10
"""Deals that a coefficient needs; with fewer the controls are not used."""
NOTHING_LEFT = 1e-12
"""A spread below this share of the largest value is rounding."""


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand played; every tuple is in the order of the seats, money in big blinds.

    Attributes:
        deal: the deck; replays of a deck have the same.
        players: who sat where, each once.
        won: net winnings.
        adjusted: winnings with all-in hands at their expectation; used where every hand has them.
        controls: a vector a seat with known expectation zero, such as the luck of the hole cards; used where every
            hand has one.
        cluster: what it shares luck with beside its deal, such as a table at which chips are carried; None for nothing.

    Raises:
        ConfigError: not one value a seat, a player in two seats, or a number that is not finite.
    """

    deal: str | int
    players: tuple[str, ...]
    won: tuple[float, ...]
    adjusted: tuple[float, ...] | None = None
    controls: tuple[tuple[float, ...], ...] | None = None
    cluster: str | int | None = None

    def __post_init__(self) -> None:
        if len(set(self.players)) < len(self.players):
            raise ConfigError(f"a player sits in one seat of a hand, got {self.players!r}")
        for name, values in (("won", self.won), ("adjusted", self.adjusted), ("controls", self.controls)):
            if values is not None and len(values) != len(self.players):
                raise ConfigError(f"{name} must have one entry for each of {len(self.players)} seats, got {values!r}")
            if values is not None and not np.isfinite(np.array(values, float)).all():
                raise ConfigError(f"{name} must be finite numbers, got {values!r}")


@dataclass(frozen=True, slots=True)
class Reduction:
    """One estimator's answer.

    Attributes:
        method: ``plain``, or what was used, joined by `` + ``.
        estimate: winnings per hand in big blinds; n counts all hands played for it.
        error: its standard error, None where there are too few deals.
        deals: clusters behind it: deals, or what the hands share luck with beside them.
        variance: variance per hand played, n · error², for :func:`hands_needed`.
        freedom: degrees of freedom of its interval.
        ratio: variance of plain play over this one's at the same number of hands played, with a bootstrap interval
            over deals (none where too few vary); None for plain itself, and where either has no variance.
        gap: the estimate minus the plain one; its interval should hold 0. None for plain itself.
    """

    method: str
    estimate: Estimate
    error: float | None
    deals: int
    variance: float | None
    freedom: int = 1
    ratio: Estimate | None = None
    gap: Estimate | None = None

    @property
    def p(self) -> float | None:
        """Of a two-sided t test that the estimate is 0, in agreement with its interval; None without an error."""
        if not self.error or self.estimate.value is None:
            return None
        from scipy.special import stdtr

        return float(2 * stdtr(self.freedom, -abs(self.estimate.value) / self.error))

    @property
    def certain(self) -> bool:
        """Whether nothing varied, so that there is no variance to compare."""
        return self.error == 0

    def as_json(self) -> dict[str, Any]:
        """Plain JSON, rounded so that equal runs give equal bytes."""
        return {
            "method": self.method,
            **self.estimate.as_json(),
            "deals": self.deals,
            "error": None if self.error is None else round(self.error, 6),
            "variance": None if self.variance is None else round(self.variance, 6),
            "ratio": None if self.ratio is None else self.ratio.as_json(),
            "gap": None if self.gap is None else self.gap.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Pairs:
    """Every two players who shared a table.

    Attributes:
        reductions: the estimators of how much more the first wins per hand than the second.
        without_variance: pairs in which some estimator has no spread, and which ones; such have no ratio.
    """

    reductions: dict[tuple[str, str], list[Reduction]]
    without_variance: dict[tuple[str, str], tuple[str, ...]]


def of_player(hands: Sequence[Hand], player: str, *, samples: int = 1000, seed: int = 0) -> list[Reduction]:
    """A player's winnings per hand by every estimator that the hands allow, plain first.

    Args:
        hands: all hands; those without the player are left out.
        player: whose winnings.
        samples: bootstrap samples for the variance ratio.
        seed: of the bootstrap.

    Raises:
        UnknownNameError: nobody of that name played.
    """
    mine = [hand for hand in hands if player in hand.players]
    if not mine:
        raise UnknownNameError("player", player, {name for hand in hands for name in hand.players})
    return _reductions(_Values(mine, (player,)), samples, seed)


def of_pair(hands: Sequence[Hand], left: str, right: str, *, samples: int = 1000, seed: int = 0) -> list[Reduction]:
    """How much more ``left`` wins than ``right`` per hand that both played; heads-up that is twice what it wins.

    Args:
        hands: all hands; those that not both played are left out.
        left: whose winnings count positive.
        right: whose count negative.
        samples: bootstrap samples for the variance ratio.
        seed: of the bootstrap.

    Raises:
        UnknownNameError: nobody of that name played.
        ConfigError: the two never shared a table.
    """
    known = {name for hand in hands for name in hand.players}
    for name in (left, right):
        if name not in known:
            raise UnknownNameError("player", name, known)
    both = [hand for hand in hands if left in hand.players and right in hand.players]
    if left == right or not both:
        raise ConfigError(f"{left!r} and {right!r} never sat at one table; compare two players who did")
    return _reductions(_Values(both, (left, right)), samples, seed)


def of_pairs(hands: Sequence[Hand], *, samples: int = 1000, seed: int = 0) -> Pairs:
    """:func:`of_pair` for every two players who shared a table."""
    met: dict[tuple[str, str], list[Hand]] = {}
    for hand in hands:
        for left, right in itertools.combinations(sorted(hand.players), 2):
            met.setdefault((left, right), []).append(hand)
    found = {pair: _reductions(_Values(met[pair], pair), samples, seed) for pair in sorted(met)}
    certain = {pair: tuple(one.method for one in reductions if one.certain) for pair, reductions in found.items()}
    return Pairs(found, {pair: methods for pair, methods in certain.items() if methods})


def hands_needed(difference: float, variance: float, *, power: float = 0.8, alpha: float = 0.05) -> int:
    """Hands to play until a two-sided test separates two players.

    (z_(1 - alpha/2) + z_power)² · variance / difference², rounded up.

    Args:
        difference: of their winnings per hand, in big blinds.
        variance: of that difference per hand played, as in :attr:`Reduction.variance`.
        power: the chance to find the difference, above alpha and below 1.
        alpha: the chance to find one where there is none.

    Returns:
        At least 1.

    Raises:
        ConfigError: no difference, a negative variance, or chances that are none.
    """
    if not math.isfinite(difference) or difference == 0:
        raise ConfigError(f"difference must be a number other than 0, got {difference!r}: equal players never separate")
    if not (math.isfinite(variance) and variance >= 0):
        raise ConfigError(f"variance must be a number of at least 0, got {variance!r}")
    if not 0 < alpha < power < 1:
        raise ConfigError(f"alpha and power must keep 0 < alpha < power < 1, got {alpha!r} and {power!r}")
    from scipy.special import ndtri

    return max(1, math.ceil(float(ndtri(1 - alpha / 2) + ndtri(power)) ** 2 * variance / difference**2))


class _Values:
    """One value a hand: a player's winnings, or the first player's minus the second's, and what goes with it."""

    def __init__(self, played: Sequence[Hand], who: tuple[str, ...]) -> None:
        # Hands that run in parallel end in any order; what is picked and folded must not depend on it.
        hands = sorted(played, key=lambda hand: (str(hand.deal), hand.players))
        seats = [tuple(hand.players.index(name) for name in who) for hand in hands]
        sign = np.array([1.0, -1.0][: len(who)])

        def per_hand(of_seats: Sequence[Sequence[Any]]) -> Floats:
            mine = [[values[seat] for seat in taken] for values, taken in zip(of_seats, seats, strict=True)]
            return np.tensordot(np.array(mine, float), sign, (1, 0))

        deals: dict[str | int, int] = {}
        places: dict[Any, int] = {}
        units = [hand.deal if hand.cluster is None else hand.cluster for hand in hands]
        self.deal: Ints = np.array([deals.setdefault(unit, len(deals)) for unit in units], np.intp)
        self.replayed = len({hand.deal for hand in hands}) < len(hands)
        if self.replayed and any(hand.cluster is not None for hand in hands):
            raise ConfigError("hands that share luck beside their deal (cluster) must each have a deal of their own")
        self.clustered = not self.replayed and len(deals) < len(hands)
        # Heads-up, against whom is the plan of a round robin, as the seat is.
        keys = [
            None
            if self.clustered
            else (taken, frozenset(hand.players) if len(hand.players) == 2 else len(hand.players))
            for taken, hand in zip(seats, hands, strict=True)
        ]
        self.place: Ints = np.array([places.setdefault(key, len(places)) for key in keys], np.intp)
        self.hands, self.deals, self.places = len(hands), len(deals), len(places)
        self.sizes = np.bincount(self.deal).astype(float)
        self.layout = self.by_deal(np.eye(self.places)[self.place])
        """Hands of each deal in each place, [deals, places]."""
        self.freedom = self.deals - int(np.linalg.matrix_rank(self.layout))
        self.won = per_hand([hand.won for hand in hands])
        self.adjusted = self.controls = None
        adjusted = [hand.adjusted for hand in hands if hand.adjusted is not None]
        controls = [hand.controls for hand in hands if hand.controls is not None]
        if len(adjusted) == len(hands):
            self.adjusted = per_hand(adjusted)
        if len(controls) == len(hands):
            lengths = {len(vector) for seated in controls for vector in seated}
            if len(lengths) > 1:
                raise ConfigError(f"controls must be equally long in all hands, got lengths {sorted(lengths)}")
            self.controls = per_hand(controls)

    def by_deal(self, values: Floats) -> Floats:
        """Sums over the hands of each deal."""
        total = np.zeros((self.deals, *values.shape[1:]))
        np.add.at(total, self.deal, values)
        return total

    def residuals(self, values: Floats) -> Floats:
        """What differs from the mean of the same place."""
        means = np.bincount(self.place, values) / np.bincount(self.place)
        return np.asarray(values - means[self.place], float)

    def picked(self) -> tuple[Ints, Floats]:
        """One hand of each deal, around and around its replays, and the weights of these hands."""
        order = np.argsort(self.deal, kind="stable")
        sizes = self.sizes.astype(np.intp)
        pick = np.asarray(order[np.cumsum(sizes) - sizes + np.arange(self.deals) % sizes], np.intp)
        times = np.bincount(self.place[pick], minlength=self.places)
        if not times.all():
            return pick, np.full(self.deals, 1 / self.deals)
        shares = np.bincount(self.place) / self.hands
        return pick, np.asarray((shares / times)[self.place[pick]], float)


def _reductions(data: _Values, samples: int, seed: int) -> list[Reduction]:
    spare = data.hands - data.places
    error = None
    if data.clustered:
        found = [_reduction("plain", float(data.won.mean()), _clustered(data, data.won), data, data.hands)]
    else:
        if spare > 0 and data.freedom > 0:
            per_hand = float((data.residuals(data.won) ** 2).sum()) / spare
            error = _cleaned(math.sqrt(per_hand / data.deals), data.won)
        pick, weight = data.picked()
        found = [_reduction("plain", float(weight @ data.won[pick]), error, data, data.deals)]
    values, used = data.won, (["duplicate"] if data.replayed else [])
    steps = [("duplicate", values)] if used else []
    if data.adjusted is not None:
        used, values = [*used, "all-in"], data.adjusted
        steps.append((" + ".join(used), values))
    if data.controls is not None:
        steps.append((" + ".join([*used, "controls"]), values - _explained(data, values, data.controls)))
    found += [_compared(name, reduced, data, found[0], samples, seed) for name, reduced in steps]
    return found


def _compared(method: str, values: Floats, data: _Values, plain: Reduction, samples: int, seed: int) -> Reduction:
    """One reduced estimate beside the plain one."""
    left, sums = data.residuals(data.won), data.by_deal(data.residuals(values))
    error = _clustered(data, values)
    found = _reduction(method, float(values.mean()), error, data, data.hands)
    if error is None:
        return found
    scale = data.deals / data.freedom
    # Both estimates come from the same deals: their difference has its own spread.
    if data.clustered:
        plainly, apart = float(data.won.mean()), (sums - data.by_deal(left)) / data.hands
    else:
        pick, weight = data.picked()
        plainly, apart = float(weight @ data.won[pick]), sums / data.hands - weight * left[pick]
    apart_error = _cleaned(math.sqrt(scale * float(((apart - apart.mean()) ** 2).sum())), data.won)
    gap = _interval(float(values.mean() - plainly), apart_error, data, data.deals)
    if not error or not plain.variance:
        return replace(found, gap=gap)
    value = plain.variance / (data.hands * error**2)
    low, high = _ratio_interval(left, sums, data, samples, seed)
    return replace(found, gap=gap, ratio=Estimate(value, low, high, data.hands))


def _clustered(data: _Values, values: Floats) -> float | None:
    """The standard error of the mean of all hands; None with too few deals."""
    if data.freedom < 1:
        return None
    sums = data.by_deal(data.residuals(values))
    scale = data.deals / data.freedom
    return _cleaned(math.sqrt(scale * float((sums**2).sum())) / data.hands, data.won)


def _ratio_interval(
    left: Floats, sums: Floats, data: _Values, samples: int, seed: int
) -> tuple[float | None, float | None]:
    """Percentile interval of the variance ratio; the coefficients of the controls stay as fitted."""
    plainly = data.by_deal(left)
    columns = [data.sizes, plainly, data.by_deal(left**2), sums, sums * data.sizes, sums**2, data.sizes**2]
    columns += [plainly * data.sizes, plainly**2] if data.clustered else []
    of_deals = np.stack(columns, axis=1)
    inflation, scale = data.hands / (data.hands - data.places), data.deals / data.freedom
    draws = []
    for weights in cluster_weights(data.deals, samples, seed):
        hands, total, squares, reduced, crossed, reduced_squares, size_squares, *of_plain = (weights @ of_deals).T
        shift = reduced / hands
        spread = (reduced_squares - 2 * shift * crossed + shift**2 * size_squares) * scale
        if data.clustered:
            mean = total / hands
            plain_spread = (of_plain[1] - 2 * mean * of_plain[0] + mean**2 * size_squares) * scale
        else:
            plain_spread = (squares - total**2 / hands) / hands * inflation * hands
        draws.append(np.stack([plain_spread, spread], axis=1))
    drawn = np.concatenate(draws)
    # Where a sample may draw only deals that do not vary, the ratio has no upper end.
    if (drawn[:, 1] <= NOTHING_LEFT * (sums**2).sum()).any():
        return None, None
    low, high = percentiles(drawn[:, 0] / drawn[:, 1])
    return float(low), float(high)


def _explained(data: _Values, values: Floats, controls: Floats) -> Floats:
    """What the controls explain of each hand, with coefficients from the other folds of deals."""
    totals, design = data.by_deal(values), np.hstack([data.layout, data.by_deal(controls)])
    fold, found = np.arange(data.deals) % FOLDS, np.zeros(data.hands)
    needed = (data.deals - data.freedom) + DEALS_PER_CONTROL * controls.shape[1]
    for part in range(FOLDS):
        others = fold != part
        if others.sum() >= needed:
            # Replays cancel some controls to rounding errors; the cut-off keeps those from being fitted.
            fitted = np.linalg.lstsq(design[others], totals[others], rcond=1e-9)[0][data.places :]
            here = fold[data.deal] == part
            found[here] = controls[here] @ fitted
    return found


def _reduction(method: str, value: float, error: float | None, data: _Values, hands: int) -> Reduction:
    variance = None if error is None else hands * error**2
    return Reduction(method, _interval(value, error, data, hands), error, data.deals, variance, data.freedom)


def _interval(value: float, error: float | None, data: _Values, n: int) -> Estimate:
    if not error:
        return Estimate(value, None, None, n)
    from scipy.special import stdtrit

    half = float(stdtrit(data.freedom, (1 + LEVEL) / 2)) * error
    return Estimate(value, value - half, value + half, n)


def _cleaned(error: float, values: Floats) -> float:
    return error if error > NOTHING_LEFT * max(1.0, float(np.abs(values).max())) else 0.0
