"""How good a judge is: its verdicts on labelled questions and final answers."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from interactive_envs.errors import ConfigError, JudgeError
from interactive_envs.judges.base import Judge, Verdict
from interactive_envs.judges.labelled import UNREAD, Item
from interactive_envs.reporting import estimates
from interactive_envs.reporting.correction import estimates as corrected
from interactive_envs.system.workers import Threads

POINTS = 12
"""Points of a curve at most."""
KINDS: tuple[Literal["question", "final"], ...] = ("question", "final")


@dataclass(frozen=True)
class Share:
    """``count`` of ``n`` with its 95 % interval, items of one case clustered; the numbers are None where n is 0."""

    count: int
    n: int
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class Row:
    """The judge's reply to one item; ``verdict`` is None and ``error`` says why where it failed.

    ``puzzle`` is the same for items of one case; ``attack`` is the item's, ``labels`` are the request's.
    """

    line: int
    puzzle: str
    kind: str
    text: str
    label: str
    verdict: str | None
    abstained: bool
    confidence: float | None
    detail: str
    error: str | None
    attack: str | None = None
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Attacks:
    """How adversarial texts of one kind of request fared.

    Attributes:
        kind: ``question`` or ``final``.
        n: texts.
        puzzles: the cases they are about.
        errors: texts without a verdict; they count nowhere below.
        rejected: texts that did not get the label they wanted.
        by_attack: the same for each kind of trick.
    """

    kind: Literal["question", "final"]
    n: int
    puzzles: int
    errors: int
    rejected: Share
    by_attack: Mapping[str, Share]


@dataclass(frozen=True)
class Section:
    """The numbers of one kind of request.

    Every abstention is a verdict *unread*, which is right where the item is labelled so.

    Attributes:
        kind: ``question`` or ``final``.
        n: items.
        puzzles: the cases they are about.
        errors: items without a verdict; they count nowhere below.
        accuracy: right verdicts among all.
        coverage: verdicts that are no abstentions.
        accepted: right verdicts among those.
        macro_recall: mean over the true labels of the share found; for finals, the balanced accuracy.
        accepted_macro_recall: the same among verdicts that are no abstentions.
        recall: per true label, how many were found.
        precision: per label given, how many were right.
        confusion: true label to label given to count.
    """

    kind: Literal["question", "final"]
    n: int
    puzzles: int
    errors: int
    accuracy: Share
    coverage: Share
    accepted: Share
    macro_recall: float | None
    accepted_macro_recall: float | None
    recall: Mapping[str, Share]
    precision: Mapping[str, Share]
    confusion: Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Report:
    """A judge's numbers, one section a kind, and every single verdict in the order of the items."""

    judge: Mapping[str, Any]
    sections: tuple[Section, ...]
    rows: tuple[Row, ...]
    attacks: tuple[Attacks, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The report as plain JSON values."""
        return {
            "judge": dict(self.judge),
            "sections": [asdict(section) for section in self.sections],
            "attacks": [asdict(section) for section in self.attacks],
            "items": [asdict(row) for row in self.rows],
        }


def check(
    judge: Judge, items: Sequence[Item], *, workers: int = 1, on_verdict: Callable[[], object] | None = None
) -> Report:
    """Ask a judge about every item and compare.

    Args:
        judge: the judge to measure.
        items: labelled requests, see :mod:`interactive_envs.evaluation.judging.suites`.
        workers: requests at the same time; the report does not depend on it.
        on_verdict: called after every item, for a progress bar.
    """
    if workers < 1:
        raise ConfigError(f"workers must be at least 1, got {workers}")

    def ask(item: Item) -> Row:
        row = _ask(judge, item)
        if on_verdict is not None:
            on_verdict()
        return row

    with Threads(workers, "judging") as pool:
        rows = tuple(pool.map(ask, items))
    honest = [_section(kind, [row for row in rows if row.kind == kind and not row.attack]) for kind in KINDS]
    attacks = [_attacks(kind, [row for row in rows if row.kind == kind and row.attack]) for kind in KINDS]
    return Report(
        judge.describe(), tuple(part for part in honest if part.n), rows, tuple(part for part in attacks if part.n)
    )


@dataclass(frozen=True)
class Point:
    """What a judge would reach that answered whatever it is at least this sure of."""

    sure: float
    answered: Share
    wrong: Share


def curve(rows: Sequence[Row]) -> list[Point]:
    """Coverage against error: a point for each confidence, the highest first; :data:`POINTS` of very many.

    An abstention counts by the label that the judge would have given, if it kept one with a confidence above 0.

    Args:
        rows: of honest texts of one kind.
    """
    judged = [row for row in rows if row.verdict is not None and row.attack is None]
    points = []
    levels = sorted({row.confidence for row in judged if row.confidence}, reverse=True)
    step = -(-len(levels) // POINTS) or 1
    for sure in reversed(levels[::-1][::step]):
        answered = [row for row in judged if (row.confidence or 0.0) >= sure]
        coverage = _share(judged, lambda row, sure=sure: (row.confidence or 0.0) >= sure)  # type: ignore[misc]
        points.append(Point(sure, coverage, _share(answered, lambda row: not _right(row))))
    return points


def render_curve(points: Sequence[Point]) -> str:
    """The curve as a table for the terminal."""
    lines = [f"  {point.sure:<10.3f}{_shown(point.answered):<44}{_shown(point.wrong)}" for point in points]
    return "\n".join([f"  {'sure':<10}{'answered':<44}wrong of these", *lines])


def errors_of(judge: str, rows: Sequence[Row], task: str, described: Mapping[str, Any]) -> dict[str, Any]:
    """What ``ibench judge-check --out`` writes: how often verdicts on finals are right, as counts per case.

    Args:
        judge: its spec.
        rows: of any kinds; finals that it answered count, adversarial ones do not.
        task: the family, as on its card.
        described: what the judge says of itself.
    """
    counts: dict[str, list[list[int]]] = {}
    for row in rows:
        if row.kind == "final" and row.verdict is not None and not row.abstained and row.attack is None:
            table = counts.setdefault(row.puzzle, [[0, 0], [0, 0]])
            table[row.label != row.labels[0]][row.verdict != row.labels[0]] += 1
    return corrected.as_json(judge, task, counts, described)


def render(report: Report) -> str:
    """The report as a table for the terminal."""
    parts = [_section_lines(section) for section in report.sections]
    parts += [_attack_lines(section) for section in report.attacks]
    return "\n\n".join("\n".join(part) for part in parts)


def _ask(judge: Judge, item: Item) -> Row:
    request, error = item.request, None
    try:
        verdict = judge.judge(request)
    except JudgeError as fault:
        verdict, error = Verdict(""), str(fault)
    story = item.case or item.story
    return Row(
        item.line,
        hashlib.sha256(story.encode("utf-8", "surrogatepass")).hexdigest()[:12],
        request.kind,
        request.text,
        item.label,
        None if error is not None else verdict.label,
        verdict.abstained,
        verdict.confidence,
        verdict.detail,
        error,
        item.attack,
        request.labels,
    )


def _section(kind: Literal["question", "final"], rows: Sequence[Row]) -> Section:
    verdicts = rows[0].labels if rows else ()
    judged = [replace(row, verdict=UNREAD) if row.abstained else row for row in rows if row.verdict is not None]
    labels = (*verdicts, UNREAD) if any(row.label == UNREAD for row in rows) else verdicts
    given = (*verdicts, UNREAD) if any(UNREAD in (row.label, row.verdict) for row in judged) else verdicts
    counts = Counter((row.label, row.verdict) for row in judged)
    return Section(
        kind,
        n=len(rows),
        puzzles=len({row.puzzle for row in rows}),
        errors=len(rows) - len(judged),
        accuracy=_share(judged, _right),
        coverage=_share(judged, lambda row: not row.abstained),
        accepted=_share([row for row in judged if not row.abstained], _right),
        macro_recall=_macro_recall(judged, labels),
        accepted_macro_recall=_macro_recall([row for row in judged if not row.abstained], verdicts),
        recall={label: _share([row for row in judged if row.label == label], _right) for label in labels},
        precision={label: _share([row for row in judged if row.verdict == label], _right) for label in labels},
        confusion={true: {said: counts[true, said] for said in given} for true in labels},
    )


def _attacks(kind: Literal["question", "final"], rows: Sequence[Row]) -> Attacks:
    judged = [row for row in rows if row.verdict is not None]
    kinds = dict.fromkeys(str(row.attack) for row in judged)
    return Attacks(
        kind,
        n=len(rows),
        puzzles=len({row.puzzle for row in rows}),
        errors=len(rows) - len(judged),
        rejected=_share(judged, _rejected),
        by_attack={attack: _share([row for row in judged if row.attack == attack], _rejected) for attack in kinds},
    )


def _macro_recall(rows: Sequence[Row], labels: Sequence[str]) -> float | None:
    groups = [[_right(row) for row in rows if row.label == label] for label in labels]
    shares = [sum(hits) / len(hits) for hits in groups if hits]
    return sum(shares) / len(shares) if shares else None


def _rejected(row: Row) -> bool:
    return row.abstained or row.verdict != row.label


def _right(row: Row) -> bool:
    return row.verdict == row.label


def _share(rows: Sequence[Row], wanted: Callable[[Row], bool]) -> Share:
    hits = [wanted(row) for row in rows]
    puzzles = {puzzle: number for number, puzzle in enumerate(dict.fromkeys(row.puzzle for row in rows))}
    found = estimates.proportion(hits, [puzzles[row.puzzle] for row in rows])
    return Share(sum(hits), found.n, found.value, found.low, found.high)


def _section_lines(section: Section) -> Iterator[str]:
    labels = tuple(section.recall)
    failed = f", {section.errors} without a verdict (judge errors, counted nowhere below)" if section.errors else ""
    yield f"{section.kind}: n = {section.n}, cases = {section.puzzles}{failed}"
    yield f"  accuracy              {_shown(section.accuracy)}"
    yield f"  coverage              {_shown(section.coverage)}"
    yield f"  accuracy, accepted    {_shown(section.accepted)}"
    name = "balanced accuracy" if section.kind == "final" else "macro recall"
    yield f"  {name:<22}{_percent(section.macro_recall)}, accepted {_percent(section.accepted_macro_recall)}"
    for label in labels:
        yield f"  recall {label:<14} {_shown(section.recall[label])}"
    for label in labels:
        yield f"  precision {label:<11} {_shown(section.precision[label])}"
    given = tuple(next(iter(section.confusion.values()), ()))
    yield "  true \\ given  " + " ".join(f"{label:>10}" for label in given)
    for true in labels:
        yield f"  {true:<14}" + " ".join(f"{section.confusion[true][said]:>10}" for said in given)


def _attack_lines(section: Attacks) -> Iterator[str]:
    failed = f", {section.errors} without a verdict (judge errors, counted nowhere below)" if section.errors else ""
    yield f"adversarial {section.kind}s: n = {section.n}, cases = {section.puzzles}{failed}"
    yield f"  {'rejected':<32}{_shown(section.rejected)}"
    for attack, share in section.by_attack.items():
        yield f"    {attack:<30}{_shown(share)}"


def _percent(value: float | None) -> str:
    return "      —" if value is None else f"{value:7.1%}"


def _shown(value: Share) -> str:
    if value.value is None or value.low is None or value.high is None:
        return "      —  (n = 0)"
    return f"{value.value:7.1%}  [{value.low:.1%}, {value.high:.1%}]  ({value.count} of {value.n})"
