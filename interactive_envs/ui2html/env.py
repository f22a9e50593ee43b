"""The UI2Html environment: arguments in, the task plugged into the dialogue, every page drawn before it counts."""

from __future__ import annotations

import base64
import dataclasses
import importlib.util
from typing import Any, Literal

from interactive_envs.catalog.unit import Unit
from interactive_envs.dialogue.env import DialogueEnv, Pending, Playing
from interactive_envs.dialogue.view import Kind
from interactive_envs.errors import ConfigError, MissingExtraError, UnknownNameError
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.llm.calls import ModelCall
from interactive_envs.outcome import Outcome
from interactive_envs.parsing import Unreadable
from interactive_envs.ui2html.rendering import browser, drawing
from interactive_envs.ui2html.rendering.browser import HtmlError, Reason
from interactive_envs.ui2html.rules import DIMENSIONS, Building, Case, Said, UI2HtmlTask, read_scores
from interactive_envs.ui2html.summary import Summarizer, resolve_summarizer
from interactive_envs.ui2html.targets.designs import DIFFICULTIES, OMISSIONS
from interactive_envs.ui2html.targets.sources import Generated, Given, Own, Source, Target

SPLITS = ("own", "generated")
MAX_ROUNDS = 1_000
TERMS = (
    *("rounds", "omission", "summarizer", "show_render", "retries", "strict"),
    *("view", "judge", "render_mode", "no_interaction", "probes"),
)
"""Arguments that leave the target as it is, so that runs under other terms meet the same targets."""


class UI2HtmlEnv(DialogueEnv[Case, Building]):
    """Rebuild a hidden web page from a short request, asking one yes/no question about each draft.

    Observation: at reset the request, the protocol and what a page may use; afterwards ``Yes.`` or ``No.`` and the
        rounds left.
    Action: a whole HTML document, in a code fence or from ``<!DOCTYPE html>`` to ``</html>``, and outside of it one
        question, ``<ask>Compared with the target, should I …?</ask>``; ``<answer>document</answer>`` or
        ``<answer></answer>`` ends the episode with that page or the last one. Short forms: a line ``Q: …``, a line
        that begins with ``Compared with the target`` or ``Should I``; JSON with ``html`` and ``question``.
    Reward: at the end the sum of the five scores of the last page divided by 100; 0 before.
    Ends: terminated by the final page, outcome ``scored``; ``format_error`` where no page was ever drawn.
    Info: as in :class:`interactive_envs.dialogue.env.DialogueEnv`; at the end ``scores``, each from 0 to 20 by the name of
        its dimension, and ``score``, their sum.

    A page that the browser refuses, because it is too large or takes too long, is an unreadable message. A final page
    that cannot be read, after all free tries, is replaced by the last page that could be drawn.

    Source: Interactive Benchmarks v2, sections 2.2 and 3.2.

    Args:
        rounds: of a page and a question each; 1 is the paper's single-round baseline, 0 asks for the final page only.
        split: ``own``, the package's fifty targets; ``generated``, targets without end.
        difficulty: 1 to 5; None for all, with ``generated`` drawn for each episode.
        targets: a user's own instead: a folder, or a file, of ``*.html``, ``*.htm`` and ``*.png``, each with its
            request in ``NAME.txt`` if there is one.
        omission: how much the request leaves out, 1 little, 3 most.
        summarizer: who writes the request: ``offline``, or ``vlm:…``, a vision model that sees the target.
        show_render: put the drawn page as an image part into ``info["parts"]``, for players that can see.
        case: play this target always.
        judge: spec or instance; ``offline`` measures, ``vlm:…`` looks.
        no_interaction: the same as ``rounds=0``.
        retries: unreadable messages a round, and at the end, that cost nothing.
        strict: the first unreadable message ends the episode.
        render_mode: None or ``ansi``.

    Version history: v0, first release.
    """

    unit = Unit(
        id="ibench/UI2Html-v0",
        family="ui2html",
        variants=(
            {},
            {"rounds": 1},
            {"rounds": 0},
            {"split": "generated", "difficulty": 3, "rounds": 3},
            {"show_render": True, "rounds": 3, "omission": 3},
            {"strict": True, "rounds": 3, "omission": 1},
        ),
        references=(None,) * 6,
        not_key=TERMS,
        sources=("Interactive Benchmarks v2, sections 2.2 and 3.2",),
    )
    scored = True
    max_action = 250_000

    def __init__(
        self,
        *,
        rounds: int = 20,
        split: Literal["own", "generated"] = "own",
        difficulty: int | None = None,
        targets: str | None = None,
        omission: int = 2,
        summarizer: str = "offline",
        show_render: bool = False,
        case: str | None = None,
        judge: str | Judge = "offline",
        no_interaction: bool = False,
        retries: int = 1,
        strict: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if not isinstance(rounds, int) or isinstance(rounds, bool) or not 0 <= rounds <= MAX_ROUNDS:
            raise ConfigError(f"rounds must be a whole number from 0 to {MAX_ROUNDS}, got {rounds!r}")
        if isinstance(omission, bool) or omission not in OMISSIONS:
            raise ConfigError(f"omission must be 1, 2 or 3, got {omission!r}")
        if not isinstance(show_render, bool):
            raise ConfigError(f"show_render must be true or false, got {show_render!r}")
        if not isinstance(summarizer, str):
            raise ConfigError(f"summarizer must be a spec, got {summarizer!r}")
        if isinstance(judge, str) and judge.startswith("llm:"):
            raise ConfigError(f"judge {judge!r} cannot see pages; write vlm:{judge.removeprefix('llm:')}")
        source = _source(split, difficulty, targets)
        _find_browser()
        self._summarizer_spec, self._omission = summarizer, omission
        self._summarizer: Summarizer | None = resolve_summarizer(summarizer)
        self._calls: list[ModelCall] = []
        super().__init__(
            UI2HtmlTask(source, self._summarise),
            budget=max(1, rounds),
            forced_final=True,
            no_interaction=no_interaction or rounds == 0,
            retries=retries,
            strict=strict,
            judge=judge,
            case=case,
            render_mode=render_mode,
        )
        if not self.terms.interaction:
            self.terms = dataclasses.replace(self.terms, budget=0, forced_final=True)
        self._show_render = show_render
        self._verdict: Verdict | None = None

    def install(self, task: Any, probe: str, *, extra_rounds: int = 0) -> None:
        """Pages take no probe.

        Raises:
            ConfigError: always.
        """
        raise ConfigError(f"UI2Html cannot be played with the probe {probe!r}; leave it out")

    def drain_calls(self) -> list[ModelCall]:
        """The summarizer's model calls since the last drain."""
        calls, self._calls = self._calls, []
        return calls

    def resolve(self, verdict: Verdict | None = None) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Apply the submitted action.

        Raises:
            JudgeError: the verdict is missing, or lacks the scores that were asked for; the action stays pending.
        """
        request = None if self._pending is None else self._pending.request
        if request is not None and request.kind == "score" and verdict is not None:
            read_scores(verdict)
        self._verdict = verdict
        return super().resolve(verdict)

    def _begin(self, case: Case) -> Playing[Case, Building]:
        stage: Literal["rounds", "forced_final"] = "rounds" if self.terms.interaction else "forced_final"
        return Playing(case, self.task.start(case), self.terms.budget, self.terms.retries, stage)

    def _read(self, text: str) -> Pending:
        if len(text) > self.max_action:
            return self._unread(text, f"The message is longer than {self.max_action} characters.")
        state, task = self._playing, self._ui_task
        read = task.read(state.task_state, text, closing=state.stage == "forced_final")
        if isinstance(read, Unreadable):
            return self._unread(text, read.reason)
        if read.said.html is not None:
            try:
                drawing.drawn(read.said.html)
            except HtmlError as error:
                return self._unread(text, f"The page cannot be drawn: {_plain(error)}.")
        if read.kind == "query":
            return Pending("query", text, read.said, task.judge_query(state.task_state, read.said))
        return Pending("final", text, read.said, task.judge_answer(state.task_state, read.said))

    def _unread(self, text: str, why: str) -> Pending:
        """An unreadable message; the last one of an episode leaves the last page to be scored."""
        state = self._playing
        request: JudgeRequest | None = None
        last = state.stage == "forced_final" and not state.retries_left and not self.terms.strict
        if last and state.task_state.page is not None:
            request = self.task.judge_answer(state.task_state, Said(None))
        return Pending("invalid", text[: self.max_action], why, request)

    def _after_invalid(self, state: Playing[Case, Building], pending: Pending) -> tuple[Playing[Case, Building], str]:
        if pending.request is None:
            return super()._after_invalid(state, pending)
        words = f"Not read: {pending.key} Your last page stands."
        return self._scored(state, pending, Said(None), words)

    def _after_final(
        self, state: Playing[Case, Building], pending: Pending, verdict: Verdict | None
    ) -> tuple[Playing[Case, Building], str]:
        return self._scored(state, pending, pending.key, "Finished.")

    def _scored(
        self, state: Playing[Case, Building], pending: Pending, said: Said, words: str
    ) -> tuple[Playing[Case, Building], str]:
        built = self._ui_task.finished(state.task_state, said, self._verdict)
        told = ", ".join(f"{name} {value}" for name, value in _by_name(built).items())
        words = f"{words} Score: {built.total} of 100 ({told})."
        state = dataclasses.replace(self._heard(state, pending, words), task_state=built)
        return dataclasses.replace(state, stage="over", outcome=Outcome.SCORED), words

    def _summarise(self, target: Target) -> str:
        """Draw a user's target, to be sure that it can be, and have its request written.

        Raises:
            ConfigError: the target cannot be drawn.
            JudgeError: the summarizer's model failed.
        """
        if target.design is None:
            try:
                drawing.drawn_target(target.for_judge())
            except HtmlError as error:
                raise ConfigError(f"target {target.id!r} cannot be drawn: {_plain(error)}") from error
            except ConfigError as error:
                raise ConfigError(f"target {target.id!r}: {error}") from error
        if self._summarizer is None:
            self._summarizer = resolve_summarizer(self._summarizer_spec)
        written = self._summarizer(target, self._omission)
        self._calls += written.calls
        return written.text

    def __getstate__(self) -> dict[str, Any]:
        # A summarizer holds connections; the copy makes its own.
        return super().__getstate__() | {"_summarizer": None}

    @property
    def _ui_task(self) -> UI2HtmlTask:
        task = self.task
        if not isinstance(task, UI2HtmlTask):
            raise ConfigError(f"UI2Html cannot play {type(task).__name__}")
        return task

    def _reward(self) -> float:
        return self._playing.task_state.total / 100

    def _budget_line(self) -> str:
        state = self._playing
        if state.outcome is not None:
            return "The episode is over."
        if state.stage == "forced_final":
            return "No rounds left. Send the final page now, from <!DOCTYPE html> to </html>, without a question."
        return f"Rounds left: {state.rounds_left}."

    def _info(self, kind: Kind, valid: bool, reason: str | None) -> dict[str, Any]:
        info = super()._info(kind, valid, reason)
        state = self._playing.task_state
        if self._playing.outcome is not None:
            info |= {"scores": None if state.scores is None else _by_name(state), "score": state.total}
        heard = self._playing.exchanges
        if self._show_render and heard and isinstance(heard[-1].key, Said) and heard[-1].key.html is not None:
            info["parts"] = [{"type": "text", "text": self._message}, _image(heard[-1].key.html)]
        return info


def _source(split: str, difficulty: int | None, targets: str | None) -> Source:
    if split not in SPLITS:
        raise UnknownNameError("split", str(split), SPLITS)
    if difficulty is not None and (type(difficulty) is not int or difficulty not in DIFFICULTIES):
        raise ConfigError(f"difficulty must be a whole number from 1 to 5, or None, got {difficulty!r}")
    if targets is not None:
        if not isinstance(targets, str):
            raise ConfigError(f"targets must be a path as text, got {targets!r}")
        if split != "own" or difficulty is not None:
            raise ConfigError("targets of your own have no split and no difficulty; leave both out")
        return Given(targets)
    if split == "generated":
        return Generated(DIFFICULTIES if difficulty is None else (difficulty,))
    return Own(difficulty)


def _find_browser() -> None:
    """Fail where pages cannot be drawn, with the line that installs what is missing; starts nothing."""
    if importlib.util.find_spec("playwright") is None:
        raise MissingExtraError("rendering a page", "ui")
    browser.find_chromium()


def _plain(error: HtmlError) -> str:
    # Seconds and bytes differ between machines, and a replay compares the words; what was limited does not.
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


def _image(html: str) -> dict[str, Any]:
    encoded = base64.b64encode(drawing.drawn(html).png).decode()
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{encoded}"}}
