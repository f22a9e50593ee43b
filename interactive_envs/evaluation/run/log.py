"""What a run tells its loggers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from interactive_envs import catalog
from interactive_envs.evaluation.run.episode import Job, installed_versions
from interactive_envs.reporting import summary as run_summary
from interactive_envs.reporting.loggers.base import Loggers
from interactive_envs.reporting.loggers.tallies import PlayLog
from interactive_envs.reporting.metrics import METRICS
from interactive_envs.reporting.records import EpisodeRecord, EpisodeRow, RunConfig
from interactive_envs.reporting.store import RunStore

MOST_CELLS = 50
"""Cells of a run whose summaries are logged one by one; of more, players and families say enough."""


class RunLog:
    """Logs a run; with no loggers it does nothing.

    Args:
        loggers: where to.
        config: what is played.
    """

    def __init__(self, loggers: Loggers, config: RunConfig) -> None:
        self._on = bool(loggers)
        self._config = config
        self._log = PlayLog(loggers, config.total)
        self._labels = [(cell.player, str(catalog.entry(cell.env_id)["family"])) for cell in config.cells]

    def begin(self, store: RunStore) -> None:
        """Count what was played before and start."""
        if self._on:
            for row in store.iterate():
                self._add(row, row.prompt_tokens, row.completion_tokens)
                self._log.done(quiet=True)
            self._log.begin(_describe(self._config))

    def advance(self, job: Job, record: EpisodeRecord | None) -> None:
        """Log an episode that ended; without a record, infrastructure broke it for good."""
        if not self._on:
            return
        if record is None:
            self._log.broken(*self._labels[job.cell_index])
        else:
            self._add(record, record.tokens.prompt, record.tokens.completion)
            self._log.done()

    def fault(self, _: str) -> None:
        """Count an attempt that infrastructure broke."""
        self._log.fault()

    def finish(self, summary: Mapping[str, Any]) -> None:
        """Log the content of ``summary.json``, and end."""
        if self._on:
            self._log.finish(dict(self._numbers(summary["cells"])))

    def _add(self, one: EpisodeRow | EpisodeRecord, tokens_in: int, tokens_out: int) -> None:
        cost = None if one.cost is None or one.judge_cost is None else one.cost + one.judge_cost
        self._log.add(
            *self._labels[one.cell],
            one.outcome,
            reward=one.reward,
            turns=one.turns,
            invalid=one.invalid,
            tokens_in=tokens_in,
            tokens_out=tokens_out,
            cost=cost,
            seconds=one.seconds,
        )

    def _numbers(self, cells: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, float]]:
        """The metrics of the cells by name."""
        if len(cells) > MOST_CELLS:
            return
        for cell, called in zip(cells, run_summary.names(self._config, cells), strict=True):
            place = f"{self._log.name(called.player)}/{self._log.name(called.setting)}"
            for metric in METRICS:
                numbers = metric.read(cell) if metric.key in cell else None
                if numbers and numbers["value"] is not None:
                    yield f"summary_{metric.key}/{place}", numbers["value"]


def _describe(config: RunConfig) -> dict[str, Any]:
    """What is played, by whom, and with which versions."""
    described = [content.get("agent") for content in config.content]
    return {
        "environments": list(dict.fromkeys(cell.env_id for cell in config.cells)),
        "players": {cell.player: about for cell, about in zip(config.cells, described, strict=True)},
        "judges": list(dict.fromkeys(cell.judge for cell in config.cells if cell.judge)),
        "episodes": config.total,
        "seed": config.seed,
        "time_limit": config.time_limit,
        "suite": config.suite,
        "cells": [
            {"env": cell.env_id, "arguments": dict(cell.arguments), "player": cell.player, "agent": cell.agent}
            for cell in config.cells
        ],
        "versions": installed_versions(),
    }
