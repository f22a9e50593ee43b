"""One offline judge serves every family of tasks."""

from __future__ import annotations

import pytest

from interactive_envs.errors import JudgeError
from interactive_envs.judges.base import JudgeRequest, resolve_judge
from interactive_envs.judges.offline import OfflineJudge


def test_each_task_is_judged_by_its_own() -> None:
    judge = OfflineJudge(embeddings=False)
    story = JudgeRequest("question", "Was it dark?", ("yes", "no", "both", "irrelevant"), {"setup": "", "solution": ""})
    problem = {
        "id": "x", "generator": "", "field": "", "difficulty": 1, "text": "What is six times seven?", "answer": "42",
        "answer_form": "a whole number", "facts": [], "notes": "", "parameters": {},
        "quantities": [{"name": "answer", "value": "42", "phrases": ["answer", "result"], "told": False}],
    }  # fmt: skip
    claim = JudgeRequest("final", "42", ("correct", "incorrect"), {"problem": problem, "solution": ""}, "math")
    assert judge.judge(story).label in story.labels
    assert judge.judge(claim).label == "correct"
    judge.close()


def test_a_task_that_it_does_not_know_is_a_judge_error() -> None:
    with pytest.raises(JudgeError, match="knows no task 'chess'; it judges situation-puzzle, math, ui2html"):
        OfflineJudge(embeddings=False).judge(JudgeRequest("question", "?", ("yes", "no"), {}, "chess"))


def test_it_says_the_version_of_each() -> None:
    judge = resolve_judge("offline?embeddings=false")()
    assert set(judge.describe()) == {"name", "version", "similarity", "math", "ui2html"}
