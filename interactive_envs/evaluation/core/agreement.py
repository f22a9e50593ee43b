"""How far a smaller size of the suite ranks players as the size does that all known players played.

Only few players of known strength exist, and they are far apart. Between them stand mixtures: players that play an
episode as the best known player does with some probability, else as chance does. What those would have earned follows
from what both earned on the same cases, so that any number of them can be drawn.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.stats import kendalltau

from interactive_envs.evaluation.core import results, scoring
from interactive_envs.evaluation.core.suite import settings
from interactive_envs.reporting.estimates import kendall

GAPS = (0.0, 5.0, 10.0, 20.0, 40.0)
"""Edges of groups of differences between two scores."""
STRENGTHS = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Probabilities that a mixture plays as the best known player."""


@dataclass(frozen=True)
class Agreement:
    """How a smaller size ranks players.

    Attributes:
        known: Kendall's tau between the orders of the known players that have a score in both sizes.
        ladder: the mean of tau over draws of a ladder of mixtures, one of each of :data:`STRENGTHS`.
        alike: by the lower edge of :data:`GAPS`: the share of pairs of mixtures that differ as much on the larger size
            and stand in the same order on the smaller, and the number of pairs.
    """

    known: float
    ladder: float
    alike: dict[float, tuple[float, int]]


def agreement(size: str, draws: int = 400, seed: int = 0) -> Agreement:
    """Compare a size with the largest that all known players played.

    Args:
        size: the smaller one.
        draws: ladders.
        seed: of the mixtures.
    """
    known = results.baselines()
    scores = [results.table(one, {})[1] for one in (size, known.size)]
    mine, whole = ({one.player: one.score.value for one in all_ if one.score.value is not None} for all_ in scores)
    small, large = mixtures(size, draws, seed)
    taus = [float(kendalltau(*both).statistic) for both in zip(small, large, strict=True)]
    left, right = np.triu_indices(len(STRENGTHS), 1)
    apart, same = large[:, right] - large[:, left], small[:, right] - small[:, left]
    alike = {}
    for low, high in zip(GAPS, (*GAPS[1:], np.inf), strict=True):
        group = (abs(apart) >= low) & (abs(apart) < high)
        alike[low] = (float(np.mean(apart[group] * same[group] > 0)), int(group.sum()))
    return Agreement(kendall(mine, whole)[0] or 0.0, float(np.mean(taus)), alike)


def mixtures(size: str, draws: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Scores of mixtures on the smaller size and on the larger, arrays of a row a draw and a column a strength."""
    known, random = results.baselines(), np.random.default_rng(seed)
    whole, part = settings(known.size), settings(size)
    played = {name: one.results for name, one in known.players.items()}
    scales = scoring.scales(played, [one.yardstick for one in whole])
    found = np.zeros((2, draws, len(STRENGTHS)))
    for setting in whole:
        scale = scales[setting.title]
        best = played[scale.best][setting.title]
        cases = [case for case in scale.chance if case in best]
        inside = results.within({setting.title: best}, part)[setting.title]
        gaps = np.array([best[case] - scale.chance[case] for case in cases]) / scale.worth
        chosen = random.random((draws, len(STRENGTHS), len(cases))) < np.array(STRENGTHS)[:, None]
        siblings = sum(one.family == setting.family for one in whole)
        families = len({one.family for one in whole})
        for place, mask in enumerate((np.array([case in inside for case in cases]), np.full(len(cases), True))):
            found[place] += 100 * (chosen[..., mask] * gaps[mask]).mean(axis=-1) / siblings / families
    return found[0], found[1]
