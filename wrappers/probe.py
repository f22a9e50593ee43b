"""What probes are made of: a pure task around a pure task, and the wrapper that installs it in the dialogue."""

from __future__ import annotations

import importlib
import inspect
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal
from urllib.parse import quote

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from interactive_envs.dialogue.env import DialogueEnv
from interactive_envs.dialogue.task import PLAIN, DialogueTask, Terms, Vocabulary
from interactive_envs.dialogue.view import DialogueView
from interactive_envs.errors import ConfigError, UnknownNameError
from interactive_envs.judges.base import JudgeRequest, Verdict
from interactive_envs.parsing import Unreadable
from interactive_envs.specs import parse_spec
from interactive_envs.wrappers import PROBES

PROTOCOLS = ("necessity", "lies", "revision", "delay")
"""Probes that change what replies say or when they come: two of them at once would contradict each other."""


@dataclass(frozen=True)
class Probed:
    """A state with a probe around it.

    Attributes:
        inner: the state of the task inside.
        memory: what the probe remembers of the episode.
    """

    inner: Any
    memory: Any = None


class ProbeTask(DialogueTask[Any, Probed]):
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

    def remember(self, case: Any) -> Any:
        """What the probe remembers before the first action."""
        return None

    def recall(self, view: DialogueView) -> Any:
        """What it remembers at a View, where it ``recalls``."""
        return None

    def own_record(self, state: Probed) -> dict[str, Any]:
        """What it adds to the record of an episode."""
        return {}

    def written(self, state: Probed, query: Any) -> str:
        """A query as a player writes it."""
        listed = self.inner.queries(state.inner)
        if listed is not None and isinstance(query, int):
            return listed[query]
        return f"<{self.query_tags[0]}>{query}</{self.query_tags[0]}>"

    def case_ids(self) -> Sequence[str] | None:
        """The task's."""
        return self.inner.case_ids()

    def case(self, rng: np.random.Generator, case_id: str | None = None) -> Any:
        """The task's."""
        return self.inner.case(rng, case_id)

    def case_id(self, case: Any) -> str:
        """The task's."""
        return self.inner.case_id(case)

    def data_sha256(self) -> str | None:
        """The task's."""
        return self.inner.data_sha256()

    def rules(self, case: Any, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        """The task's."""
        return self.inner.rules(case, terms, vocabulary)

    def start(self, case: Any) -> Probed:
        """The task's, and what the probe remembers first."""
        return Probed(self.inner.start(case), self.remember(case))

    def case_of(self, state: Probed) -> Any:
        """The task's."""
        return self.inner.case_of(state.inner)

    def read_query(self, state: Probed, body: str, tag: str = "ask") -> Any | Unreadable:
        """As the task reads it."""
        return self.inner.read_query(state.inner, body, tag)

    def read_answer(self, state: Probed, body: str) -> Any | Unreadable:
        """As the task reads it."""
        return self.inner.read_answer(state.inner, body)

    def read_bare(self, state: Probed, text: str) -> tuple[Literal["query", "final"], Any] | None:
        """As the task reads it."""
        return self.inner.read_bare(state.inner, text)

    def why_unreadable(self, tag: str, body: str, vocabulary: Vocabulary = PLAIN) -> str | None:
        """The task's."""
        return self.inner.why_unreadable(tag, body, vocabulary)

    def judge_query(self, state: Probed, query: Any) -> JudgeRequest | None:
        """The task's."""
        return self.inner.judge_query(state.inner, query)

    def judge_answer(self, state: Probed, answer: Any) -> JudgeRequest | None:
        """The task's."""
        return self.inner.judge_answer(state.inner, answer)

    def reply(
        self, state: Probed, query: Any, rng: np.random.Generator, verdict: Verdict | None = None
    ) -> tuple[Any, Probed]:
        """The task's."""
        fact, inner = self.inner.reply(state.inner, query, rng, verdict)
        return fact, Probed(inner, state.memory)

    def render(self, fact: Any, vocabulary: Vocabulary = PLAIN) -> str:
        """The task's."""
        return self.inner.render(fact, vocabulary)

    def told(self, state: Probed, fact: Any, vocabulary: Vocabulary = PLAIN) -> str:
        """The task's."""
        return self.inner.told(state.inner, fact, vocabulary)

    def check(self, state: Probed, answer: Any, verdict: Verdict | None = None) -> bool:
        """As the task checks it."""
        return self.inner.check(state.inner, answer, verdict)

    def answered(self, state: Probed, answer: Any) -> Probed:
        """The task's."""
        return Probed(self.inner.answered(state.inner, answer), state.memory)

    def show(self, state: Probed) -> Any:
        """The task's."""
        return self.inner.show(state.inner)

    def solution(self, case: Any) -> str:
        """The task's."""
        return self.inner.solution(case)

    def secrets(self, state: Probed) -> Sequence[str]:
        """The task's."""
        return self.inner.secrets(state.inner)

    def n_actions(self, state: Probed) -> int | None:
        """The task's."""
        return self.inner.n_actions(state.inner)

    def queries(self, state: Probed) -> Sequence[str] | None:
        """The task's."""
        return self.inner.queries(state.inner)

    def answers(self, state: Probed) -> Sequence[str] | None:
        """The task's."""
        return self.inner.answers(state.inner)

    def wrong_fact(self, state: Probed, query: Any, rng: np.random.Generator) -> Any | None:
        """The task's."""
        return self.inner.wrong_fact(state.inner, query, rng)

    def misheard(self, state: Probed, fact: Any) -> Probed:
        """The task's."""
        return Probed(self.inner.misheard(state.inner, fact), state.memory)

    def undecided(self, state: Probed) -> bool:
        """The task's."""
        return self.inner.undecided(state.inner)

    def vocabulary(self, domain: str) -> Vocabulary | None:
        """The task's."""
        return self.inner.vocabulary(domain)

    def preface(self, case: Any) -> Sequence[Mapping[str, str]]:
        """The task's."""
        return self.inner.preface(case)

    def hypotheses(self, view: DialogueView) -> Sequence[Any] | None:
        """The task's."""
        return self.inner.hypotheses(view)

    def resample(self, view: DialogueView, rng: np.random.Generator) -> Probed | None:
        """The task's, where the View says what the probe remembers."""
        drawn = self.inner.resample(view, rng) if self.recalls else None
        return None if drawn is None else Probed(drawn, self.recall(view))

    def record(self, state: Probed) -> dict[str, Any] | None:
        """The task's and the probe's own."""
        return {**(self.inner.record(state.inner) or {}), **self.own_record(state)} or None

    @property
    def numeric_actions(self) -> int | None:
        """The task's."""
        return self.inner.numeric_actions

    @property
    def numeric_shape(self) -> tuple[int, ...] | None:
        """The task's."""
        return self.inner.numeric_shape

    def encode(self, view: DialogueView) -> NDArray[np.float32]:
        """The task's."""
        return self.inner.encode(view)

    def decode(self, view: DialogueView, index: int) -> str:
        """The task's."""
        return self.inner.decode(view, index)


class Probe(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs, ABC):
    """The public face of a probe: it installs the probe's task in the dialogue inside.

    The dialogue plays it from then on, also where somebody calls its ``submit`` and ``resolve``, not ``step``.

    Args:
        env: a dialogue environment.
        options: the probe's own.

    Raises:
        ConfigError: there is no dialogue inside, its task lacks what the probe needs, or another probe is in the way.
    """

    name: ClassVar[str]
    place: ClassVar[int]
    """Its place among the probes of an environment: lower ones lie further in."""
    needs_queries: ClassVar[bool] = False
    """Whether it has no meaning where no queries are allowed."""

    def __init__(self, env: gym.Env[Any, Any], **options: Any) -> None:
        gym.utils.RecordConstructorArgs.__init__(self, **options)
        gym.Wrapper.__init__(self, env)
        dialogue = env.unwrapped
        if not isinstance(dialogue, DialogueEnv):
            raise ConfigError(f"probe {self.name!r} needs a dialogue environment, not {type(dialogue).__name__}")
        if self.needs_queries and not dialogue.terms.interaction:
            raise ConfigError(f"probe {self.name!r} needs queries; leave out no_interaction")
        _check_order(self.name, [spec.partition("?")[0] for spec in dialogue.probes])
        task = self.make_task(dialogue.task, dialogue.terms, **options)
        extra = self.extra_rounds(dialogue.terms, **options)
        dialogue.install(task, _spec(type(self), options), extra_rounds=extra)

    @abstractmethod
    def make_task(self, inner: DialogueTask[Any, Any], terms: Terms, **options: Any) -> ProbeTask:
        """The probe's task around the one inside."""

    def extra_rounds(self, terms: Terms, **options: Any) -> int:
        """Rounds it adds to the budget."""
        return 0


def wrap(env: gym.Env[Any, Any], probes: str | Sequence[str]) -> gym.Env[Any, Any]:
    """Put probes around an environment.

    Args:
        env: the environment.
        probes: their specs, the innermost first, or a single one.

    Raises:
        UnknownNameError: there is no such probe, or it has no such option.
        ConfigError: a spec cannot be read or used.
    """
    specs = [probes] if isinstance(probes, str) else probes
    if not isinstance(specs, list | tuple) or not all(isinstance(spec, str) for spec in specs):
        raise ConfigError(f"probes must be a spec or a list of specs, got {probes!r}")
    for text in specs:
        spec = parse_spec(text)
        if spec.name not in PROBES:
            raise UnknownNameError("probe", spec.name, PROBES)
        if spec.target is not None:
            raise ConfigError(f"probe {text!r} has a target and takes none; write {spec.name}?option=value")
        cls = probe_class(spec.name)
        known = _options(cls)
        for option in spec.options:
            if option not in known:
                raise UnknownNameError(f"option of probe {spec.name!r}:", option, known)
        for option, parameter in known.items():
            if parameter.default is inspect.Parameter.empty and option not in spec.options:
                raise ConfigError(f"probe {spec.name!r} needs {option}: {spec.name}?{option}=…")
        env = cls(env, **spec.options)
    return env


def probe_class(name: str) -> type[Probe]:
    """The class behind a probe's name."""
    module, _, attribute = PROBES[name].partition(":")
    found: type[Probe] = getattr(importlib.import_module(module), attribute)
    return found


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number within bounds.

    Raises:
        ConfigError: it is none.
    """
    bound = f"of at least {least}" if most is None else f"from {least} to {most}"
    if type(value) is not int or value < least or (most is not None and value > most):
        raise ConfigError(f"{name} must be a whole number {bound}, got {value!r}")
    return value


def core_of(task: DialogueTask[Any, Any]) -> DialogueTask[Any, Any]:
    """The task inside all probes."""
    while isinstance(task, ProbeTask):
        task = task.inner
    return task


def need_hook(probe: str, task: DialogueTask[Any, Any], hook: str) -> None:
    """Refuse a task that does not define a hook of its own.

    Raises:
        ConfigError: it does not.
    """
    core = core_of(task)
    if getattr(type(core), hook) is getattr(DialogueTask, hook):
        raise ConfigError(f"probe {probe!r} needs a task with {hook}(), and {type(core).__name__} has none")


def _check_order(name: str, inside: Sequence[str]) -> None:
    order = list(PROBES)
    if name in inside:
        raise ConfigError(f"probe {name!r} is already there; each can be put on once")
    if name in PROTOCOLS:
        other = next((found for found in inside if found in PROTOCOLS), None)
        if other:
            raise ConfigError(f"probes {other!r} and {name!r} exclude each other; put on one of {_listed(PROTOCOLS)}")
    if any(order.index(found) > order.index(name) for found in inside):
        right = sorted([*inside, name], key=order.index)
        raise ConfigError(f"wrong order of probes; from the inside out it is {_listed(right)}")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names)


def _options(cls: type[Probe]) -> dict[str, inspect.Parameter]:
    parameters = dict(inspect.signature(cls).parameters)
    parameters.pop("env")
    return parameters


def _spec(cls: type[Probe], options: Mapping[str, Any]) -> str:
    """The shortest spec that makes the same probe."""
    defaults = {name: parameter.default for name, parameter in _options(cls).items()}
    pairs = [f"{name}={_text(value)}" for name, value in options.items() if value != defaults[name]]
    return f"{cls.name}?{'&'.join(pairs)}" if pairs else cls.name


def _text(value: Any) -> str:
    return quote(value if isinstance(value, str) else json.dumps(value), safe="/:")
