"""Judges stored episodes again with another judge, without asking any player anything."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from interactive_envs.errors import ConfigError, JudgeError
from interactive_envs.evaluation.run import replay
from interactive_envs.judges.base import Judge, ask
from interactive_envs.outcome import Outcome
from interactive_envs.reporting import estimates
from interactive_envs.reporting.records import EpisodeRow
from interactive_envs.reporting.store import RunStore
from interactive_envs.system.workers import Threads


def rescore(
    store: RunStore,
    judge: Judge,
    *,
    workers: int = 1,
    progress: Callable[[], object] | None = None,
) -> dict[str, Any]:
    """What the run's scores would be under another judge.

    Only the verdicts change: the players had received the old judge's replies. An episode counts as solved where the
    new judge accepts a final given within the rounds; one that the old judge ended too early stays unsolved. Where
    judges score, as web pages are, the reward that the new scores give is compared.

    Args:
        store: the run.
        judge: the other judge.
        workers: episodes at once.
        progress: called after each episode.

    Returns:
        Per cell ``n``, accuracy (or mean reward, where ``scored``) under both judges, their paired difference (now
        minus before, by case), and how the verdicts agree by label.

    Raises:
        ConfigError: nothing in the run was judged.
    """
    rows = store.rows()
    with Threads(workers, "judging") as pool:
        results = []
        for result in pool.map(lambda row: _episode(store, row, judge), rows):
            results.append(result)
            if progress:
                progress()
    judged = [(row, result) for row, result in zip(rows, results, strict=True) if result["verdicts"]]
    if not judged:
        raise ConfigError(
            f"no episode of {store.folder} was judged, so there is nothing to rescore; menu mode needs no judge"
        )
    cells = []
    for index, cell in enumerate(store.config.cells):
        mine = [(row, result) for row, result in judged if row.cell == index]
        if not mine:
            continue
        judged_again = [(row, result) for row, result in mine if result["value"] is not None]
        scored = any(row.outcome == Outcome.SCORED for row, _ in mine)
        old = np.array([row.reward if scored else result["before"] for row, result in judged_again], float)
        new = np.array([result["value"] for _, result in judged_again], float)
        clusters = [row.case_index for row, _ in judged_again]
        average = functools.partial(estimates.mean, lowest=0.0, highest=1.0) if scored else estimates.proportion
        verdicts = Counter(pair for _, result in mine for pair in result["verdicts"])
        same = sum(count for (then, now), count in verdicts.items() if then == now)
        cells.append(
            {
                "cell": index,
                "env": cell.env_id,
                "arguments": dict(cell.arguments),
                "agent": cell.agent,
                "old_judge": cell.judge,
                "scored": scored,
                "n": len(judged_again),
                "judge_errors": len(mine) - len(judged_again),
                "before": average(old, clusters).as_json(),
                "now": average(new, clusters).as_json(),
                "difference": estimates.paired(new - old, clusters).as_json(),
                "verdicts": sum(verdicts.values()),
                "same_verdicts": same,
                "confusion": [{"before": a, "now": b, "count": n} for (a, b), n in sorted(verdicts.items())],
            }
        )
    approximate = any(result["approximate"] for _, result in judged)
    return {"schema": 1, "judge": judge.describe(), "approximate": approximate, "cells": cells}


def _episode(store: RunStore, row: EpisodeRow, judge: Judge) -> dict[str, Any]:
    """The new verdicts of one episode, and its ``value``: 1 if solved, its new score; None after a judge error.

    ``before`` is the value that the recorded verdicts give, also where they are estimates and were not scored.
    """
    verdicts: list[tuple[str, str]] = []
    value, before, approximate = 0.0, 0.0, False
    record = store.episode(row)
    for step, again in zip(record.steps, replay.steps(record), strict=True):
        if again.request is None or step.verdict is None:
            continue
        try:
            verdict = ask(judge, again.request)
        except JudgeError:
            verdicts = verdicts or [(step.verdict.label, "judge_error")]
            return {"verdicts": verdicts, "value": None, "before": before, "approximate": approximate}
        verdicts.append((step.verdict.label, verdict.label))
        approximate |= verdict.approximate
        if again.request.kind == "score":
            value = sum((verdict.scores or {}).values()) / 100
        elif again.stage == "rounds" and again.request.kind == "final":
            value = max(value, float(verdict.label == "correct"))
            before = max(before, float(step.verdict.label == "correct"))
    return {"verdicts": verdicts, "value": value, "before": before, "approximate": approximate}
