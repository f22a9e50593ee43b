"""Drafts of a page, a question about each, then a last page that is scored: the protocol of UI2Html.

Source: Interactive Benchmarks v2, sections 2.2 and 3.2.
"""

from __future__ import annotations

import base64
import dataclasses
from collections.abc import Sequence
from typing import Any

from interactive_envs.dialogue.probe import Probe
from interactive_envs.dialogue.protocol import EpisodeState, Rounds, Submission
from interactive_envs.dialogue.task import Terms
from interactive_envs.judges.base import JudgeRequest, Verdict
from interactive_envs.outcome import Outcome
from interactive_envs.parsing import Illegal, Unreadable
from interactive_envs.ui2html.rendering import drawing
from interactive_envs.ui2html.rendering.browser import HtmlError, Reason
from interactive_envs.ui2html.rules import (
    DIMENSIONS,
    UNCLEAR,
    Building,
    Case,
    Message,
    UI2HtmlTask,
    missing_part,
    read_scores,
)

PageState = EpisodeState[Case, Building]


class Drafts(Rounds[Case, Building]):
    """Rounds of a page and a question each, then the final page, which the judge scores.

    A page that cannot be drawn is an unreadable message. In place of a final page that cannot be read, after all free
    tries, the last page that could be drawn is scored.

    Args:
        task: the pure rules.
        terms: as the user gave them.
        probes: there can be none.
        show_render: whether the drawn page is shown to players that can see.
    """

    task: UI2HtmlTask
    max_action = 250_000
    refuses_probes = "UI2Html"
    unclear = UNCLEAR

    def __init__(
        self, task: UI2HtmlTask, terms: Terms, probes: Sequence[Probe] = (), *, show_render: bool = False
    ) -> None:
        super().__init__(task, terms, probes)
        self._show_render = show_render

    def settle(self, terms: Terms) -> Terms:
        """A final page is always asked for; without interaction there are no rounds before it."""
        return dataclasses.replace(terms, budget=terms.budget if terms.interaction else 0, forced_final=True)

    def begin(self, case: Case) -> PageState:
        """The first round, or the final page where there are none."""
        state = super().begin(case)
        return state if self.terms.interaction else dataclasses.replace(state, stage="forced_final")

    def tags(self, state: PageState) -> tuple[str, ...]:
        """As in any rounds; the published protocol has no end before the last round."""
        tags = super().tags(state)
        return self.task.query_tags if self.task.published and self.queries_allowed(state) else tags

    def read(self, state: PageState, text: str) -> Submission:
        """Read a message with its page and its question, and draw the page."""
        if len(text) > self.max_action:
            reason = f"The message is longer than {self.max_action} characters."
            return self.refuse(state, text[: self.max_action], Unreadable(reason))
        read = self.task.read(state.task_state, text, closing=state.stage == "forced_final")
        if isinstance(read, Unreadable):
            return self.refuse(state, text, read)
        if read.message.html is not None:
            try:
                drawing.drawn(read.message.html)
            except HtmlError as error:
                return self.refuse(state, text, Unreadable(f"The page cannot be drawn: {explain(error)}."))
        missing = missing_part(read.message.question, read.message.html or state.task_state.page or "")
        if missing is not None:
            return self.refuse(state, text, Unreadable(missing))
        ask_judge = self.task.judge_query if read.kind == "query" else self.task.judge_answer
        return Submission(read.kind, text, read.message, ask_judge(state.task_state, read.message))

    def parsed(self, action: Submission) -> str:
        """The page and the question."""
        if action.kind == "invalid":
            return ""
        html, question = action.key.html or "", action.key.question
        if action.kind == "final":
            return f"<answer>{html}</answer>"
        return "\n".join(filter(None, [html, question and f"<ask>{question}</ask>"]))

    def request_final(self) -> str:
        """The page's form."""
        return "Send the final page now, from <!DOCTYPE html> to </html>, without a question."

    def refuse(self, state: PageState, text: str, why: Unreadable) -> Submission:
        """A refused message; the last one of an episode leaves the last page to be scored."""
        last = state.stage == "forced_final" and not state.retries_left and not self.terms.strict
        scored = last and state.task_state.page is not None
        request = self.task.judge_answer(state.task_state, Message(None)) if scored else None
        return Submission("invalid", text, why.reason, request, isinstance(why, Illegal))

    def check_verdict(self, request: JudgeRequest, verdict: Verdict | None) -> None:
        """Refuse a verdict that lacks the scores that were asked for, too."""
        if request.scores and verdict is not None:
            read_scores(verdict)
        super().check_verdict(request, verdict)

    def after_unclear(self, state: PageState, action: Submission) -> tuple[PageState, str]:
        """The page of a message whose question is not understood counts nevertheless."""
        page = state.task_state.with_page(action.key.html)
        return super().after_unclear(dataclasses.replace(state, task_state=page), action)

    def after_answer(self, state: PageState, action: Submission, verdict: Verdict | None) -> tuple[PageState, str]:
        """The final page is scored."""
        return self._score(state, action, action.key, "Finished.", verdict)

    def after_invalid(self, state: PageState, action: Submission, verdict: Verdict | None) -> tuple[PageState, str]:
        """As in any rounds, except that the last message of an episode leaves the last page to be scored."""
        if action.request is None:
            return super().after_invalid(state, action, verdict)
        return self._score(state, action, Message(None), f"{action.refusal} Your last page is scored.", verdict)

    def _score(
        self, state: PageState, action: Submission, message: Message, reply: str, verdict: Verdict | None
    ) -> tuple[PageState, str]:
        built = self.task.finished(state.task_state, message, verdict)
        points = ", ".join(f"{name} {value}" for name, value in _by_name(built).items())
        reply = f"{reply} Score: {built.total} of 100 ({points})."
        state = dataclasses.replace(self.append(state, action, reply), task_state=built)
        return dataclasses.replace(state, stage="over", outcome=Outcome.SCORED), reply

    def budget_line(self, state: PageState) -> str:
        """How many rounds are left, or that the final page is wanted."""
        if state.outcome is not None:
            return "The episode is over."
        if state.stage == "forced_final":
            return "No rounds left. Send the final page now, from <!DOCTYPE html> to </html>, without a question."
        return f"Rounds left: {state.rounds_left}."

    def reward(self, state: PageState) -> float:
        """The score of the last page, from 0 to 1."""
        return state.task_state.total / 100

    def info(self, state: PageState) -> dict[str, Any]:
        """At the end also the scores."""
        info, built = super().info(state), state.task_state
        if state.outcome is not None:
            info["score"] = built.total
            if built.scores is not None:
                info["scores"] = _by_name(built)
        return info

    def pictures(self, state: PageState) -> Sequence[dict[str, Any]]:
        """The page of the last message, drawn."""
        message = state.exchanges[-1].key if self._show_render and state.exchanges else None
        if not isinstance(message, Message) or message.html is None:
            return ()
        encoded = base64.b64encode(drawing.drawn(message.html).png).decode()
        return ({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{encoded}"}},)

    @property
    def ends_of_asking(self) -> tuple[Outcome, ...]:
        """Silence at the end lets the last page stand."""
        stands = self.terms.interaction and not self.terms.strict
        return (Outcome.SCORED,) if stands else super().ends_of_asking


def explain(error: HtmlError) -> str:
    """Why a page cannot be drawn.

    Seconds and bytes differ between machines, and a replay compares the words; what was limited does not.
    """
    return _REFUSED[error.reason]


_REFUSED = {
    Reason.TOO_LARGE: "it is too large",
    Reason.TOO_MANY: "it has too many elements",
    Reason.TOO_SLOW: "it takes too long",
    Reason.MEMORY: "it takes too much memory",
    Reason.CRASH: "the browser crashes on it",
}


def _by_name(built: Building) -> dict[str, int]:
    return dict(zip(DIMENSIONS, built.scores or (), strict=True))
