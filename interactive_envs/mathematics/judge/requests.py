"""What judges are asked about mathematical problems, and what symbols say before a model is asked."""

from __future__ import annotations

import functools
from typing import Literal

from interactive_envs.dialogue.free_text import FINALS, LABELS
from interactive_envs.judges.base import JudgeRequest, Verdict
from interactive_envs.judges.prompts import listed
from interactive_envs.mathematics.generators.base import ANSWER, Problem
from interactive_envs.mathematics.judge import offline
from interactive_envs.mathematics.problems import solution

TASK = "math"


def judge_request(kind: Literal["question", "final"], text: str, problem: Problem) -> JudgeRequest:
    """Return a claim or a final answer; the context holds ``problem`` and ``solution``, its derivation in prose."""
    context = {"problem": problem.as_json(), "solution": solution(problem)}
    decide = functools.partial(decide_by_symbols, problem, text) if kind == "final" else None
    labels = LABELS if kind == "question" else FINALS
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
