"""What runs of black boxes say: scores by family, grade and box, settings and feedback compared, and exploration.

The unit of sampling is the box: intervals are clustered by it, for generated boxes by case, as every case is another
box; where all episodes are of one box, by case. Every episode weighs the same.

    score         mean of an episode's marks, before what its turns cost
    turns         turns spent, unreadable ones too, the mean over an episode's explorations; of games, games
    case          what is drawn for an episode: the same box and the same hidden parts for all players and terms

Two settings, or the two kinds of feedback, are compared over the cases that the same player met under both, all other
arguments equal. ``0@1`` is no exploration. A player called ``circuit/reference`` where it played circuits counts as
``reference``, so that one row holds all families. The settings of games, 1@1 and 2@1, stand in the rows of 10@1 and
20@2 where other families have those, as in ORACLE.

*Bits left* are log2 of the hypotheses that agree with the replies so far, among those of the family's class (see
:meth:`interactive_envs.black_box.base.Box.left`). They go by what was true: with delayed feedback a query counts when
it is asked. Bits of different families are bits of different classes. For an exploration of n queries

    start, middle, end    bits left after 0 queries, after half as many as the setting has turns, after all n
    gained                start - end
    bits a turn           gained / turns spent
    coverage              different queries asked / different queries there are

and an episode has the mean over its explorations. Moves of games are no queries, but they leave fewer hypotheses, too.

*Tiers* put ORACLE's three tiers of exploration in numbers. For a case let r, d and i be the bits gained by the player
``random``, by a player under delayed feedback, and by the same player under instant feedback, and R those of the player
``reference`` under instant feedback, all under the same setting. Then

    tier 1, random        r               what asking anything gains
    tier 2, planning      d - r           what queries chosen in advance gain beyond that
    tier 3, adaptivity    i - d           what choosing each query by the replies before it gains beyond that
    shares                planning, adaptivity and i - r as shares of R - r: sums over cases divided by one another

each over the cases for which all of its terms are known.

*Overlap* of the queries of an exploration under the two kinds of feedback, A and B, is |A and B| / |A or B|, both taken
as sets; an episode has the mean over its explorations. A player that takes no notice of replies has 1.

*Qualification* is ORACLE's baseline test: the baseline boxes at 12@1, items that are wholly right of all items of a run
over them, the mean over runs; a run of the test is a number of a case, which the boxes have in common.

Source: ORACLE, sections 4 and 5, figures 5, 8, 9 and 10.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs import catalog
from interactive_envs.black_box.base import FAMILIES, LEVELS
from interactive_envs.black_box.families import BASELINE
from interactive_envs.black_box.report.episodes import Episode
from interactive_envs.reporting.estimates import Estimate, mean, paired, ratio, score
from interactive_envs.reporting.summary import tools_of
from interactive_envs.reporting.tables import (
    LABELS,
    Column,
    Table,
    bits,
    decimal,
    group_by,
    percent,
    points,
    row,
    share,
    tenths,
)
from interactive_envs.specs import parse_spec

QUALIFIED = 0.8
"""A player must get more of the items right than this share ("over 80% accuracy", ORACLE, section 5)."""
GRADES = ("baseline", "easy", "hard", *(f"level {level}" for level in LEVELS))
RANDOM, REFERENCE = "random", "reference"
"""What the players are called by which the others are measured."""


def tables(episodes: Sequence[Episode], others: Sequence[Episode] = ()) -> list[Table]:
    """Every table for which there are episodes.

    Args:
        episodes: of the run.
        others: of another run, which may hold twins, and the players that others are measured by.
    """
    # What both runs played counts once.
    everything = list({(one.player, one.twin()): one for one in (*others, *episodes)}.values()) if others else episodes
    made = [
        _overall(episodes),
        _families(episodes),
        _grades(episodes),
        _gains(everything),
        _feedback(everything),
        _exploration(episodes),
        _bits(episodes),
        _tiers(everything),
        _qualification(episodes),
        _tools(episodes),
        _boxes(episodes),
    ]
    return [table for table in made if table.rows]


def curves(episodes: Sequence[Episode]) -> list[dict[str, Any]]:
    """Bits left by query, of every player, condition and family that counts them: means over episodes.

    An exploration that is over keeps what was left. Query 0 is before the first.
    """
    found = []
    counted = [episode for episode in episodes if episode.left and episode.allowed[0]]
    for (player, condition), group in group_by(counted, lambda episode: episode.group).items():
        for family, part in _by_family(group).items():
            last = max(len(left) for episode in part for left in episode.left)
            left = np.array([np.mean([_at(one, range(last)) for one in episode.left], axis=0) for episode in part])
            clusters = cluster_numbers(part)
            found.append(
                {
                    "player": player,
                    "condition": condition,
                    "family": family,
                    "bits_left": [{"turn": t, **mean(left[:, t], clusters, 0.0).as_json()} for t in range(last)],
                }
            )
    return found


def _overall(episodes: Sequence[Episode]) -> Table:
    costly = any(abs(episode.reward - episode.score) > 1e-9 for episode in episodes)
    rows = []
    for group, part in group_by(episodes, lambda episode: episode.group).items():
        clusters = cluster_numbers(part)
        reward = {"reward": mean([episode.reward for episode in part], clusters, -1.0, 1.0)} if costly else {}
        rows.append(
            row(
                group,
                score=_score(part),
                **reward,
                turns=mean([episode.spent for episode in part], clusters, 0.0),
                invalid=share([(e.invalid, e.messages, c) for e, c in zip(part, clusters.tolist(), strict=True)]),
            )
        )
    return Table(
        "overall",
        "Overall",
        "Score: mean of the marks of the test items, %, over all boxes."
        + (" Reward: the score less what the turns cost." if costly else "")
        + " Turns: spent an exploration; of a game, games. Invalid: messages that could not be read, % of all.",
        LABELS,
        (
            Column("score", "Score|%", tenths),
            *([Column("reward", "Reward|%", tenths)] if costly else []),
            Column("turns", "Turns", decimal),
            Column("invalid", "Invalid|%", tenths),
        ),
        tuple(rows),
    )


def _families(episodes: Sequence[Episode]) -> Table:
    present = list(_by_family(episodes))
    rows = [
        row(group, **{family: _score([e for e in part if e.family == family]) for family in present})
        for group, part in group_by(episodes, lambda episode: episode.group).items()
        if len(present) > 1
    ]
    columns = tuple(Column(family, f"{family.capitalize()}|%", percent) for family in present)
    return Table("families", "Score by family", "Mean of the marks, %.", LABELS, columns, tuple(rows))


def _grades(episodes: Sequence[Episode]) -> Table:
    present = [grade for grade in GRADES if any(episode.grade == grade for episode in episodes)]
    rows = [
        row(
            group,
            family=family,
            **{_key(grade): _score([episode for episode in mine if episode.grade == grade]) for grade in present},
            every=_score(mine),
        )
        for group, part in group_by(episodes, lambda episode: episode.group).items()
        for family, mine in _with_all(part).items()
    ]
    columns = tuple(Column(_key(grade), f"{grade.capitalize()}|%", percent) for grade in present)
    columns += (Column("every", "All|%", percent),) if len(present) > 1 else ()
    note = "Mean of the marks, %. Levels are those of generated boxes."
    return Table("grades", "Score by family and grade", note, (*LABELS, "family"), columns, tuple(rows))


def _tools(episodes: Sequence[Episode]) -> Table:
    present = list(dict.fromkeys(tools_of(episode.env_id) for episode in episodes))
    names = {tag: (tag or "without tools").replace(" ", "_") for tag in present}
    rows = [
        row(group, **{names[tag]: _score([e for e in part if tools_of(e.env_id) == tag]) for tag in present})
        for group, part in group_by(episodes, lambda episode: episode.group).items()
        if len(present) > 1
    ]
    columns = tuple(Column(names[tag], f"{(tag or 'without tools').capitalize()}|%", percent) for tag in present)
    note = "Mean of the marks, %. With code: boxes that nobody explores well without listing thousands of hypotheses."
    return Table("tools", "Score by tools", note, LABELS, columns, tuple(rows))


def _boxes(episodes: Sequence[Episode]) -> Table:
    rows = []
    for group, part in group_by(episodes, lambda episode: episode.group).items():
        for family, mine in _by_family(part).items():
            found = [
                row(
                    group,
                    family=family,
                    box=box,
                    grade=grade,
                    score=_score(same),
                    turns=mean([episode.spent for episode in same], cluster_numbers(same), 0.0),
                )
                for (box, grade), same in group_by(mine, lambda episode: (episode.box, episode.grade)).items()
            ]
            rows += sorted(found, key=lambda one: (-one["score"]["value"], one["box"], one["grade"]))
    return Table(
        "boxes",
        "Score by box",
        "Mean of the marks, %, of each family the best first; intervals are clustered by case.",
        (*LABELS, "family", "box", "grade"),
        (Column("score", "Score|%", percent), Column("turns", "Turns", decimal)),
        tuple(rows),
    )


def _gains(episodes: Sequence[Episode]) -> Table:
    grades = [grade for grade in ("easy", "hard") if any(episode.grade == grade for episode in episodes)]
    rows = []
    for group, part in group_by(episodes, lambda e: (e.player, e.condition("setting"))).items():
        settings = group_by(sorted(part, key=lambda episode: episode.allowed), lambda episode: episode.setting)
        for less, more in itertools.pairwise(settings):
            pairs = _pairs(settings[less], settings[more], "setting")
            for family, mine in _with_all(pairs).items():
                graded = {f"{grade}_gain": _difference(mine, {grade}) for grade in grades}
                rows.append(
                    row(
                        group,
                        settings=f"{less} to {more}",
                        family=family,
                        before=_score([pair.left for pair in mine]),
                        after=_score([pair.right for pair in mine]),
                        gain=_difference(mine),
                        **graded,
                    )
                )
    return Table(
        "gain",
        "Gain by setting",
        "Mean of the marks, %, over the same cases under both settings (turns@tries; 0@1 is no exploration); the gain "
        "in percentage points is paired, its n counts boxes, of generated ones cases.",
        (*LABELS, "settings", "family"),
        (
            Column("before", "Before|%", percent),
            Column("after", "After|%", percent),
            Column("gain", "Gain|points", points),
            *(Column(f"{grade}_gain", f"{grade.capitalize()}|points", points) for grade in grades),
        ),
        tuple(rows),
    )


def _feedback(episodes: Sequence[Episode]) -> Table:
    rows = []
    for group, part in group_by(episodes, lambda e: (e.player, e.condition("feedback"))).items():
        delayed, instant = ([episode for episode in part if episode.delayed is kind] for kind in (True, False))
        for family, mine in _with_all(_pairs(delayed, instant, "feedback")).items():
            overlaps = [(pair.left, overlap(pair.left.asked, pair.right.asked)) for pair in mine]
            known = [(episode, value) for episode, value in overlaps if value is not None]
            rows.append(
                row(
                    group,
                    family=family,
                    delayed=_score([pair.left for pair in mine]),
                    instant=_score([pair.right for pair in mine]),
                    difference=_difference(mine),
                    overlap=score([value for _, value in known], cluster_numbers([episode for episode, _ in known])),
                )
            )
    return Table(
        "feedback",
        "Instant against delayed feedback",
        "Mean of the marks, %, over the same cases; instant less delayed in percentage points is paired, its n counts "
        "boxes, of generated ones cases. Overlap: queries in common, % of the different ones of both.",
        (*LABELS, "family"),
        (
            Column("delayed", "Delayed|%", percent),
            Column("instant", "Instant|%", percent),
            Column("difference", "Difference|points", points),
            Column("overlap", "Overlap|%", percent),
        ),
        tuple(rows),
    )


def overlap(left: Sequence[Sequence[Any]], right: Sequence[Sequence[Any]]) -> float | None:
    """Queries in common as a share of the different ones of both, the mean over explorations; None without any."""
    sets = [(set(one), set(other)) for one, other in zip(left, right, strict=False)]
    shares = [len(one & other) / len(one | other) for one, other in sets if one | other]
    return sum(shares) / len(shares) if shares else None


def _exploration(episodes: Sequence[Episode]) -> Table:
    columns = (
        Column("queries", "Queries", decimal),
        Column("distinct", "Distinct|%", percent),
        Column("coverage", "Coverage|%", tenths),
    )
    return _explored(
        "exploration",
        "Exploration",
        "Queries: asked an exploration. Distinct: different ones, % of those asked. Coverage: different ones, % of all "
        "that can be asked, where there is an end of them.",
        columns,
        episodes,
        _asked,
    )


def _bits(episodes: Sequence[Episode]) -> Table:
    columns = (
        Column("start", "Start|bits", decimal),
        Column("middle", "Middle|bits", decimal),
        Column("end", "End|bits", decimal),
        Column("rate", "Gained|bits a turn", bits),
    )
    return _explored(
        "bits",
        "Bits left",
        "log2 of the hypotheses of the family's class that agree with what was told: at the start, after half the "
        "turns and at the end of an exploration, where they can be counted.",
        columns,
        [episode for episode in episodes if episode.left],
        _left,
    )


def _explored(
    name: str,
    title: str,
    note: str,
    columns: Sequence[Column],
    episodes: Sequence[Episode],
    count: Callable[[Sequence[Episode]], dict[str, Estimate]],
) -> Table:
    """A row a player, condition and family, of episodes that could ask."""
    counted = [episode for episode in episodes if episode.asked and episode.allowed[0]]
    rows = [
        row(group, family=family, **count(mine))
        for group, part in group_by(counted, lambda episode: episode.group).items()
        for family, mine in _by_family(part).items()
    ]
    return Table(name, title, note, (*LABELS, "family"), _known(columns, rows), tuple(rows))


def _asked(episodes: Sequence[Episode]) -> dict[str, Estimate]:
    clusters = cluster_numbers(episodes)
    finite = [episode for episode in episodes if episode.menu]
    counted = zip(episodes, clusters.tolist(), strict=True)
    return {
        "queries": mean([_mean(map(len, episode.asked)) for episode in episodes], clusters, 0.0),
        "distinct": share([(_distinct(episode), sum(map(len, episode.asked)), place) for episode, place in counted]),
        "coverage": score([_distinct(e) / len(e.asked) / (e.menu or 1) for e in finite], cluster_numbers(finite)),
    }


def _left(episodes: Sequence[Episode]) -> dict[str, Estimate]:
    clusters, stages = cluster_numbers(episodes), zip(*map(_stages, episodes), strict=True)
    return {
        name: mean(column, clusters, 0.0)
        for name, column in zip(("start", "middle", "end", "rate"), stages, strict=True)
    }


def _stages(episode: Episode) -> list[float]:
    """Bits left at the start, the middle and the end, and bits gained a turn; the means over explorations."""
    half = episode.allowed[0] // 2
    stages = [
        (left[0], _at(left, [half])[0], left[-1], (left[0] - left[-1]) / max(1, turns))
        for left, turns in zip(episode.left, episode.turns, strict=False)
    ]
    return [_mean(column) for column in zip(*stages, strict=True)]


def _tiers(episodes: Sequence[Episode]) -> Table:
    known = [(episode, episode.gained) for episode in episodes if episode.left and episode.allowed[0]]
    gained: dict[tuple[str, bool, str], float] = {
        (episode.player, episode.delayed, episode.twin("feedback")): value
        for episode, value in known
        if value is not None
    }

    def by(player: str, delayed: bool, episode: Episode) -> float | None:
        return gained.get((player, delayed, episode.twin("feedback")))

    names = {kind: _called(kind, [episode for episode, _ in known]) for kind in (RANDOM, REFERENCE)}
    rows = []
    for group, part in group_by([e for e, _ in known], lambda e: (e.player, e.condition("feedback"))).items():
        if group[0] == names[RANDOM]:
            continue
        # One of each pair stands for both.
        cases = list({episode.twin("feedback"): episode for episode in part}.values())
        tiered = [
            _Case(
                family=episode.family,
                episode=episode,
                instant=by(episode.player, False, episode),
                delayed=by(episode.player, True, episode),
                # A random player takes no notice of replies, whenever they come.
                random=_first(by(names[RANDOM], kind, episode) for kind in (False, True)),
                reference=by(names[REFERENCE], False, episode),
            )
            for episode in cases
        ]
        for family, mine in _with_all(tiered).items():
            numbers = _tiered(mine)
            if any(numbers[name].n for name in ("planning", "adaptivity", "beyond")):
                rows.append(row(group, family=family, **numbers))
    columns = (
        Column("random", "Random|bits", decimal),
        Column("planning", "Planning|bits", decimal),
        Column("adaptivity", "Adaptivity|bits", decimal),
        Column("planning_share", "Planning|%", percent),
        Column("adaptivity_share", "Adaptivity|%", percent),
        Column("beyond", "Both|%", percent),
    )
    return Table(
        "tiers",
        "Tiers of exploration",
        "Tier 1, random: bits that the random player gains on the same cases. Tier 2, planning: bits gained beyond "
        "that under delayed feedback. Tier 3, adaptivity: bits gained under instant feedback beyond those under "
        "delayed. %: of what the reference player gains beyond random; both: under instant feedback.",
        (*LABELS, "family"),
        _known(columns, rows),
        tuple(rows),
    )


@dataclass(frozen=True)
class _Case:
    """Bits gained on one case; None where nobody played it so."""

    family: str
    episode: Episode
    instant: float | None
    delayed: float | None
    random: float | None
    reference: float | None


def _tiered(cases: Sequence[_Case]) -> dict[str, Estimate]:
    def over(*names: str) -> tuple[dict[str, NDArray[np.float64]], NDArray[np.intp]]:
        """Columns over the cases that have all of these numbers, and the clusters of those."""
        kept = [case for case in cases if all(getattr(case, name) is not None for name in names)]
        columns = {name: np.array([getattr(case, name) for case in kept], float) for name in names}
        return columns, cluster_numbers([case.episode for case in kept])

    def gap(more: str, less: str) -> Estimate:
        column, clusters = over(more, less)
        return mean(column[more] - column[less], clusters)

    def part(more: str, less: str) -> Estimate:
        column, clusters = over(more, less, RANDOM, REFERENCE)
        return ratio(column[more] - column[less], column[REFERENCE] - column[RANDOM], clusters)

    column, clusters = over(RANDOM)
    return {
        "random": mean(column[RANDOM], clusters, 0.0),
        "planning": gap("delayed", RANDOM),
        "adaptivity": gap("instant", "delayed"),
        "planning_share": part("delayed", RANDOM),
        "adaptivity_share": part("instant", "delayed"),
        "beyond": part("instant", RANDOM),
    }


def _qualification(episodes: Sequence[Episode]) -> Table:
    counted = [
        episode
        for episode in episodes
        if episode.grade == "baseline" and episode.setting == BASELINE and not episode.code
    ]
    known = {env_id for env_id, unit in catalog.load()["units"].items() if unit["tags"].get("grade") == "baseline"}
    rows = []
    for group, part in group_by(counted, lambda episode: episode.group).items():
        runs = [
            run
            for run in group_by(part, lambda episode: episode.run).values()
            if known <= {episode.env_id for episode in run} or not known <= {episode.env_id for episode in part}
        ]
        marks = [[mark for episode in run for mark in episode.marks] for run in runs]
        right = score([sum(mark >= 1 for mark in one) / max(1, len(one)) for one in marks], np.arange(len(marks)))
        played = {episode.env_id for episode in part}
        whole = known <= played
        passed = round(right.value or 0.0, 9) > QUALIFIED  # the mean of runs at 0.8 may lie a rounding above it
        verdict = ("yes" if passed else "no") if whole else "not all boxes"
        rows.append(
            row(group, boxes=f"{len(played)} of {max(len(known), len(played))}", qualified=verdict, right=right)
        )
    return Table(
        "qualification",
        "Qualification",
        f"The baseline boxes at {BASELINE}: items that were right, %, the mean over runs of the test, which n counts. "
        f"Qualified: over {100 * QUALIFIED:.0f} %.",
        (*LABELS, "boxes", "qualified"),
        (Column("right", "Right|%", tenths),),
        tuple(rows),
    )


# What the tables share.


@dataclass(frozen=True)
class _Pair:
    """Two episodes of a case under different terms."""

    left: Episode
    right: Episode

    @property
    def family(self) -> str:
        return self.left.family


def _pairs(left: Sequence[Episode], right: Sequence[Episode], name: str) -> list[_Pair]:
    """Episodes that differ in one argument only."""
    twins = {episode.twin(name): episode for episode in right}
    return [_Pair(episode, twins[episode.twin(name)]) for episode in left if episode.twin(name) in twins]


def _difference(pairs: Sequence[_Pair], grades: set[str] | None = None) -> Estimate:
    mine = [pair for pair in pairs if grades is None or pair.left.grade in grades]
    return paired([pair.right.score - pair.left.score for pair in mine], cluster_numbers([pair.left for pair in mine]))


def _score(episodes: Sequence[Episode]) -> Estimate:
    return score([episode.score for episode in episodes], cluster_numbers(episodes))


def cluster_numbers(episodes: Sequence[Episode]) -> NDArray[np.intp]:
    """Number what intervals are resampled by, shape (episodes,): boxes, or the cases where there is one box only."""
    keys = [episode.box_key for episode in episodes]
    if len(set(keys)) < 2:
        keys = [episode.case for episode in episodes]
    return np.unique(np.array(keys, dtype=str), return_inverse=True)[1].astype(np.intp)


def _by_family(items: Sequence[Any]) -> dict[str, list[Any]]:
    found = group_by(items, lambda item: item.family)
    return {family: found[family] for family in FAMILIES if family in found}


def _with_all(items: Sequence[Any]) -> dict[str, list[Any]]:
    """By family, and all of them where there are several."""
    found = _by_family(items)
    return found | ({"all": list(items)} if len(found) > 1 else {})


def _called(kind: str, episodes: Sequence[Episode]) -> str:
    """The spec of the player with a name, with its options."""
    return next((e.player for e in episodes if parse_spec(e.player).name == kind), kind)


def _known(columns: Iterable[Column], rows: Sequence[Mapping[str, Any]]) -> tuple[Column, ...]:
    """The columns with numbers."""
    return tuple(column for column in columns if any(one[column.key]["n"] for one in rows))


def _key(grade: str) -> str:
    return grade.replace(" ", "_")


def _at(left: Sequence[float], places: Iterable[int]) -> list[float]:
    """Bits left after so many queries; an exploration that is over keeps what was left."""
    return [left[min(place, len(left) - 1)] for place in places]


def _distinct(episode: Episode) -> int:
    return sum(len(set(part)) for part in episode.asked)


def _mean(values: Iterable[float]) -> float:
    return float(np.mean(list(values)))


def _first(values: Iterable[float | None]) -> float | None:
    return next((value for value in values if value is not None), None)
