"""A large run made of a small one that was played, and how much of it is parsed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.reporting.store import RunStore
from interactive_envs.seeds import episode_seed


def replicated(small: Path, folder: Path, episodes: int) -> None:
    """Write a run with so many episodes a cell, every one a record that the store's own writer takes.

    Args:
        small: a finished run.
        folder: of the new one.
        episodes: of each cell; the small run's are repeated.
    """
    source = RunStore.read_only(small)
    played = [
        [source.record(row) for row in source.rows() if row.cell == cell] for cell in range(len(source.config.cells))
    ]
    with RunStore.create(folder, replace(source.config, episodes=episodes)) as store:
        for case in range(episodes):
            for records in played:
                record = dict(records[case % len(records)], case_index=case)
                record["seed"] = episode_seed(source.config.seed, record["env"]["key"], case, record["epoch"])
                store.append(record)


class Counted:
    """Counts what is parsed of runs from now on: rows of indexes, and records."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.work = {"rows": 0, "records": 0}
        for name, method in (("rows", "_row"), ("records", "_parse")):
            monkeypatch.setattr(RunStore, method, self._counting(name, getattr(RunStore, method)))

    def _counting(self, name: str, parse: Any) -> Any:
        def counting(store: RunStore, *given: Any) -> Any:
            self.work[name] += 1
            return parse(store, *given)

        return counting
