"""Accuracy corrected for the judge's errors.

A judge that accepts some wrong answers and refuses some right ones shows another accuracy than the players have.
:func:`corrected` takes the difference out with the error rates that ``ibench judge-check --out`` measured (Rogan and
Gladen, 1978); its interval holds the uncertainty of these rates too (delta method, with the additions of Lang and
Reiczigel, 2014). :func:`dawid_skene` finds the error rates of a panel's members from their votes alone (Dawid and
Skene, 1979).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from interactive_envs.errors import ConfigError
from interactive_envs.reporting.estimates import NOTHING, Estimate, Floats, clustered, normal, student
from interactive_envs.system.files import read_json

SCHEMA = 1
TELLS_NOTHING = 0.1
"""A judge whose two rates add up to no more than 1 and this tells right answers from wrong ones too badly."""
MEMBERS = 3
"""Voters from which on their error rates can be found from their votes alone."""
ROUNDS, SETTLED = 500, 1e-9
"""Steps of the estimation at most, and the change of a probability below which it has settled."""
DRAWS = 200
"""Samples of cases behind the interval of a panel."""
LARGEST = 20_000_000
"""Bytes of a file of a judge's errors."""


@dataclass(frozen=True)
class Rate:
    """A share of a judge's verdicts with its variance, cases clustered."""

    value: float
    variance: float
    n: int


@dataclass(frozen=True)
class JudgeErrors:
    """How often a judge's verdicts on final answers are right, as measured on labelled ones that it answered.

    Attributes:
        judge: its spec.
        task: the family, as on its card.
        sensitivity: the share of right answers that it accepts.
        specificity: the share of wrong answers that it refuses.
        cases: labelled cases behind the rates.
        described: what a judge must say of itself for the rates to be its own, such as a version or a model.
    """

    judge: str
    task: str
    sensitivity: Rate
    specificity: Rate
    cases: int
    described: Mapping[str, Any] = field(default_factory=dict)

    @property
    def tells(self) -> float:
        """Sensitivity plus specificity minus 1: 1 for a perfect judge, 0 for one that guesses."""
        return self.sensitivity.value + self.specificity.value - 1


def rate(hits: ArrayLike, sizes: ArrayLike) -> Rate:
    """The share of hits among all, from counts of each case.

    One hit and one miss are added, so that a judge without an error among few answers is not taken for perfect. The
    variance is the larger one of the binomial and the cluster-robust one.
    """
    found, of = np.asarray(hits, float), np.asarray(sizes, float)
    kept = of > 0
    found, of = found[kept], of[kept]
    n = int(of.sum())
    value = (float(found.sum()) + 1) / (n + 2)
    variance = value * (1 - value) / (n + 2)
    if len(of) > 1:
        residuals = found - of * (float(found.sum()) / n)
        variance = max(variance, len(of) / (len(of) - 1) * float((residuals**2).sum()) / n**2)
    return Rate(value, variance, n)


def corrected(accepted: ArrayLike, finals: ArrayLike, cases: ArrayLike, errors: JudgeErrors) -> Estimate:
    """Estimate the share of episodes with a right final answer from verdicts of a judge that errs.

    With ``p`` the share of episodes in which an answer was accepted and ``f`` the answers per episode, the estimate is
    ``(p - (1 - specificity) f) / (sensitivity + specificity - 1)``: Rogan and Gladen's where every episode has one
    answer. It assumes that the judge errs on players' answers as it does on the labelled ones, and that nobody gives a
    right answer twice in one episode.

    Args:
        accepted: whether a final answer of each episode was accepted, 0 or 1.
        finals: final answers of each episode that were judged.
        cases: which case each episode played, a small non-negative integer.
        errors: of the judge.

    Returns:
        The estimate, cut to 0..1; nothing without episodes, or where the judge tells right from wrong too badly.
    """
    won, given, case = np.asarray(accepted, float), np.asarray(finals, float), np.asarray(cases, int)
    if not won.size or errors.tells <= TELLS_NOTHING:
        return NOTHING
    passed = 1 - errors.specificity.value
    per_episode = (won - passed * given) / errors.tells
    value = float(per_episode.mean())
    _, half, clusters = clustered(per_episode, np.ones_like(won), case)
    freedom = max(1, min(clusters, errors.cases) - 1)
    own = 0.0 if half is None else (half / student(clusters - 1)) ** 2
    z2 = normal() ** 2
    share = (float(won.mean()) * clusters + z2 / 2) / (clusters + z2)
    own = max(own, share * (1 - share) / (clusters + z2) / errors.tells**2)
    judge = value**2 * errors.sensitivity.variance + (given.mean() - value) ** 2 * errors.specificity.variance
    reach = student(freedom) * math.sqrt(own + float(judge) / errors.tells**2)
    return Estimate(_cut(value), _cut(value - reach), _cut(value + reach), won.size)


def read(path: Path) -> JudgeErrors:
    """Read what ``ibench judge-check --out`` wrote.

    Raises:
        ConfigError: it cannot be read, or holds no verdicts on final answers.
    """
    content = read_json(path, largest=LARGEST)
    try:
        schema, judge, task = content["schema"], str(content["judge"]), str(content["task"])
        finals = np.array(content["finals"], float).reshape(-1, 2, 2)
        described = dict(content["described"])
    except (KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"{path} holds no errors of a judge; write it with ibench judge-check --out") from error
    if schema != SCHEMA:
        raise ConfigError(f"{path} has schema {schema!r}, not {SCHEMA}; run ibench judge-check --out")
    return replace(of_counts(judge, task, finals), described=described)


def of_counts(judge: str, task: str, finals: Floats) -> JudgeErrors:
    """A judge's errors from counts per case, shape ``(cases, 2, 2)``: right or wrong answer, accepted or refused.

    Raises:
        ConfigError: there are no right answers, or no wrong ones.
    """
    right, wrong = finals[:, 0], finals[:, 1]
    if not right.sum() or not wrong.sum():
        raise ConfigError(
            f"the errors of judge {judge!r} need verdicts on right and on wrong final answers; "
            "ask it --misled and --explanations"
        )
    return JudgeErrors(
        judge, task, rate(right[:, 0], right.sum(axis=1)), rate(wrong[:, 1], wrong.sum(axis=1)), len(finals)
    )


@dataclass(frozen=True)
class Panel:
    """What the votes of a panel say of answers and voters.

    Attributes:
        right: the probability that each answer is right.
        sensitivity: of each voter.
        specificity: of each voter.
    """

    right: Floats
    sensitivity: Floats
    specificity: Floats


def dawid_skene(votes: ArrayLike, weights: ArrayLike | None = None) -> Panel:
    """Find which answers are right and how often each voter errs, from the votes alone.

    Expectation-maximisation from the majority's verdicts. It assumes that voters err independently of one another
    given the truth; voters that share their errors look better than they are.

    Args:
        votes: shape ``(answers, voters)``: 1 accepted, 0 refused, NaN where there is no vote.
        weights: of each answer, 1 where left out.

    Raises:
        ConfigError: fewer than three voters: their errors cannot be told apart.
    """
    cast = np.asarray(votes, float)
    if cast.ndim != 2 or cast.shape[1] < MEMBERS:
        raise ConfigError(f"error rates from votes alone need at least {MEMBERS} voters, got {cast.shape[-1]}")
    weight = np.ones(len(cast)) if weights is None else np.asarray(weights, float)
    there = ~np.isnan(cast)
    yes, no = np.where(there, cast, 0.0), np.where(there, 1 - np.nan_to_num(cast), 0.0)
    right = (yes.sum(axis=1) + 0.5) / (there.sum(axis=1) + 1)
    for _ in range(ROUNDS):
        # Half a vote each way keeps a voter who never erred from being taken for infallible.
        mine, others = weight * right, weight * (1 - right)
        sensitivity = (mine @ yes + 0.5) / (mine @ there + 1)
        specificity = (others @ no + 0.5) / (others @ there + 1)
        prior = (mine.sum() + 0.5) / (weight.sum() + 1)
        accepted = yes @ np.log(sensitivity) + no @ np.log(1 - sensitivity) + math.log(prior)
        refused = yes @ np.log(1 - specificity) + no @ np.log(specificity) + math.log(1 - prior)
        now = 1 / (1 + np.exp(np.clip(refused - accepted, -700, 700)))
        moved, right = float(np.abs(now - right).max(initial=0.0)), now
        if moved < SETTLED:
            break
    return Panel(right, sensitivity, specificity)


def by_votes(votes: Sequence[ArrayLike], cases: ArrayLike) -> Estimate:
    """Estimate the share of episodes with a right final answer from a panel's votes.

    Args:
        votes: of each episode, shape ``(answers, voters)`` as for :func:`dawid_skene`; no answers is allowed.
        cases: which case each episode played, a small non-negative integer.

    Returns:
        The estimate; its interval is that of samples of cases drawn again, each with its own error rates.
    """
    case = np.asarray(cases, int)
    rows = [np.asarray(part, float) for part in votes]
    given = [part for part in rows if part.size]
    if not given:
        return NOTHING
    stacked = np.concatenate(given)
    owner = np.concatenate([np.full(len(part) if part.size else 0, at) for at, part in enumerate(rows)]).astype(int)
    rng, clusters = np.random.default_rng(0), int(case.max()) + 1

    def share(times: NDArray[np.int_]) -> float:
        panel = dawid_skene(stacked, times[case[owner]])
        wrong = np.ones(len(rows))
        np.multiply.at(wrong, owner, 1 - panel.right)
        weight = times[case]
        return float(((1 - wrong) * weight).sum() / max(1, weight.sum()))

    value = share(np.ones(clusters, int))
    drawn = [share(np.bincount(rng.integers(clusters, size=clusters), minlength=clusters)) for _ in range(DRAWS)]
    low, high = np.quantile(drawn, (0.025, 0.975))
    return Estimate(value, _cut(min(low, value)), _cut(max(high, value)), len(rows))


def as_json(
    judge: str, task: str, finals: Mapping[str, Sequence[Sequence[int]]], described: Mapping[str, Any]
) -> dict[str, Any]:
    """The content of a file for :func:`read`: counts per case, right or wrong answer by accepted or refused."""
    content = {"schema": SCHEMA, "judge": judge, "task": task, "described": dict(described)}
    return content | {"finals": list(finals.values())}


def _cut(value: float) -> float:
    return min(1.0, max(0.0, float(value)))
