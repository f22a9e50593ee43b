"""One offline judge serves every family of tasks."""

from __future__ import annotations

from typing import Any

import pytest

from interactive_envs import catalog
from interactive_envs.errors import JudgeError
from interactive_envs.family import Family
from interactive_envs.judges import offline
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict, resolve_judge
from interactive_envs.judges.offline import OfflineJudge


def test_each_task_is_judged_by_its_own() -> None:
    judge = OfflineJudge(embeddings=False)
    context = {"setup": "", "solution": ""}
    story = JudgeRequest("question", "Was it dark?", ("yes", "no", "both", "irrelevant"), context, "situation-puzzle")
    problem = {
        "id": "x",
        "generator": "",
        "field": "",
        "difficulty": 1,
        "text": "What is six times seven?",
        "answer": "42",
        "answer_form": "a whole number",
        "facts": [],
        "notes": "",
        "parameters": {},
        "quantities": [{"name": "answer", "value": "42", "phrases": ["answer", "result"], "told": False}],
    }
    claim = JudgeRequest("final", "42", ("correct", "incorrect"), {"problem": problem, "solution": ""}, "math")
    assert judge.judge(story).label in story.labels
    assert judge.judge(claim).label == "correct"
    judge.close()


def test_a_task_that_it_does_not_know_is_a_judge_error() -> None:
    with pytest.raises(JudgeError, match="knows no task 'chess'; it judges math, situation-puzzle, ui2html"):
        OfflineJudge(embeddings=False).judge(JudgeRequest("question", "?", ("yes", "no"), {}, "chess"))


def test_it_says_the_version_of_each() -> None:
    judge = resolve_judge("offline?embeddings=false")()
    assert set(judge.describe()) == {"name", "version", "similarity", "math", "ui2html"}


def test_it_closes_the_judges_that_were_asked_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []

    class Knows(Judge):
        def judge(self, request: JudgeRequest) -> Verdict:
            return Verdict("yes")

        def describe(self) -> dict[str, Any]:
            return {"version": 1}

        def close(self) -> None:
            closed.append(type(self).__name__)

    class Idle(Knows):
        pass

    cards = {"a": Family("a", judge="a:Knows"), "b": Family("b", judge="b:Idle"), "c": Family("c")}
    monkeypatch.setattr(catalog, "families", lambda: cards)
    monkeypatch.setattr(offline, "attribute", {"a:Knows": Knows, "b:Idle": Idle}.__getitem__)
    judge = OfflineJudge()
    assert judge.describe() == {"name": "offline", "a": 1, "b": 1}
    assert judge.judge(JudgeRequest("question", "?", ("yes",), {}, "a")).label == "yes"
    judge.close()
    assert closed == ["Knows"]
