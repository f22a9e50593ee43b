"""A model that sees pictures as judge: of pages it answers questions and gives scores."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar

from interactive_envs.errors import JudgeError
from interactive_envs.judges import prompts
from interactive_envs.judges.asking import Form
from interactive_envs.judges.base import JudgeRequest, Verdict
from interactive_envs.judges.llm import LLMJudge
from interactive_envs.llm.base import Constraint, Message
from interactive_envs.parsing import Unreadable, strip_thinking

DIMENSIONS = ("layout", "component", "style", "text", "polish")
HIGHEST = 20
"""Of each dimension."""
_AGAIN = (
    'Your reply could not be read: $problem Reply with {"layout": N, "component": N, "style": N, "text": N, '
    f'"polish": N}} only, where each N is a whole number from 0 to {HIGHEST}, and with nothing before or after it.'
)
_OBJECT = re.compile(r"\{[^{}]*\}")
_NUMBER = re.compile(rf"\s*(\d{{1,9}})(?:\.0{{1,9}})?\s*(?:/\s*{HIGHEST})?\s*", re.ASCII)


class VisionJudge(LLMJudge):
    """A language model that sees the target and the player's page; elsewhere it judges as ``llm`` does.

    Both pages are drawn and sent as PNGs, in data URIs; the record leaves them out. Takes what
    :class:`interactive_envs.judges.llm.LLMJudge` takes; the prompts of pages are ``ui2html-question.txt`` and
    ``ui2html-score.txt``.
    """

    name: ClassVar[str] = "vlm"
    judges: ClassVar[tuple[str, ...]] = (*LLMJudge.judges, "ui2html-question", "ui2html-score")

    def _messages(self, request: JudgeRequest, prompt: prompts.Prompt) -> list[Message]:
        if request.task != "ui2html":
            return super()._messages(request, prompt)
        return prompt.messages(prompts.values(request), self._pictures(request))

    def _asked(self, request: JudgeRequest, messages: Sequence[Message]) -> Verdict:
        if request.kind != "score":
            return super()._asked(request, messages)
        scores, calls = self._asker.ask(messages, SCORES, self._salt)
        return Verdict(request.labels[0], detail=calls[-1].text, source=self._source, calls=calls, scores=scores)

    def _pictures(self, request: JudgeRequest) -> dict[str, bytes]:
        # By name, not by import statement: pages lie above the judges, and need an extra.
        drawing = importlib.import_module("interactive_envs.ui2html.rendering.drawing")
        unfit = importlib.import_module("interactive_envs.ui2html.rendering.browser").HtmlError
        try:
            target, page = drawing.drawn_target(request.context["target"]), drawing.drawn(request.context["page"])
        except unfit as error:
            raise JudgeError(f"judge {self._source}: a page has no picture: {error}") from error
        return {"target": target.png, "page": page.png}


def read_scores(text: str) -> dict[str, int] | Unreadable:
    """Read the five scores a reply gives.

    Accepted is a JSON object with all five, fenced, inside another object or with text around it; whole numbers may
    be written as ``12.0``, ``"12"`` or ``"12/20"``. Two objects that differ are unreadable.

    >>> read_scores('Here: {"layout": 12.0, "component": 9, "style": 20, "text": 0, "polish": "3/20", "total": 44}')
    {'layout': 12, 'component': 9, 'style': 20, 'text': 0, 'polish': 3}
    >>> read_scores('{"layout": 21, "component": 9, "style": 20, "text": 0, "polish": 3}')
    Unreadable(reason="'layout' is 21, not a whole number from 0 to 20.")
    """
    plain = strip_thinking(text)
    if not plain:
        return Unreadable("It is empty.")
    if re.search("|".join(f'"{name}"' for name in DIMENSIONS), _OBJECT.sub("", plain), re.IGNORECASE):
        return Unreadable("There are scores outside a complete flat JSON object.")
    found: dict[str, int] | None = None
    for pairs in _objects(plain):
        read = _five(pairs)
        if isinstance(read, Unreadable):
            return read
        if found is not None and read != found:
            return Unreadable("It gives two different sets of scores.")
        found = read
    return Unreadable("I found no JSON with the five scores.") if found is None else found


def _objects(text: str) -> Iterator[list[tuple[str, Any]]]:
    """The pairs of every innermost JSON object that names a dimension, keys in lower case."""
    for match in _OBJECT.finditer(text):
        try:
            pairs = [(key.strip().casefold(), value) for key, value in json.loads(match[0], object_pairs_hook=list)]
        except (ValueError, RecursionError):
            continue
        if any(key in DIMENSIONS for key, _ in pairs):
            yield pairs


def _five(pairs: Sequence[tuple[str, Any]]) -> dict[str, int] | Unreadable:
    scores: dict[str, int] = {}
    for key, value in pairs:
        if key not in DIMENSIONS:
            continue
        score = _whole(value)
        if score is None:
            return Unreadable(f"{key!r} is {str(value)[:40]}, not a whole number from 0 to {HIGHEST}.")
        if scores.setdefault(key, score) != score:
            return Unreadable(f"{key!r} is given twice.")
    missing = [name for name in DIMENSIONS if name not in scores]
    if missing:
        return Unreadable(f"There is no {', '.join(map(repr, missing))}.")
    return {name: scores[name] for name in DIMENSIONS}


def _whole(value: Any) -> int | None:
    """A whole number from 0 to the highest; None for anything else."""
    if isinstance(value, str):
        match = _NUMBER.fullmatch(value)
        value = int(match[1]) if match else None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= HIGHEST:
        return None
    return int(value) if value == int(value) else None


SCORES: Form[dict[str, int]] = Form(
    "scores",
    read_scores,
    _AGAIN,
    Constraint(
        json_schema={
            "type": "object",
            # Not every provider enforces a minimum and a maximum; all that enforce a schema know a list of values.
            "properties": {name: {"type": "integer", "enum": list(range(HIGHEST + 1))} for name in DIMENSIONS},
            "required": list(DIMENSIONS),
            "additionalProperties": False,
        }
    ),
)
"""A reply that gives five scores, as JSON."""
