"""A judge for tests, which specs can name."""

from __future__ import annotations

from interactive_envs.errors import JudgeError
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict


class Failing(Judge):
    """A judge whose endpoint is down."""

    name = "failing"

    def judge(self, request: JudgeRequest) -> Verdict:
        raise JudgeError("the judge is down")
