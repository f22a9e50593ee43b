"""What judges are asked about mathematical problems, and what symbols say before a model is asked."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Literal

from interactive_envs.dialogue.free_text import FINALS, LABELS
from interactive_envs.judges.base import JudgeRequest, Verdict
from interactive_envs.judges.prompts import listed
from interactive_envs.mathematics.generators.base import ANSWER, Problem
from interactive_envs.mathematics.judge import offline
from interactive_envs.mathematics.problems import solution

TASK = "math"
REFUSED = "refused"
"""The label of a claim about the answer itself where such claims are not decided."""


def judge_request(
    kind: Literal["question", "final"], text: str, problem: Problem, *, answer_claims: bool = True
) -> JudgeRequest:
    """Return a claim or a final answer; the context holds ``problem`` and ``solution``, its derivation in prose.

    Without ``answer_claims`` a claim about the answer itself is labelled ``REFUSED``.
    """
    context = {"problem": problem.as_json(), "solution": solution(problem)}
    decide: Callable[[], Verdict] | None = None
    labels: tuple[str, ...] = FINALS
    if kind == "final":
        decide = functools.partial(decide_by_symbols, problem, text)
    elif answer_claims:
        labels = LABELS
    else:
        decide, labels = functools.partial(refuse, problem, text), (*LABELS, REFUSED)
    return JudgeRequest(kind, text, labels, context, TASK, fields=prompt_fields(problem), decide=decide)


def decide_by_symbols(problem: Problem, text: str) -> Verdict:
    """Return whether a final answer has the right value; abstains where symbols do not decide.

    Raises:
        JudgeError: the worker that computes died.
        ConfigError: the worker cannot start.
    """
    grade = offline.grade(problem, text)
    if grade.right is None:
        return Verdict("incorrect", f"symbols do not decide ({grade.detail})", abstained=True)
    return Verdict("correct" if grade.right else "incorrect", f"by symbols: {grade.detail}")


def refuse(problem: Problem, text: str) -> Verdict:
    """Refuse a claim about the answer itself; abstains where the reader sees none.

    Raises:
        JudgeError: the worker that reads died.
        ConfigError: the worker cannot start.
    """
    if offline.is_about_answer(problem, text):
        return Verdict(REFUSED, "about the answer itself")
    return Verdict("irrelevant", "no claim about the answer itself", abstained=True)


def prompt_fields(problem: Problem) -> dict[str, str]:
    """What prompts for models may say of a problem."""
    prose = solution(problem)
    facts = [fact.text for fact in problem.facts if fact.text not in prose]
    quantities = [f"{'; '.join(q.phrases)} = {q.value}" for q in problem.quantities if q.name != ANSWER]
    return {
        "problem": problem.text,
        "answer": f"{problem.answer} ({problem.answer_form})" if problem.answer_form else problem.answer,
        "solution": prose or "(none was given)",
        "facts": listed("FURTHER FACTS", facts),
        "quantities": listed("QUANTITIES of the solution", quantities),
    }
