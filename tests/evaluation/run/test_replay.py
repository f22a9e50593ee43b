"""Replaying a record: what each step tells."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from interactive_envs.agent import Agent
from interactive_envs.evaluation.run import pool, replay
from interactive_envs.reporting.records import Cell, RunConfig

ENV = "ibench/SituationPuzzle-v1"


class AsksOnce(Agent):
    """Asks, then says something unreadable, then answers."""

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        self._next = iter(("<ask>1</ask>", "hm", "A"))

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        return next(self._next)


def test_a_step_tells_the_stage_before_it_and_what_was_seen(tmp_path: Path) -> None:
    cell = Cell(ENV, {"budget": 2, "forced_final": True}, f"{__name__}:AsksOnce")
    store = pool.run(RunConfig((cell,), 1), tmp_path / "run")
    record = store.episode(store.rows()[0])
    again = list(replay.steps(record))
    assert [step.stage for step in again] == ["rounds", "rounds", "forced_final"]
    assert [step.observation for step in again] == [step.observation for step in record.steps]
    assert [step.reply for step in again] == [step.reply for step in record.steps]
    assert [step.request for step in again] == [None] * 3
    assert replay.mismatch(record) is None
