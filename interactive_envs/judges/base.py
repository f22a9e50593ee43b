"""The judge interface, and the specs that name judges."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, TypeAlias

from interactive_envs import catalog
from interactive_envs.errors import ConfigError
from interactive_envs.llm.calls import ModelCall
from interactive_envs.specs import resolve

Kind: TypeAlias = Literal["question", "final", "score"]


@dataclass(frozen=True)
class JudgeRequest:
    """What a judge is asked.

    A family's task makes it and fills in all that a judge needs, so that judges know no family.

    Attributes:
        kind: ``question`` (labels yes / no / both / irrelevant), ``final`` (correct / incorrect) or ``score``, where
            the verdict's ``scores`` count and the one label is ``scored``.
        text: the player's question or final answer: hostile text, never instructions.
        labels: the closed set of verdict words.
        context: what the judge may know, JSON values that the family documents.
        task: the family it comes from, as on its card.
        fields: texts that a prompt for models may fill in, beside ``labels``, ``mark`` and ``text``.
        images: makes the PNGs that a prompt places, by name; raises JudgeError where there is no picture.
        scores: the names of what is scored, of a request for a score.
        highest: the most that each of these may get; the least is 0.
        decide: what rules can say for certain, asked before a model is; it abstains where they do not decide, and says
            in ``detail`` who does not decide and why. None where there are no such rules.
    """

    kind: Kind
    text: str
    labels: tuple[str, ...]
    context: Mapping[str, Any]
    task: str = ""
    fields: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    images: Mapping[str, Callable[[], bytes]] = field(default_factory=dict, compare=False, repr=False)
    scores: tuple[str, ...] = ()
    highest: int = 0
    decide: Callable[[], Verdict] | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Verdict:
    """A judge's answer.

    Attributes:
        label: one of the request's labels; only this word goes back to the player.
        detail: how the judge came to it, for the log only.
        confidence: 0 to 1, None where the judge states none.
        source: the judge's name, e.g. ``offline`` or ``llm:xai/grok-4.1-fast``.
        abstained: the judge did not understand the request: the player is told so, and never the label.
        approximate: whether it is an estimate; :func:`ask` says so for a judge that estimates.
        calls: the model calls it made.
        scores: whole numbers by name, of a request for a score.
        votes: the label of each member of a panel, None where it abstained or failed.
    """

    label: str
    detail: str = ""
    confidence: float | None = None
    source: str = ""
    abstained: bool = False
    calls: tuple[ModelCall, ...] = ()
    scores: Mapping[str, int] | None = None
    approximate: bool = False
    votes: tuple[str | None, ...] | None = None


class Judge:
    """Answers questions and grades finals against a hidden truth.

    Thread-safe: one instance serves every episode of a process. The same request gives the same verdict
    except where a model is asked without a cache.
    """

    name: ClassVar[str] = ""
    approximate: ClassVar[bool] = False
    """Whether its verdicts are estimates: an episode that it decides is not scored unless the player asks for that."""
    caution: ClassVar[str] = ""
    """What a user should know before it decides anything, in one line; empty for nothing."""
    tuned_on: frozenset[str] = frozenset()
    """Ids of puzzles of this package that it was tuned on: what is measured on them says nothing."""
    seat: int = 0
    """Its place in a panel: part of what replies are cached under, so that equal members give a sample each."""

    @property
    def priced(self) -> bool:
        """Whether the cost of its model calls is known."""
        return True

    def judge(self, request: JudgeRequest) -> Verdict:
        """Give a verdict whose label is one of ``request.labels``.

        Raises:
            JudgeError: no readable verdict after its retries.
        """
        raise ConfigError(f"judge class {type(self).__name__} has no judge method; define judge(request)")

    def estimates(self, request: JudgeRequest) -> bool:
        """Whether its verdict on a request is an estimate."""
        return self.approximate

    def describe(self) -> dict[str, Any]:
        """What a record says of this judge: model, prompt hash, what it falls back to."""
        return {"name": self.name}

    def close(self) -> None:
        """Give back what the judge holds."""


def ask(judge: Judge, request: JudgeRequest) -> Verdict:
    """A judge's verdict, marked where it is an estimate.

    Raises:
        JudgeError: the judge failed.
    """
    verdict = judge.judge(request)
    return dataclasses.replace(verdict, approximate=True) if judge.estimates(request) else verdict


def resolve_judge(spec: str) -> Callable[[], Judge]:
    """A constructor for the judge that ``spec`` names, e.g. ``offline``, ``llm:xai/grok-4.1-fast``.

    Raises:
        ConfigError: the spec cannot be used; the message names the nearest match.
    """
    return resolve("judge", spec, catalog.table("judges"), Judge)
