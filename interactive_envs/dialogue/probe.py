"""What probes are made of: a pure task around a pure task, and the public face that decorates one with the other."""

from __future__ import annotations

import dataclasses
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar
from urllib.parse import quote

import numpy as np

from interactive_envs import catalog
from interactive_envs.dialogue.task import DialogueTask, Falsifiable, Inferable, Menu, Retold, Terms
from interactive_envs.dialogue.view import DialogueView
from interactive_envs.errors import ConfigError
from interactive_envs.specs import resolve

TaskT = TypeVar("TaskT")


@dataclass(frozen=True)
class Probed:
    """A state with a probe around it.

    Attributes:
        inner: the state of the task inside.
        memory: what the probe remembers of the episode.
    """

    inner: Any
    memory: Any = None


def _forward(name: str, otherwise: Any = None) -> Any:
    """A method that calls the one of this name of the task inside, with its own state.

    Args:
        name: of the method.
        otherwise: what it returns where the task inside has no such method.
    """

    def call(task: ProbeTask, *given: Any, **options: Any) -> Any:
        method = getattr(task.inner, name, None)
        if method is None:
            return otherwise
        return method(*(value.inner if isinstance(value, Probed) else value for value in given), **options)

    call.__name__, call.__doc__ = name, f"As the task inside: :meth:`{name}`."
    return call


class ProbeTask(DialogueTask[Any, Probed], Menu[Probed], Inferable[Probed], Retold[Any]):
    """The task inside, unchanged: probes override what they change.

    Args:
        inner: the task inside.
    """

    recalls: ClassVar[bool] = False
    """Whether a View says all that the probe remembers, so that search can go on from one."""

    def __init__(self, inner: DialogueTask[Any, Any]) -> None:
        self.inner = inner
        self.query_tags, self.answer_tag, self.empty_tags = inner.query_tags, inner.answer_tag, inner.empty_tags
        self.short_forms, self.action_examples = inner.short_forms, inner.action_examples
        self.judged, self.single_final, self.sandboxed = inner.judged, inner.single_final, inner.sandboxed
        self.concludes = inner.concludes

    @property
    def action_forms(self) -> Mapping[str, str]:
        """As the task inside."""
        return self.inner.action_forms

    def remember(self, case: Any) -> Any:
        """What the probe remembers before the first action."""
        return None

    def recall(self, view: DialogueView) -> Any:
        """What it remembers at a View, where it ``recalls``."""
        return None

    def own_record(self, state: Probed) -> dict[str, Any]:
        """What it adds to the record of an episode."""
        return {}

    def write_query(self, state: Probed, query: Any) -> str:
        """A query as a player writes it."""
        listed = self.inner.queries(state.inner) if isinstance(self.inner, Menu) else None
        if listed is not None and isinstance(query, int):
            return str(listed[query])
        return f"<{self.query_tags[0]}>{query}</{self.query_tags[0]}>"

    case_ids = _forward("case_ids")
    case = _forward("case")
    case_id = _forward("case_id")
    data_sha256 = _forward("data_sha256")
    rules = _forward("rules")
    case_of = _forward("case_of")
    read_query = _forward("read_query")
    read_answer = _forward("read_answer")
    read_bare = _forward("read_bare")
    judge_query = _forward("judge_query")
    judge_answer = _forward("judge_answer")
    render = _forward("render")
    message = _forward("message")
    begins_anew = _forward("begins_anew")
    tags_at = _forward("tags_at")
    is_final = _forward("is_final")
    payoff = _forward("payoff")
    check = _forward("check")
    show = _forward("show")
    solution = _forward("solution")
    secrets = _forward("secrets")
    queries = _forward("queries")
    answers = _forward("answers")
    n_actions = _forward("n_actions")
    encode = _forward("encode")
    decode = _forward("decode")
    mask = _forward("mask")
    hypotheses = _forward("hypotheses")
    vocabulary = _forward("vocabulary")
    why_unreadable = _forward("why_unreadable")
    preface = _forward("preface", ())
    distractors = _forward("distractors", ())

    @property
    def numeric_actions(self) -> Any:
        """As the task inside."""
        return getattr(self.inner, "numeric_actions", None)

    @property
    def numeric_shape(self) -> Any:
        """As the task inside."""
        return getattr(self.inner, "numeric_shape", None)

    def start(self, case: Any) -> Probed:
        """The state of the task inside, and what the probe remembers first."""
        return Probed(self.inner.start(case), self.remember(case))

    def reply(self, state: Probed, query: Any, rng: np.random.Generator, verdict: Any = None) -> tuple[Any, Probed]:
        """As the task inside, nothing new remembered."""
        fact, inner = self.inner.reply(state.inner, query, rng, verdict)
        return fact, Probed(inner, state.memory)

    def after_answer(self, state: Probed, answer: Any) -> Probed:
        """As the task inside, nothing new remembered."""
        return Probed(self.inner.after_answer(state.inner, answer), state.memory)

    def resample(self, view: DialogueView, rng: np.random.Generator) -> Probed | None:
        """As the task inside, where the View says what the probe remembers."""
        drawn = self.inner.resample(view, rng) if self.recalls and isinstance(self.inner, Inferable) else None
        return None if drawn is None else Probed(drawn, self.recall(view))

    def record(self, state: Probed) -> dict[str, Any] | None:
        """As the task inside, and the probe's own."""
        return {**(self.inner.record(state.inner) or {}), **self.own_record(state)} or None


class Probe(ABC):
    """The public face of a probe: it puts its task around another before there is an environment.

    Subclasses are frozen dataclasses, whose fields are the options of the spec ``name?option=value``.
    """

    name: ClassVar[str]
    place: ClassVar[int]
    """Its place among the probes of an environment: lower ones lie further in."""
    changes_replies: ClassVar[bool] = False
    """Whether it changes what replies say or when they come: two that do would contradict each other."""
    needs_queries: ClassVar[bool] = False
    """Whether it has no meaning where no queries are allowed."""
    built_in: ClassVar[type | None] = None
    """What tasks are that can do it themselves; it fits them also where no task is put around another."""

    @abstractmethod
    def decorate(self, inner: DialogueTask[Any, Any], terms: Terms) -> DialogueTask[Any, Any]:
        """The probe's task around the one inside, or the task that does it itself.

        Raises:
            ConfigError: the task lacks what the probe needs.
        """

    def extra_rounds(self, terms: Terms) -> int:
        """Rounds it adds to the budget."""
        return 0

    @property
    def spec(self) -> str:
        """The shortest spec that makes the same probe."""
        fields: Sequence[dataclasses.Field[Any]] = dataclasses.fields(self)  # type: ignore[arg-type]
        given = {field.name: getattr(self, field.name) for field in fields}
        pairs = [f"{one.name}={_text(given[one.name])}" for one in fields if given[one.name] != one.default]
        return f"{self.name}?{'&'.join(pairs)}" if pairs else self.name


def read_probes(probes: str | Probe | Sequence[str | Probe]) -> tuple[Probe, ...]:
    """Probes of their specs.

    Args:
        probes: specs or probes, the innermost first, or a single one.

    Raises:
        UnknownNameError: there is no such probe, or it has no such option.
        ConfigError: a spec cannot be read or used.
    """
    given = [probes] if isinstance(probes, str | Probe) else probes
    if not isinstance(given, list | tuple) or not all(isinstance(one, str | Probe) for one in given):
        raise ConfigError(f"probes must be a spec or a list of specs, got {probes!r}")
    base: type[Any] = Probe
    return tuple(
        one if isinstance(one, Probe) else resolve("probe", one, catalog.table("probes"), base)() for one in given
    )


def decorate(task: TaskT, terms: Terms, probes: Sequence[Probe]) -> tuple[TaskT, Terms]:
    """A task with probes around it, and the terms with the rounds they add.

    Raises:
        ConfigError: two probes do not go together, or one cannot be put around this task.
    """
    decorated: Any = task
    for number, probe in enumerate(probes):
        if probe.needs_queries and not terms.interaction:
            raise ConfigError(f"probe {probe.name!r} needs queries; leave out no_interaction")
        _check_order(probe, probes[:number])
        decorated, extra = probe.decorate(decorated, terms), probe.extra_rounds(terms)
        if terms.interaction:
            terms = dataclasses.replace(terms, budget=terms.budget + extra)
    return decorated, terms


def core_of(task: DialogueTask[Any, Any]) -> DialogueTask[Any, Any]:
    """The task inside all probes."""
    while isinstance(task, ProbeTask):
        task = task.inner
    return task


def falsifiable(probe: str, task: DialogueTask[Any, Any]) -> Falsifiable[Any]:
    """A task as one whose replies may be false.

    Raises:
        ConfigError: it is none.
    """
    if not isinstance(task, Falsifiable):
        raise ConfigError(f"probe {probe!r} needs a task with wrong_fact(), and {type(task).__name__} has none")
    return task


def whole(name: str, value: Any, least: int, most: int | None = None) -> None:
    """Refuse what is no whole number within bounds.

    Raises:
        ConfigError: it is none.
    """
    bound = f"of at least {least}" if most is None else f"from {least} to {most}"
    if type(value) is not int or value < least or (most is not None and value > most):
        raise ConfigError(f"{name} must be a whole number {bound}, got {value!r}")


def _check_order(probe: Probe, inside: Sequence[Probe]) -> None:
    if any(other.name == probe.name for other in inside):
        raise ConfigError(f"probe {probe.name!r} is already there; each can be put on once")
    rival = next((other for other in inside if other.changes_replies and probe.changes_replies), None)
    if rival:
        raise ConfigError(f"probes {rival.name!r} and {probe.name!r} exclude each other; put on one of them")
    if any(other.place > probe.place for other in inside):
        right = sorted([*inside, probe], key=lambda one: one.place)
        raise ConfigError(f"wrong order of probes; from the inside out it is {', '.join(one.name for one in right)}")


def _text(value: Any) -> str:
    return quote(value if isinstance(value, str) else json.dumps(value), safe="/:")
