"""Answers as code: one function, run in the sandbox on a thousand arguments.

Only arguments go into the sandbox, never a right answer; what comes out is compared here.
"""

from __future__ import annotations

import functools
import re
import textwrap
from collections.abc import Sequence
from typing import Any

from interactive_envs.black_box.base import AnswerBox, Function, Trial
from interactive_envs.parsing import TIMEOUT_ACTION, Unreadable, strip_thinking
from interactive_envs.sandbox import Limits, Sandbox, SandboxError

LIMITS = Limits(cpu_s=10, wall_s=120, output=8 << 20, input=8 << 20)
_MANY = """

def _ibench_many(_arguments):
    import json
    values, problem = [], ""
    for argument in _arguments:
        try:
            text = json.dumps(solution(*argument), allow_nan=False, ensure_ascii=False)
            text.encode()
            values.append([json.loads(text)] if text.count("[") + text.count("{") < 50 else [])
        except BaseException as error:
            values.append([])
            problem = problem or f"{type(error).__name__}: {error}"[:200]
    return [values, problem]
"""
_COMPILE = """
def problem(source):
    try:
        names = compile(source, "answer", "exec").co_names
    except SyntaxError as error:
        return f"This is not Python: {error.msg}, line {error.lineno}."
    except Exception as error:
        return f"This is not Python: {error}."
    return "" if "solution" in names else "No function called solution is defined."
"""
"""One argument after the other: where a value is none that JSON has, or there is none, only that argument is lost."""
_FENCED = re.compile(r"```[\w-]*[^\S\n]*\n(.*?)(?:```|\Z)", re.DOTALL)
_ANSWER = re.compile(r"<answer>((?:(?!<answer>).)*)</answer>", re.DOTALL | re.IGNORECASE)
_OPEN = re.compile(r"<answer>((?:(?!<answer>).)*)\Z", re.DOTALL | re.IGNORECASE)


def read(text: str) -> str | Unreadable:
    """The function in a message: inside the answer's tag, in a code fence, or both.

    >>> read("So: <answer>def solution(x): return x</answer>")
    'def solution(x): return x'
    """
    if text.strip() == TIMEOUT_ACTION:
        return Unreadable("The time limit for this action was exceeded.")
    plain = strip_thinking(text)
    bodies = _ANSWER.findall(plain) or _OPEN.findall(plain) or [plain]
    found = [source for body in bodies for source in _FENCED.findall(body)]
    if not found:
        found = bodies if bodies != [plain] else []
    sources = list(dict.fromkeys(textwrap.dedent(source).strip() for source in found))
    if len(sources) > 1:
        return Unreadable(f"I found {len(sources)} different functions; give exactly one.")
    if not sources or not sources[0]:
        return Unreadable("I found no function; write it in <answer>…</answer>.")
    problem = problem_of(sources[0])
    return Unreadable(problem) if problem else sources[0]


def question(box: AnswerBox) -> str:
    """What to write."""
    return (
        f"write {signature(box)} in <answer>…</answer>. {_function(box).about} It runs in a sandbox, with the standard "
        f"library but without files and network, for at most {LIMITS.cpu_s:g} CPU seconds in all. The score is the "
        "mean mark of its results on 1,000 arguments, or on all of them if there are fewer."
    )


def signature(box: AnswerBox) -> str:
    """What to write, in short."""
    return f"a Python function {_function(box).signature}"


def _function(box: AnswerBox) -> Function:
    """What is written for a box.

    Raises:
        TypeError: its family has no such answers.
    """
    if box.function is None:
        raise TypeError(f"{type(box).__name__} takes no answers as code")
    return box.function


def problem_of(source: str) -> str:
    """Why a text is no function, empty where it is one; compiled in the sandbox, as that can break an interpreter."""
    try:
        problem = sandbox().call(_COMPILE, "problem", [source])
    except SandboxError as error:
        problem = str(error)
    return str(problem)


def mark(box: AnswerBox, trial: Trial, arguments: Sequence[Any], source: str) -> tuple[float, str]:
    """The share of the arguments for which a player's function is right, and why it failed where it did as a whole.

    Raises:
        FaultError: the sandbox cannot work; nothing was marked.
    """
    one = box.function is None or box.function.parameters == 1
    given = [[box.as_json(argument)] if one else box.as_json(argument) for argument in arguments]
    try:
        result = sandbox().call(source + _MANY, "_ibench_many", [given])
    except SandboxError as error:
        return 0.0, f"The function could not be run: {error}."
    values, problem = result if isinstance(result, list) and len(result) == 2 else ([], "")
    if not (isinstance(values, list) and len(values) == len(given)):
        return 0.0, "The function could not be run: it changed what runs it."
    marks = [
        box.mark_value(box.value(trial, argument), value[0]) if isinstance(value, list) and len(value) == 1 else 0.0
        for argument, value in zip(arguments, values, strict=True)
    ]
    failed = sum(value == [] for value in values)
    why = f", first with {problem!s:.200}" if problem else ""
    return sum(marks) / len(marks), f"It gave no value for {failed} of {len(marks)} arguments{why}." if failed else ""


@functools.cache
def sandbox() -> Sandbox:
    """One for the process; it starts at the first function."""
    return Sandbox(limits=LIMITS)
