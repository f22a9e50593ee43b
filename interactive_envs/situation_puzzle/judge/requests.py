"""What judges are asked about situation puzzles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from interactive_envs.dialogue.free_text import FINALS, LABELS
from interactive_envs.judges.base import JudgeRequest
from interactive_envs.judges.prompts import listed

TASK = "situation-puzzle"


def judge_request(kind: Literal["question", "final"], text: str, context: Mapping[str, Any]) -> JudgeRequest:
    """A question or a final answer, with what the judge may know.

    Args:
        kind: of the text.
        text: the player's.
        context: ``setup``, ``solution``, ``facts`` ([{text, required}]), ``questions`` ([{text, label}]),
            ``explanations`` (right ones) and ``wrong`` (wrong ones); the last four may be missing.
    """
    facts = [fact["text"] + (" (essential)" if fact.get("required") else "") for fact in context.get("facts") or ()]
    fields = {
        "setup": str(context.get("setup", "")),
        "solution": str(context.get("solution", "")),
        "facts": listed("FACTS of the explanation", facts),
    }
    return JudgeRequest(kind, text, LABELS if kind == "question" else FINALS, context, TASK, fields=fields)
