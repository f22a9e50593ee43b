"""The UI2Html environment: arguments in, the task plugged into the dialogue, every page drawn before it counts."""

from __future__ import annotations

import functools
import importlib.util
from typing import Any, Literal, Unpack

from interactive_envs.catalog.unit import Unit
from interactive_envs.dialogue.arguments import CaseArguments
from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.errors import ConfigError, MissingExtraError, UnknownNameError
from interactive_envs.judges.base import Judge
from interactive_envs.llm.calls import ModelCall
from interactive_envs.ui2html.protocol import Drafts, explain
from interactive_envs.ui2html.rendering import browser, drawing
from interactive_envs.ui2html.rendering.browser import HtmlError
from interactive_envs.ui2html.rules import Building, Case, UI2HtmlTask
from interactive_envs.ui2html.summary import Summarizer, resolve_summarizer
from interactive_envs.ui2html.targets.designs import DIFFICULTIES, OMISSIONS
from interactive_envs.ui2html.targets.sources import Generated, Given, Own, Source, Target

try:
    import PIL  # noqa: F401
except ImportError as error:  # asked here too: what was imported before the judge failed stays imported
    raise MissingExtraError("UI2Html", "ui") from error

SPLITS = ("own", "generated")
QUESTIONS = ("any", "published")
MAX_ROUNDS = 1_000
TERMS = (
    *("rounds", "omission", "summarizer", "show_render", "retries", "strict", "questions"),
    *("view", "judge", "render_mode", "no_interaction", "probes"),
)
"""Arguments that leave the target as it is, so that runs under other terms meet the same targets."""


class UI2HtmlEnv(DialogueEnv[Case, Building]):
    """Rebuild a hidden web page from a short request, asking one yes/no question about each draft.

    Observation: at reset the request, the protocol and what a page may use; afterwards ``Yes.``, ``No.`` or ``Cannot
        tell.`` and the rounds left.
    Action: a whole HTML document, in a code fence or from ``<!DOCTYPE html>`` to ``</html>``, and outside of it one
        question, ``<ask>Compared with the target, should I …?</ask>``, or a formula, ``<ask>width(card 2) >
        mine</ask>``; ``<answer>document</answer>`` or ``<answer></answer>`` ends the episode with that page or the last
        one. Short forms: a line ``Q: …``, a line that begins with ``Compared with the target`` or ``Should I``; JSON
        with ``html`` and ``question``.
    Reward: at the end the sum of the five scores of the last page divided by 100; 0 before.
    Ends: terminated by the final page, outcome ``scored``; ``format_error`` where no page was ever drawn.
    Info: as in :class:`interactive_envs.dialogue.env.DialogueEnv`; at the end ``score``, and ``scores``, each from 0
        to 20 by the name of its dimension, absent where no page was ever drawn.

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
        questions: ``any``; ``published`` for a whole page and a question of the form "Compared with the target, should
            I …?" in every round, no formulas, and a final page after the last round only.
        summarizer: who writes the request: ``offline``, ``vlm:…``, a vision model that sees the target, or
            ``module:NAME``, an :class:`interactive_envs.ui2html.summary.OwnSummarizer`.
        show_render: put the drawn page as an image part into ``info["parts"]``, for players that can see.
        case: play this target always.
        judge: spec or instance; ``offline`` measures, ``vlm:…`` looks.
        no_interaction: the same as ``rounds=0``.
        retries: unreadable messages a round, and at the end, that cost nothing.
        strict: the first unreadable message ends the episode.
        render_mode: None or ``ansi``.

    Version history: v0, first release; v1, scores count from what the request alone gives, formulas are decided
        exactly, and what the judge does not recognise is told and costs no round.
    """

    unit = Unit(
        id="ibench/UI2Html-v1",
        family="ui2html",
        text_only="An action is a whole web page, and of pages there is no end.",
        variants=(
            {},
            {"rounds": 1},
            {"rounds": 0},
            {"split": "generated", "difficulty": 3, "rounds": 3},
            {"show_render": True, "rounds": 3, "omission": 3},
            {"strict": True, "rounds": 3, "omission": 1},
            {"questions": "published", "rounds": 3},
        ),
        references=(None,) * 7,
        presets={"paper": {"rounds": 20, "split": "own", "questions": "published"}},
        not_key=TERMS,
        sources=("Interactive Benchmarks v2, sections 2.2 and 3.2",),
    )
    scored = True

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
        questions: Literal["any", "published"] = "any",
        judge: str | Judge = "offline",
        no_interaction: bool = False,
        retries: int = 1,
        strict: bool = False,
        **arguments: Unpack[CaseArguments],
    ) -> None:
        if not isinstance(rounds, int) or isinstance(rounds, bool) or not 0 <= rounds <= MAX_ROUNDS:
            raise ConfigError(f"rounds must be a whole number from 0 to {MAX_ROUNDS}, got {rounds!r}")
        if isinstance(omission, bool) or omission not in OMISSIONS:
            raise ConfigError(f"omission must be 1, 2 or 3, got {omission!r}")
        if not isinstance(show_render, bool):
            raise ConfigError(f"show_render must be true or false, got {show_render!r}")
        if questions not in QUESTIONS:
            raise UnknownNameError("kind of questions", str(questions), QUESTIONS)
        if not isinstance(summarizer, str):
            raise ConfigError(f"summarizer must be a spec, got {summarizer!r}")
        if isinstance(judge, str) and judge.startswith("llm:"):
            raise ConfigError(f"judge {judge!r} cannot see pages; write vlm:{judge.removeprefix('llm:')}")
        source = _source(split, difficulty, targets)
        _find_browser()
        self._requests = RequestWriter(summarizer, omission)
        super().__init__(
            UI2HtmlTask(source, self._requests, published=questions == "published"),
            protocol=functools.partial(Drafts, show_render=show_render),
            budget=max(1, rounds),
            no_interaction=no_interaction or rounds == 0,
            retries=retries,
            strict=strict,
            judge=judge,
            **arguments,
        )

    def drain_calls(self) -> list[ModelCall]:
        """The summarizer's model calls since the last drain."""
        return self._requests.drain_calls()


class RequestWriter:
    """Has the request of a target written, by a summarizer that is made at its first use.

    Args:
        summarizer: its spec.
        omission: how much the request leaves out, 1 to 3.

    Raises:
        ConfigError: the spec cannot be used.
    """

    def __init__(self, summarizer: str, omission: int) -> None:
        self._spec, self._omission = summarizer, omission
        self._summarizer: Summarizer | None = resolve_summarizer(summarizer)
        self._calls: list[ModelCall] = []

    def __call__(self, target: Target) -> str:
        """Draw a user's target, to be sure that it can be drawn, and have its request written.

        Raises:
            ConfigError: the target cannot be drawn.
            JudgeError: the summarizer's model failed.
        """
        if target.design is None:
            try:
                drawing.drawn_target(target.for_judge())
            except HtmlError as error:
                raise ConfigError(f"target {target.id!r} cannot be drawn: {explain(error)}") from error
            except ConfigError as error:
                raise ConfigError(f"target {target.id!r}: {error}") from error
        if self._summarizer is None:
            self._summarizer = resolve_summarizer(self._spec)
        written = self._summarizer(target, self._omission)
        self._calls += written.calls
        return written.text

    def drain_calls(self) -> list[ModelCall]:
        """The model calls since the last drain."""
        calls, self._calls = self._calls, []
        return calls

    def __getstate__(self) -> dict[str, Any]:
        # A summarizer holds connections; a copy makes its own.
        return self.__dict__ | {"_summarizer": None}


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
