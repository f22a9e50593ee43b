"""Rescoring: what another judge would have counted, and by how much the accuracies differ."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from interactive_envs.agent import Agent
from interactive_envs.errors import JudgeError
from interactive_envs.evaluation.run import pool, rescore
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.reporting import estimates
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore

ENV = "ibench/SituationPuzzle-v1"
HERE = __name__


class Words(Judge):
    """Takes finals in which its word occurs, and fails at the word ``broken``."""

    name: ClassVar[str] = "words"

    def __init__(self, word: str = "nothing holds this", broken: str = "-") -> None:
        self.word, self.broken = word, broken

    def judge(self, request: JudgeRequest) -> Verdict:
        if self.broken in request.text:
            raise JudgeError("no verdict")
        if request.kind == "question":
            return Verdict("no")
        return Verdict("correct" if self.word in request.text else "incorrect")


class Guesses(Agent):
    """Answers in a round, asks, and is then asked for a forced final answer."""

    said = ("FINAL: early", "Q: Was it dark?", "FINAL: late")

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        self._next = iter(self.said)

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        return next(self._next)


class GuessesByCase(Guesses):
    """Its first answer tells whether the seed is odd."""

    def reset(self, *, seed: int | None = None, info: Mapping[str, Any] | None = None) -> None:
        first = "FINAL: odd" if (seed or 0) % 2 else "FINAL: even"
        self._next = iter((first, *self.said[1:]))


def played(folder: Path, agent: str = "Guesses", episodes: int = 2) -> RunStore:
    arguments = {"mode": "free", "budget": 2, "forced_final": True}
    return pool.run(RunConfig((Cell(ENV, arguments, f"{HERE}:{agent}", f"{HERE}:Words"),), episodes), folder)


def cell_of(store: RunStore, judge: Judge) -> dict[str, Any]:
    (cell,) = rescore.rescore(store, judge)["cells"]
    return dict(cell)


def test_a_forced_final_that_only_the_new_judge_takes_is_no_win(tmp_path: Path) -> None:
    store = played(tmp_path / "run")
    assert {row.outcome for row in store.rows()} == {"failure"}
    cell = cell_of(store, Words("late"))
    assert {"before": "incorrect", "now": "correct", "count": 2} in cell["confusion"]
    assert (cell["before"]["value"], cell["now"]["value"]) == (0.0, 0.0)


def test_a_final_in_a_round_is_one_whatever_the_old_judge_said(tmp_path: Path) -> None:
    cell = cell_of(played(tmp_path / "run"), Words("early"))
    assert (cell["before"]["value"], cell["now"]["value"]) == (0.0, 1.0)


def test_the_difference_is_paired_by_case(tmp_path: Path) -> None:
    store = played(tmp_path / "run", "GuessesByCase", episodes=25)
    cell = cell_of(store, Words("odd"))
    won = [store.record(row)["seed"] % 2 for row in store.rows()]
    assert 0 < sum(won) < 25
    assert cell["difference"] == estimates.paired(won, [row.case_index for row in store.rows()]).as_json()
    assert cell["difference"]["value"] == pytest.approx(sum(won) / 25)


def test_an_episode_that_the_new_judge_fails_at_is_left_out(tmp_path: Path) -> None:
    store = played(tmp_path / "run", "GuessesByCase", episodes=25)
    cell = cell_of(store, Words("even", broken="odd"))
    assert cell["judge_errors"] + cell["n"] == 25
    assert cell["judge_errors"] > 0
    assert cell["difference"]["value"] == cell["now"]["value"] == 1.0


def test_cells_without_verdicts_are_left_out_and_every_episode_is_counted(tmp_path: Path) -> None:
    free = Cell(ENV, {"mode": "free", "budget": 2, "forced_final": True}, f"{HERE}:Guesses", f"{HERE}:Words")
    store = pool.run(RunConfig((Cell(ENV, {}, "random"), free), 2), tmp_path / "run")
    seen: list[None] = []
    result = rescore.rescore(store, Words(), progress=lambda: seen.append(None))
    assert [cell["cell"] for cell in result["cells"]] == [1]
    assert len(seen) == 4
