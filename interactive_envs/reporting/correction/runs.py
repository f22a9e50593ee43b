"""What is known of the errors of a run's judges, and the accuracy that it corrects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np

from interactive_envs import catalog
from interactive_envs.outcome import Outcome
from interactive_envs.reporting.correction import estimates as corrected
from interactive_envs.reporting.correction.estimates import MEMBERS, JudgeErrors
from interactive_envs.reporting.estimates import Estimate
from interactive_envs.reporting.records import Cell, EpisodeRow
from interactive_envs.reporting.store import RunStore
from interactive_envs.system.disk import write_atomically
from interactive_envs.system.files import make_subfolder, read_bytes

FOLDER = "judge-errors"
"""Of a run: files that ``ibench judge-check --out`` wrote."""
MEASURED, VOTES = "measured errors", "votes of the panel"


def keep(folder: Path, file: Path) -> JudgeErrors:
    """Copy a judge's errors into a run's folder, where its reports find them; a later file of a judge replaces it.

    Raises:
        ConfigError: the file holds none.
    """
    found = corrected.read(file)
    kept = make_subfolder(folder, FOLDER)
    names = {errors_of(path).judge: path for path in _files(folder)}
    write_atomically(names.get(found.judge, kept / f"{len(names) + 1}.json"), read_bytes(file))
    return found


def errors_of(path: Path) -> JudgeErrors:
    """The errors in a file of a run's folder."""
    return corrected.read(path)


def corrections(
    store: RunStore, rows: Sequence[EpisodeRow], judges: Mapping[int, Mapping[str, Any] | None]
) -> dict[int, dict[str, Any]]:
    """The accuracy of cells corrected for their judges' errors, as JSON, with how it was found.

    By measured errors where the run's folder or the family's card has those of the judge; else by the votes of a panel
    of three or more, see :mod:`interactive_envs.reporting.correction.estimates`. Cells that are not scored or not
    decided by a judge have none.

    Args:
        store: the run.
        rows: its episodes.
        judges: the judge of each cell as the records describe it.
    """
    known = [errors_of(path) for path in _files(store.folder)]
    found: dict[int, dict[str, Any]] = {}
    for index, judge in judges.items():
        cell = store.config.cells[index]
        errors = _known_of(cell, judge, known) if judge else None
        if not judge or (errors is None and not str(judge.get("spec") or cell.judge or "").startswith("panel")):
            continue
        mine = [row for row in rows if row.cell == index and row.outcome != Outcome.UNSCORED]
        if not mine or any(row.outcome == Outcome.SCORED for row in mine):
            continue
        estimate, how = _by_errors(store, mine, errors) if errors else _by_votes(store, mine)
        if estimate is not None and estimate.n:
            found[index] = {**estimate.as_json(), "by": how}
    return found


def _by_errors(store: RunStore, rows: Sequence[EpisodeRow], errors: JudgeErrors) -> tuple[Estimate, str]:
    judged = [[verdict for verdict in _verdicts(store.record(row)) if not verdict["abstained"]] for row in rows]
    accepted = [any(verdict["label"] == "correct" for verdict in verdicts) for verdicts in judged]
    return corrected.corrected(accepted, [len(verdicts) for verdicts in judged], _cases(rows), errors), MEASURED


def _by_votes(store: RunStore, rows: Sequence[EpisodeRow]) -> tuple[Estimate | None, str]:
    """The votes of a panel on the finals of episodes; None where there are fewer than three voters."""
    votes: list[list[list[float]]] = []
    for row in rows:
        given = [verdict.get("votes") for verdict in _verdicts(store.record(row))]
        votes.append([[_vote(label) for label in labels] for labels in given if labels])
    voters = {len(labels) for episode in votes for labels in episode}
    if len(voters) != 1 or min(voters) < MEMBERS:
        return None, VOTES
    return corrected.by_votes([np.array(episode, float) for episode in votes], _cases(rows)), VOTES


def _vote(label: str | None) -> float:
    return float("nan") if label is None else float(label == "correct")


def _verdicts(record: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The judge's verdicts on the finals of an episode, but the one that was forced after the last round."""
    steps = [step for step in record["steps"] if step["kind"] == "final" and step.get("verdict")]
    arguments = record["env"]["arguments"]
    lost_last = record["outcome"] == Outcome.FAILURE and record["turns"] == arguments.get("budget")
    if steps and arguments.get("forced_final") and (record["won_by"] == "forced" or lost_last):
        steps.pop()
    return [step["verdict"] for step in steps if step["verdict"]["label"] in ("correct", "incorrect")]


def _cases(rows: Iterable[EpisodeRow]) -> list[int]:
    numbers: dict[int, int] = {}
    return [numbers.setdefault(row.case_index, len(numbers)) for row in rows]


def _known_of(cell: Cell, judge: Mapping[str, Any], known: Sequence[JudgeErrors]) -> JudgeErrors | None:
    unit = catalog.load()["units"].get(cell.env_id)
    if unit is None:
        return None
    card = catalog.family(unit["family"])
    spec = str(cell.judge or judge.get("spec") or judge.get("name"))
    shipped = [_shipped(card.judge_errors)] if card.judge_errors else []
    return next(
        (
            one
            for one in (*known, *shipped)
            # Another version, model or prompt errs otherwise.
            if (one.task, one.judge) == (card.name, spec) and one.described.items() <= judge.items()
        ),
        None,
    )


def _shipped(entry: str) -> JudgeErrors:
    package, _, name = entry.partition(":")
    with resources.as_file(resources.files(package) / name) as path:
        return corrected.read(path)


def _files(folder: Path) -> list[Path]:
    return sorted((folder / FOLDER).glob("*.json"))
