"""A judge that says what it is told to, and problems small enough to read."""

from __future__ import annotations

import pytest

from interactive_envs.judges.base import Judge, JudgeRequest, Verdict


class Table(Judge):
    """Says what its table holds for a text, else irrelevant or incorrect."""

    def __init__(self, **table: str) -> None:
        self.table = table
        self.requests: list[JudgeRequest] = []

    def judge(self, request: JudgeRequest) -> Verdict:
        self.requests.append(request)
        return Verdict(self.table.get(request.text, "irrelevant" if request.kind == "question" else "incorrect"))


@pytest.fixture
def table() -> Table:
    return Table(**{"Is it even?": "yes", "Is it even and 4?": "both", "Is it 3?": "no", "6": "correct"})
