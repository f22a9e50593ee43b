"""Answers as code: one function, run in the sandbox on a thousand arguments.

Only arguments go into the sandbox, never a right answer; what comes out is compared here.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from interactive_envs.black_box.base import AnswerBox, Trial
from interactive_envs.sandbox import Limits, Sandbox, SandboxError

LIMITS = Limits(cpu_s=10, wall_s=120, output=8 << 20, input=8 << 20)
_MANY = """

def _ibench_many(_arguments):
    values = []
    for argument in _arguments:
        try:
            values.append([solution(*argument)])
        except Exception:
            values.append([])
    return values
"""


def question(box: AnswerBox) -> str:
    """What to write."""
    function = box.function
    assert function is not None
    return (
        f"write a Python function {function.signature} in <answer>…</answer>. {function.about} It runs alone, with the "
        "standard library's computing modules, no files, no network, 10 CPU seconds for all; the score is the share of "
        "1,000 arguments (fewer where there are fewer) for which it is right."
    )


def mark(box: AnswerBox, trial: Trial, arguments: Sequence[Any], source: str) -> tuple[float, str]:
    """The share of the arguments for which a player's function is right, and why it failed where it did as a whole.

    Raises:
        FaultError: the sandbox cannot work; nothing was marked.
    """
    one = box.function is None or box.function.parameters == 1
    given = [[box.as_json(argument)] if one else box.as_json(argument) for argument in arguments]
    try:
        values = _sandbox().call(source + _MANY, "_ibench_many", [given])
    except SandboxError as error:
        return 0.0, f"The function could not be run: {error}."
    if not (isinstance(values, list) and len(values) == len(given)):
        return 0.0, "The function could not be run: it changed what runs it."
    marks = [
        box.mark_value(box.value(trial, argument), value[0]) if isinstance(value, list) and len(value) == 1 else 0.0
        for argument, value in zip(arguments, values, strict=True)
    ]
    failed = sum(value == [] for value in values)
    return sum(marks) / len(marks), f"It failed on {failed} of {len(marks)} arguments." if failed else ""


@functools.cache
def _sandbox() -> Sandbox:
    """One for the process; it starts at the first function."""
    return Sandbox(limits=LIMITS)
