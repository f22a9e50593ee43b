"""One score out of a run of the suite ``core``: 0 for chance, 100 for the best player that is known.

A setting's score is the mean over cases of what a player earned more than chance on the same case, in percent of what
the best known player earns more than chance over all cases. A family's score is the mean of its settings', the score
that of the families'. The interval respects cases: episodes of a case are one observation.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from interactive_envs.evaluation.core.suite import Setting
from interactive_envs.family import ABILITIES, ROLES, Yardstick
from interactive_envs.reporting.estimates import NOTHING, Estimate, clustered, normal, student, wilson


class Case(NamedTuple):
    """What all players meet alike: an environment of a setting by its place, a case of it, and how often it was met."""

    place: int
    case: int
    epoch: int


Results = Mapping[str, Mapping[Case, float]]
"""What a player earned, by the titles of settings."""


@dataclass(frozen=True)
class Scale:
    """What a score of a setting is measured by.

    Attributes:
        chance: what chance earned on each case.
        worth: how much more than chance the best known player earns, in the mean over all cases.
        best: the role of that player.
    """

    chance: Mapping[Case, float]
    worth: float
    best: str


@dataclass(frozen=True)
class Score:
    """A player's score.

    Attributes:
        player: its name.
        score: over all families; nothing where a setting is missing.
        families: by family.
        abilities: by ability.
        settings: by setting.
        missing: settings of which nothing was played.
        notes: what is shown apart, such as ``unreadable`` messages, tokens and cost.
    """

    player: str
    score: Estimate
    families: Mapping[str, Estimate]
    abilities: Mapping[str, Estimate]
    settings: Mapping[str, Estimate]
    missing: tuple[str, ...] = ()
    notes: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Plain JSON."""
        parts = {
            name: {key: one.as_json() for key, one in getattr(self, name).items()}
            for name in ("families", "abilities", "settings")
        }
        rest = {"missing": list(self.missing), **self.notes}
        return {"player": self.player, "score": self.score.as_json(), **parts, **rest}


class _Part(NamedTuple):
    """The score of a setting, its standard error, and the freedom of that."""

    value: float
    error: float
    freedom: int
    n: int


def scales(baselines: Mapping[str, Results], yardsticks: Iterable[Yardstick]) -> dict[str, Scale]:
    """What scores are measured by, from the results of the players of known strength.

    Args:
        baselines: results by role.
        yardsticks: of the settings.
    """
    found = {}
    for yardstick in yardsticks:
        title = yardstick.title
        best = next(role for role in reversed(ROLES) if role in yardstick.players)
        chance, top = baselines["chance"][title], baselines[best][title]
        both = [case for case in chance if case in top]
        found[title] = Scale(chance, math.fsum(top[case] - chance[case] for case in both) / len(both), best)
    return found


def score(
    player: str, results: Results, settings: Sequence[Setting], scales: Mapping[str, Scale], notes: Mapping[str, Any]
) -> Score:
    """Score a player.

    Args:
        player: its name.
        results: what it earned.
        settings: of the size that it played.
        scales: what that is measured by.
        notes: what is shown beside the score.
    """
    parts: dict[str, _Part] = {}
    for setting in settings:
        part = _part(results.get(setting.title, {}), scales[setting.title], bounded=setting.yardstick.bounded)
        if part is not None:
            parts[setting.title] = part
    families: dict[str, list[str]] = defaultdict(list)
    abilities: dict[str, dict[str, list[str]]] = {name: defaultdict(list) for name in ABILITIES}
    for setting in settings:
        if setting.title in parts:
            families[setting.family].append(setting.title)
            for name in setting.yardstick.abilities:
                abilities[name][setting.family].append(setting.title)
    missing = tuple(setting.title for setting in settings if setting.title not in parts)
    return Score(
        player,
        NOTHING if missing else _mean(parts, families.values()),
        {name: _mean(parts, [titles]) for name, titles in families.items()},
        {name: _mean(parts, groups.values()) for name, groups in abilities.items() if groups},
        {title: _mean(parts, [[title]]) for title in parts},
        missing,
        notes,
    )


def _part(earned: Mapping[Case, float], scale: Scale, *, bounded: bool) -> _Part | None:
    cases = [case for case in earned if case in scale.chance]
    if not cases:
        return None
    gaps = np.array([earned[case] - scale.chance[case] for case in cases])
    names = {case[:2]: number for number, case in enumerate(dict.fromkeys(case[:2] for case in cases))}
    value, half, count = clustered(gaps, np.ones_like(gaps), np.array([names[case[:2]] for case in cases]))
    if half:
        error = half / student(count - 1)
    elif bounded:  # where all cases differ alike, some that were not seen may not
        error = (wilson(0, count).high or 0.0) / (2 * normal())
    else:
        error = 0.0 if count > 1 else math.nan
    return _Part(100 * value / scale.worth, 100 * error / scale.worth, max(1, count - 1), len(cases))


def _mean(parts: Mapping[str, _Part], groups: Iterable[Sequence[str]]) -> Estimate:
    """The mean of the means of groups of settings; degrees of freedom by Welch and Satterthwaite."""
    filled = [group for group in groups if group]
    if not filled:
        return NOTHING
    weights = {title: 1 / len(filled) / len(group) for group in filled for title in group}
    value = math.fsum(weight * parts[title].value for title, weight in weights.items())
    n = sum(parts[title].n for title in weights)
    terms = [((weights[title] * parts[title].error) ** 2, parts[title].freedom) for title in weights]
    variance = math.fsum(term for term, _ in terms)
    if not variance > 0:  # nothing varies, or of a setting one case was played, which says nothing of the spread
        return Estimate(value, None, None, n)
    freedom = variance**2 / math.fsum(term**2 / count for term, count in terms)
    half = student(max(1, round(freedom))) * math.sqrt(variance)
    return Estimate(value, value - half, value + half, n)
