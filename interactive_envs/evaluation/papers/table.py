"""The numbers of an experiment beside the published ones, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from interactive_envs.evaluation.papers.experiment import Experiment
from interactive_envs.evaluation.papers.metrics import METRICS
from interactive_envs.evaluation.papers.play import Number
from interactive_envs.reporting.estimates import Estimate
from interactive_envs.system.disk import write_atomically

FILE = "reproduction.json"

Row = tuple[str, ...]
"""A player, then the values of the groups."""


def as_json(experiment: Experiment, numbers: Sequence[Number]) -> dict[str, Any]:
    """The content of ``reproduction.json``."""
    return {
        "schema": 1,
        "experiment": experiment.name,
        "items": list(experiment.items),
        "by": list(experiment.by),
        "numbers": [
            {"player": one.player, "group": list(one.group), "metric": one.metric, **one.estimate.as_json()}
            for one in numbers
        ],
        "published": [
            {"player": one.player, "group": list(one.group), "metric": one.metric, "value": one.value}
            for one in experiment.published
        ],
    }


def write(folder: Path, experiment: Experiment, numbers: Sequence[Number]) -> Path:
    """Write ``reproduction.json`` into a folder, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / FILE
    write_atomically(path, json.dumps(as_json(experiment, numbers), ensure_ascii=False, indent=1) + "\n")
    return path


def lines(experiment: Experiment, numbers: Sequence[Number]) -> Iterator[str]:
    """The table: a row per player and group, per metric the published value and ours with its interval."""
    ours = {((one.player, *one.group), one.metric): one.estimate for one in numbers}
    published = {((one.player, *one.group), one.metric): one.value for one in experiment.published}
    rows = list(dict.fromkeys(row for row, _ in (*published, *ours)))
    items = ", ".join(item[0].upper() + item[1:] for item in experiment.items)
    yield f"{items}: {experiment.title} ({experiment.section})"
    head: list[list[str]] = [["player", *experiment.by], [""] * (1 + len(experiment.by))]
    for metric in experiment.metrics:
        paper = any(name == metric for _, name in published)
        head[0] += [METRICS[metric].title, *([""] if paper else [])]
        head[1] += ["paper", "ours"] if paper else ["ours"]
    body = [[*row, *_cells(experiment, row, ours, published)] for row in rows]
    yield from _aligned([*head, *body], left=1 + len(experiment.by))
    if experiment.differs:
        yield f"Ours: {experiment.differs}"
    if experiment.kind != "catalog" and len(published) < len(experiment.players) * len(experiment.metrics):
        yield "Blank under paper: the text does not give the number; it stands in a figure only, or was not measured."
    if any(estimate.value is None for estimate in ours.values()):
        yield "-: no episode counts: none was solved, or none is scored because the judge only estimates."


def _cells(
    experiment: Experiment,
    row: Row,
    ours: Mapping[tuple[Row, str], Estimate],
    published: Mapping[tuple[Row, str], float],
) -> Iterator[str]:
    for metric in experiment.metrics:
        if any(name == metric for _, name in published):
            yield METRICS[metric].show(published.get((row, metric)))
        yield _shown(metric, ours.get((row, metric)))


def _shown(metric: str, estimate: Estimate | None) -> str:
    """A value with its interval and number of observations; a dash for what was played and has no value."""
    if estimate is None:
        return ""
    if estimate.value is None:
        return "-"
    show = METRICS[metric].show
    interval = "" if estimate.low is None else f" [{show(estimate.low)}, {show(estimate.high)}]"
    return f"{show(estimate.value)}{interval}" + (
        f" n={estimate.n}" if estimate.n > 1 and metric != "environments" else ""
    )


def _aligned(table: Sequence[Sequence[str]], left: int) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    for row in table:
        cells = (
            text.ljust(width) if place < left else text.rjust(width)
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(cells).rstrip()
