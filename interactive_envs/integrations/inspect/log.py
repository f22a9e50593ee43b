"""Runs as logs of inspect_ai: a log a cell, written through inspect_ai's own Python interface."""

from __future__ import annotations

import datetime
import importlib.metadata
import itertools
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from interactive_envs.errors import ConfigError, MissingExtraError
from interactive_envs.evaluation.folders import Kind, kind_of
from interactive_envs.integrations.inspect.samples import Broken, Json, broken_sample, identifier, sample_of
from interactive_envs.llm.calls import Usage
from interactive_envs.llm.retry import plain, plain_values
from interactive_envs.outcome import Outcome
from interactive_envs.reporting.metrics import CellRows, measure
from interactive_envs.reporting.records import Cell, EpisodeRow
from interactive_envs.reporting.store import RunStore
from interactive_envs.seeds import canonical_json
from interactive_envs.specs import parse_spec
from interactive_envs.system.files import make_private_folder, open_regular, parse_json

LONGEST_LOG = 1_000
"""Episodes of a log at most: inspect_ai holds a log in memory while it writes it. A longer cell becomes several."""
FOLDER = "inspect"
"""Where in its folder the logs of a run go."""
TASK = "interactive_envs/ibench"
"""The name under which inspect_ai knows the task that plays the same cases."""


@dataclass(frozen=True)
class Part:
    """What becomes one log.

    Attributes:
        cell: position of the cell in the configuration.
        rows: its episodes, sorted by case and epoch.
        broken: episodes that infrastructure broke for good.
        number: which part of the cell it is, from 1.
        of: how many parts the cell has.
        missing: episodes of the cell that were neither played nor broken.
    """

    cell: int
    rows: Sequence[EpisodeRow]
    broken: Sequence[Broken]
    number: int = 1
    of: int = 1
    missing: int = 0


def export(folders: Sequence[Path], out: Path | None = None) -> tuple[Path, int, int]:
    """Write the logs of runs; equal runs have equal names, so that a second export replaces the first.

    Args:
        folders: of the runs.
        out: where the logs go; None for :data:`FOLDER` in the only run.

    Returns:
        The folder, how many logs were written, and how many samples they hold.

    Raises:
        ConfigError: a folder holds no run, or one is damaged.
        MissingExtraError: inspect_ai is not installed.
    """
    if len(folders) > 1 and out is None:
        raise ConfigError("several runs make one folder of logs; say where to write them: --out DIR")
    for folder in folders:
        if kind_of(folder) is not Kind.RUN:
            raise ConfigError(f"{folder} is no run; inspect_ai's logs hold episodes of one player: export its runs")
    stores = list(map(RunStore.read_only, folders))
    try:
        import inspect_ai.log
    except ImportError as error:
        raise MissingExtraError("the export to inspect_ai", "inspect") from error
    out = out or folders[0] / FOLDER
    make_private_folder(out)
    logs = samples = 0
    for store in stores:
        for part in parts_of(store):
            content = log_of(store, part)
            log = inspect_ai.log.EvalLog.model_validate(content)
            path = out / file_name(content["eval"])
            path.touch(mode=0o600)  # it holds all messages: nobody but the owner reads it
            inspect_ai.log.write_eval_log(log, str(path), format="eval")
            path.chmod(0o600)
            logs, samples = logs + 1, samples + len(content["samples"])
    return out, logs, samples


def parts_of(store: RunStore) -> Iterator[Part]:
    """What becomes one log each: the cells of a run, long ones in parts."""
    faults = faults_of(store)
    rows: dict[int, list[EpisodeRow]] = defaultdict(list)
    for row in store.rows():
        rows[row.cell].append(row)
    for cell in range(len(store.config.cells)):
        played = {row.key for row in rows[cell]}
        broken = [
            Broken(key[1], key[2], tuple(found))
            for key, found in sorted(faults.items())
            if key[0] == cell and key not in played
        ]
        missing = max(0, store.config.planned(cell) - len(rows[cell]) - len(broken))
        if not rows[cell] and not broken:
            continue
        count = math.ceil(len(rows[cell]) / LONGEST_LOG) or 1
        for number in range(count):
            own = rows[cell][number * LONGEST_LOG : (number + 1) * LONGEST_LOG]
            last = number == count - 1
            yield Part(cell, own, broken if last else (), number + 1, count, missing)


def faults_of(store: RunStore) -> dict[tuple[int, int, int], list[tuple[str, str]]]:
    """Kind and message of the broken attempts by episode; a line that cannot be read says nothing."""
    found: dict[tuple[int, int, int], list[tuple[str, str]]] = defaultdict(list)
    try:
        file = open_regular(store.folder / "faults.jsonl")
    except FileNotFoundError:
        return found
    with file:
        for line in file:
            try:
                fault = parse_json(line, "")
                key = int(fault["cell"]), int(fault["case_index"]), int(fault["epoch"])
                found[key].append((plain(str(fault["fault"])), plain(str(fault["message"]))))
            except (ConfigError, KeyError, TypeError, ValueError):
                continue
    return found


def log_of(store: RunStore, part: Part) -> Json:
    """A part of a run as inspect_ai's ``EvalLog``, in plain JSON values."""
    cell = store.config.cells[part.cell]
    faults, run = faults_of(store), identifier(store.config.as_json())
    records = [store.episode(row) for row in part.rows]
    described = records[0].agent if records else _described(store, part.cell)
    model = model_name(cell, described)
    samples = [
        sample_of(record, model, faults.get((part.cell, record.case_index, record.epoch), ()), run)
        for record in records
    ]
    modified = datetime.datetime.fromtimestamp((store.folder / "config.json").stat().st_mtime, datetime.UTC)
    created = min((sample["started_at"] for sample in samples), default=modified.isoformat(timespec="seconds"))
    ended = max((sample["completed_at"] for sample in samples), default=created)
    samples += [broken_sample(one, run, part.cell, ended) for one in part.broken]
    judge = next((record.judge for record in records if record.judge), None)
    usage = sum((record.tokens for record in records), Usage())
    content = {
        "version": 2,
        # Faults stand apart from play: they make no failed log, and what is left out of the plan no finished one.
        "status": "cancelled" if part.missing else "success",
        "eval": {
            "eval_id": identifier(run, "eval", part.cell, part.number),
            "run_id": run,
            "task_id": identifier(run, "task", part.cell, part.number),
            "created": created,
            "task": task_name(cell),
            "task_registry_name": TASK,
            "task_display_name": task_name(cell) + (f", part {part.number} of {part.of}" if part.of > 1 else ""),
            "task_args": task_arguments(cell, store, part),
            "task_args_passed": task_arguments(cell, store, part),
            "dataset": {
                "name": cell.env_id,
                "samples": len({sample["id"] for sample in samples}),
                "sample_ids": sorted({sample["id"] for sample in samples}),
                "shuffled": False,
            },
            "model": model,
            "model_args": dict(described.get("parameters", parse_spec(cell.agent).options)),
            "config": {"epochs": max(sample["epoch"] for sample in samples), "fail_on_error": False},
            "packages": {"interactive_envs": importlib.metadata.version("interactive-envs")},
            "metadata": {
                "run": store.folder.resolve().name,
                "cell": part.cell,
                "player": cell.player,
                "agent": dict(described),
                "judge": judge,
                "axes": dict(cell.axes),
                "suite": store.config.suite or None,
                "time_limit": store.config.time_limit,
                "part": [part.number, part.of],
                "missing": part.missing,
            },
        },
        "plan": {"steps": [{"solver": "interactive_envs/play", "params": {"agent": cell.agent}}]},
        "results": results_of(cell, part, samples),
        "stats": {
            "started_at": created,
            "completed_at": ended,
            "model_usage": _sum_usage(sample.get("model_usage", {}) for sample in samples) if usage else {},
            "role_usage": _sum_usage(sample.get("role_usage", {}) for sample in samples),
        },
    }
    return plain_values(content) | {"samples": samples}  # type: ignore[no-any-return]


def results_of(cell: Cell, part: Part, samples: Sequence[Mapping[str, Any]]) -> Json:
    """The means of the scores as inspect_ai has them, and our own metrics with their intervals as ``ibench``."""
    values: dict[str, list[float]] = defaultdict(list)
    unscored: dict[str, int] = defaultdict(int)
    for sample in samples:
        for name, score in sample.get("scores", {}).items():
            if math.isnan(score["value"]):
                unscored[name] += 1
            else:
                values[name].append(score["value"])
    scores = [
        {
            "name": name,
            "scorer": name,
            "scored_samples": len(found),
            "unscored_samples": unscored[name],
            "metrics": {
                "mean": {"name": "mean", "value": float(np.mean(found)) if found else math.nan},
                "stderr": {"name": "stderr", "value": stderr(found)},
            },
        }
        for name, found in ((name, values[name]) for name in ("success", "reward", "turns", "invalid"))
        if found or unscored[name]
    ]
    if part.rows:
        scores.append({"name": "ibench", "scorer": "ibench", "metrics": own_metrics(CellRows(cell, part.rows))})
    paid = all(row.outcome == Outcome.SCORED for row in part.rows)
    return {
        "total_samples": len(samples) + (part.missing if part.number == part.of else 0),
        "completed_samples": len(part.rows),
        "scores": scores,
        "headline": {"scorer": "reward" if paid else "success", "metric": "mean"} if part.rows else None,
    }


def own_metrics(rows: CellRows) -> Json:
    """The metrics of a run's summary by key: the value, and as metadata the interval and how many it is of."""
    found: Json = {}
    for key, numbers in {**measure(rows, timed=False), **measure(rows, timed=True)}.items():
        parts = {key: numbers} if numbers is None or "value" in numbers else numbers
        for part, one in parts.items():
            name = key if part == key else f"{key}_{part}"
            if one is not None and one["value"] is not None:
                rest = {field: value for field, value in one.items() if field != "value"}
                found[name] = {"name": name, "value": one["value"], "metadata": rest}
    return found


def stderr(values: Sequence[float]) -> float:
    """The standard error of a mean, 0 of fewer than two values, as inspect_ai has it."""
    return float(np.std(values, ddof=1) / math.sqrt(len(values))) if len(values) > 1 else 0.0


def model_name(cell: Cell, described: Mapping[str, Any]) -> str:
    """What inspect_ai calls a player: the model behind it, or the provider's name of a player without a model."""
    return str(described["model"]) if described.get("model") else f"ibench/{cell.agent}"


def task_name(cell: Cell) -> str:
    """The environment with the arguments that were given, as lists show it."""
    given = [f"{name}={value if isinstance(value, str) else canonical_json(value)}" for name, value in _given(cell)]
    return " ".join([cell.env_id.removeprefix("ibench/"), *given])


def task_arguments(cell: Cell, store: RunStore, part: Part) -> Json:
    """The arguments with which the task plays the same cases."""
    judge = {} if cell.judge is None else {"judge": cell.judge}
    cases = 1 + max([row.case_index for row in part.rows] + [one.case_index for one in part.broken])
    return {"env_id": cell.env_id, "episodes": cases, "seed": store.config.seed, **judge, **dict(_given(cell))}


def file_name(spec: Mapping[str, Any]) -> str:
    """A log's name as inspect_ai gives it, from which its list reads when and what: ``TIME_TASK_ID.eval``."""
    time, task = (re.sub(r"[^A-Za-z0-9-]+", "-", str(spec[name])).strip("-") for name in ("created", "task"))
    return f"{time}_{task[:80]}_{spec['task_id']}.eval"


def _given(cell: Cell) -> Iterable[tuple[str, Any]]:
    return sorted(cell.arguments.items())


def _described(store: RunStore, cell: int) -> Mapping[str, Any]:
    """What the player says of itself, where no episode was played."""
    if cell >= len(store.config.content):
        return {}
    described: Mapping[str, Any] = store.config.content[cell].get("agent") or {}
    return described


def _sum_usage(usages: Iterable[Mapping[str, Mapping[str, Any]]]) -> Json:
    """Usage by name, added up; a number that some lack is the sum of the others, but a cost is then unknown."""
    by_name: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for name, usage in itertools.chain.from_iterable(usage.items() for usage in usages):
        by_name[name].append(usage)
    found: Json = {}
    for name, several in by_name.items():
        total: Json = {}
        for field in several[0]:
            known = [usage[field] for usage in several if usage[field] is not None]
            total[field] = sum(known) if known and (field != "total_cost" or len(known) == len(several)) else None
        found[name] = total
    return found
