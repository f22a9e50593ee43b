"""The judge of mathematics without a model: reads claims and answers, and decides them by symbols."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import resources
from typing import TYPE_CHECKING, Any, ClassVar

from interactive_envs.errors import JudgeError
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.llm.process import PerProcess
from interactive_envs.mathematics import formal
from interactive_envs.mathematics.formal import Formal
from interactive_envs.mathematics.generators.base import Problem
from interactive_envs.mathematics.judge.worker import Worker, WorkerError

if TYPE_CHECKING:
    from interactive_envs.mathematics.judge.grading import Grade

LONGEST = 20_000
"""Characters that are passed on; a longer text is none that a player could mean."""

workers: PerProcess[Worker] = PerProcess(Worker, Worker.close)
"""The worker that all judges of a process share."""


class MathJudge(Judge):
    """Answers claims about a problem yes, no, both or irrelevant, and grades final answers, by computing.

    A claim is read as a whole into relations over the problem's quantities and decided exactly; how it was read stands
    in the verdict's detail. What names the problem but cannot be read is answered ``irrelevant``, a final answer that
    cannot be decided ``incorrect``; both say that the judge abstained.

    Reading and deciding run in a worker process with limits on time and memory, one for each process that judges.
    """

    version: ClassVar[int] = 6
    tuned_on = frozenset(
        json.loads(resources.files(__package__).joinpath("data/labels/tuned_on.json").read_text("utf-8"))
    )
    """Ids of the problems whose labels were looked at while it was written; the others' labels are held out."""

    def judge(self, request: JudgeRequest) -> Verdict:
        """Judge a claim or a final answer.

        Raises:
            JudgeError: the request is of another kind, its context holds no problem, or the worker died.
            ConfigError: the worker cannot start.
        """
        problem = _problem(request.context)
        if request.kind == "final":
            found = grade(problem, request.text)
            label = "correct" if found.right else "incorrect"
            return Verdict(label, found.detail, source="offline", abstained=found.right is None)
        if request.kind != "question":
            raise JudgeError(f"the judge of mathematics knows no requests of kind {request.kind!r}")
        decided = formal.read(problem, request.text)
        if isinstance(decided, Formal) and decided.kind != "answer" and decided.reply in request.labels:
            return Verdict(decided.reply, f"by fractions: {decided.reply}", source="offline")
        if "refused" in request.labels and is_about_answer(problem, request.text):
            return Verdict("refused", "about the answer itself", source="offline")
        try:
            reply = _ask("claim", problem, formal.spelled(problem, request.text))
        except WorkerError as error:
            return Verdict("irrelevant", f"undecided: {error}", source="offline", abstained=True)
        return Verdict(reply["label"], reply["detail"], source="offline", abstained=reply["abstained"])

    def describe(self) -> dict[str, Any]:
        """Its version."""
        return {"name": "offline", "version": self.version}

    def close(self) -> None:
        """End the worker of this process."""
        workers.close()


def grade(problem: Problem, text: str) -> Grade:
    """Return whether a final answer is right; None where symbols cannot decide, which another judge may.

    Raises:
        JudgeError: the worker died.
        ConfigError: the worker cannot start.
    """
    from interactive_envs.mathematics.judge.grading import Grade  # the reader; until then the worker alone has it

    try:
        reply = _ask("grade", problem, text)
    except WorkerError as error:
        return Grade(None, f"undecided: {error}")
    return Grade(reply["right"], reply["detail"])


def is_about_answer(problem: Problem, text: str) -> bool:
    """Return whether a claim says something of the answer itself; False where that cannot be told.

    Raises:
        JudgeError: the worker died.
        ConfigError: the worker cannot start.
    """
    decided = formal.read(problem, text)
    if isinstance(decided, Formal):
        return decided.kind == "answer"
    try:
        return bool(_ask("subject", problem, formal.spelled(problem, text))["answer"])
    except WorkerError:
        return False


def _ask(what: str, problem: Problem, text: str) -> dict[str, Any]:
    reply = workers.get().ask({"do": what, "problem": problem.as_json(), "text": text[:LONGEST]})
    if "failed" in reply:
        raise WorkerError(reply["failed"])
    return reply


def _problem(context: Mapping[str, Any]) -> Problem:
    try:
        return Problem.from_json(context["problem"])
    except (KeyError, TypeError) as error:
        raise JudgeError(f"the context holds no problem: {error!r}") from error
