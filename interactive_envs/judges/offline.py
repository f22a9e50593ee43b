"""The judge without a model endpoint: each family of tasks has one of its own behind the name ``offline``."""

from __future__ import annotations

import functools
import importlib
import threading
from typing import Any, ClassVar

from interactive_envs.errors import JudgeError
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.situation_puzzle.judge.story import StoryJudge

STORIES = "situation-puzzle"
OTHERS = {
    "math": "interactive_envs.mathematics.judge.offline:MathJudge",
    "ui2html": "interactive_envs.ui2html.judge.offline:PageJudge",
}
"""By family. They lie with their families, above this module, and need extras: each is imported when it is asked."""


class OfflineJudge(Judge):
    """Answers and grades by computing; no network, no key.

    Situation puzzles by comparing texts (:class:`interactive_envs.situation_puzzle.judge.story.StoryJudge`), mathematics by symbols,
    pages by measuring. Each reads a closed part of language and abstains on the rest; its error is measured, see
    docs/judges.md.

    Args:
        embeddings: for stories; False compares by shared words only, None does so where the embeddings are not
            installed.
    """

    name: ClassVar[str] = "offline"
    approximate: ClassVar[bool] = True

    def __init__(self, *, embeddings: bool | None = None) -> None:
        self._stories = StoryJudge(embeddings=embeddings)
        self.tuned_on = self._stories.tuned_on.union(*(_class(task).tuned_on for task in OTHERS))
        self._others: dict[str, Judge] = {}
        self._lock = threading.Lock()

    def judge(self, request: JudgeRequest) -> Verdict:
        """Let the family's judge decide.

        Raises:
            JudgeError: the family has none, or its judge failed.
        """
        if request.task == STORIES:
            return self._stories.judge(request)
        if request.task not in OTHERS:
            raise JudgeError(f"judge {self.name} knows no task {request.task!r}; it judges {', '.join(self._tasks)}")
        with self._lock:
            if request.task not in self._others:
                self._others[request.task] = _class(request.task)()
        return self._others[request.task].judge(request)

    def describe(self) -> dict[str, Any]:
        """What it compares stories by, and the versions of the other judges."""
        versions = {task: _class(task).version for task in OTHERS}
        return {"name": self.name, **self._stories.describe(), **versions}

    def close(self) -> None:
        """Close the judges that were asked."""
        for judge in self._others.values():
            judge.close()
        self._others.clear()

    @property
    def _tasks(self) -> tuple[str, ...]:
        return (STORIES, *OTHERS)


@functools.cache
def _class(task: str) -> Any:
    module, _, name = OTHERS[task].partition(":")
    return getattr(importlib.import_module(module), name)
