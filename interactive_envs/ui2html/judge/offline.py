"""The judge of pages without a model: reads questions by units, and measures renders."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from interactive_envs.errors import JudgeError, MissingExtraError
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.ui2html.rendering.browser import HtmlError

if TYPE_CHECKING:
    from interactive_envs.ui2html.rendering.browser import Render

NEEDED = ("PIL", "playwright")
DIMENSIONS = ("layout", "component", "style", "text", "polish")


class PageJudge(Judge):
    """Answers questions about a page yes or no, and scores it from 0 to 20 in five dimensions, by measuring.

    Formal questions are decided by rules. What another question was read as stands in the verdict's detail. What cannot
    be read is answered ``no``, with ``abstained``. A page that cannot be drawn has none of what is asked about, and
    scores 0.
    """

    version: ClassVar[int] = 5
    tuned_on = frozenset(f"page-{number:02}" for number in range(1, 26))
    """The targets whose labelled questions were read while the parser was written."""

    def judge(self, request: JudgeRequest) -> Verdict:
        """Answer a question or score a page.

        Raises:
            JudgeError: the request is of another kind, or its context holds no target or no page.
            MissingExtraError: what draws and measures pages is not installed.
            FaultError: the browser failed.
        """
        if request.kind not in ("question", "score"):
            raise JudgeError(f"the judge of pages knows no requests of kind {request.kind!r}")
        missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
        if missing:
            raise MissingExtraError("judging pages", "ui")
        decided = None if request.decide is None else request.decide()
        if decided is not None:
            return decided
        target = _target(request.context)
        try:
            page = _page(request.context)
        except HtmlError as error:
            return _undrawn(request, str(error))
        return _answered(request, target, page) if request.kind == "question" else _scored(request, target, page)

    def describe(self) -> dict[str, Any]:
        """Its version."""
        return {"name": "offline", "version": self.version}


def _answered(request: JudgeRequest, target: Render, page: Render) -> Verdict:
    from interactive_envs.ui2html.judge.questions import answer

    answered = answer(request.text, target, page)
    return Verdict(answered.label, answered.detail, source="offline", abstained=answered.abstained)


def _scored(request: JudgeRequest, target: Render, page: Render) -> Verdict:
    from interactive_envs.ui2html.judge.floor import floor_of
    from interactive_envs.ui2html.judge.scoring import score

    floor = floor_of(request.context["target"], str(request.context.get("request", "")))
    scores = score(target, page, floor)._asdict()
    detail = ", ".join(f"{name} {value}" for name, value in scores.items())
    return Verdict("scored", detail, source="offline", scores=scores)


def _undrawn(request: JudgeRequest, why: str) -> Verdict:
    detail = f"the page cannot be drawn: {why}"
    if request.kind == "question":
        return Verdict("no", detail, source="offline", abstained=True)
    return Verdict("scored", detail, source="offline", scores=dict.fromkeys(DIMENSIONS, 0))


def _target(context: Mapping[str, Any]) -> Render:
    from interactive_envs.ui2html.rendering.drawing import drawn_target

    target = context.get("target")
    if not isinstance(target, Mapping) or not {"html", "png"} & set(target):
        raise JudgeError("the request holds no target, {'html': …} or {'png': …}")
    try:
        return drawn_target(target)
    except HtmlError as error:
        raise JudgeError(f"the target cannot be drawn: {error}") from error


def _page(context: Mapping[str, Any]) -> Render:
    from interactive_envs.ui2html.rendering.drawing import drawn

    page = context.get("page")
    if not isinstance(page, str):
        raise JudgeError("the request holds no page")
    return drawn(page)
