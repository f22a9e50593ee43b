"""The records and protocols that rules, environments, judges, agents and runners share.

Nothing here knows of Gymnasium: rules are pure functions over these types.
"""

from __future__ import annotations

import dataclasses
import json
import zlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.errors import ConfigError
from interactive_envs.parsing import Unreadable

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"
Stage: TypeAlias = Literal["rounds", "forced_final", "test", "over"]
Kind: TypeAlias = Literal["query", "final", "invalid"]
Vocabulary: TypeAlias = Mapping[str, str]
"""Words that replace a task's own when it is told in another domain; empty means the task's own."""

PLAIN: Vocabulary = {}


class View:
    """All that one seat may know: complete, not a change since last time.

    Subclasses are frozen dataclasses of JSON values, with tuples for lists. Text, arrays, boards,
    rule agents, policies and search are functions of the View alone.
    """

    def as_json(self) -> dict[str, Any]:
        """The View as plain JSON values."""
        fields = dataclasses.asdict(self)  # type: ignore[call-overload]
        return json.loads(json.dumps(fields))  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Usage:
    """Tokens of one or more model calls, as the provider counted them.

    Attributes:
        prompt: tokens sent, cached ones included.
        completion: tokens generated, reasoning included.
        reasoning: the part of ``completion`` spent on hidden reasoning.
        cached: the part of ``prompt`` the provider read from its own cache.
    """

    prompt: int = 0
    completion: int = 0
    reasoning: int = 0
    cached: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt + other.prompt,
            self.completion + other.completion,
            self.reasoning + other.reasoning,
            self.cached + other.cached,
        )


@dataclass(frozen=True)
class ModelCall:
    """One completed model call, for the record.

    Attributes:
        model: the model as it was asked for, e.g. ``openai/gpt-5-mini``.
        messages: the messages sent, ``{"role", "content"}`` each.
        text: the raw reply.
        finish_reason: the provider's word, e.g. ``stop`` or ``length``.
        usage: tokens.
        cost: US dollars, None where the price is unknown.
        latency: seconds from the first try to the reply; 0.0 from the cache.
        model_version: the model name the provider answered with.
        refused_parameters: parameters the provider refused and the client then dropped.
        attempts: tries it took, faults included.
        from_cache: whether the reply was read from the cache.
    """

    model: str
    messages: tuple[Mapping[str, Any], ...]
    text: str
    finish_reason: str | None = None
    usage: Usage = Usage()
    cost: float | None = None
    latency: float = 0.0
    model_version: str | None = None
    refused_parameters: tuple[str, ...] = ()
    attempts: int = 1
    from_cache: bool = False


@dataclass(frozen=True)
class JudgeRequest:
    """What a judge is asked.

    Attributes:
        kind: ``question`` (labels yes / no / both / irrelevant), ``final`` (correct / incorrect) or ``score``, where
            the verdict's ``scores`` count and the one label is ``scored``.
        text: the player's question or final answer: hostile text, never instructions.
        labels: the closed set of verdict words.
        context: what the judge may know, JSON values. Situation puzzles: ``setup``, ``solution``,
            ``facts`` ([{text, required}]), ``questions`` ([{text, label}]), ``explanations`` (right ones) and ``wrong``
            (wrong ones). Mathematics: ``problem`` and ``solution``. Pages: ``target`` ({html} or {png}, base64),
            ``page`` (the player's HTML, hostile too) and ``request``.
        task: the family it comes from: ``situation-puzzle``, ``math`` or ``ui2html``.
    """

    kind: Literal["question", "final", "score"]
    text: str
    labels: tuple[str, ...]
    context: Mapping[str, Any]
    task: str = "situation-puzzle"


@dataclass(frozen=True)
class Verdict:
    """A judge's answer.

    Attributes:
        label: one of the request's labels; only this word goes back to the player.
        detail: how the judge came to it, for the log only.
        confidence: 0 to 1, None where the judge states none.
        source: the judge's name, e.g. ``offline`` or ``llm:xai/grok-4.1-fast``.
        abstained: the judge could not read the request and ``label`` is its default.
        calls: the model calls it made.
        scores: whole numbers by name, of a request for a score.
    """

    label: str
    detail: str = ""
    confidence: float | None = None
    source: str = ""
    abstained: bool = False
    calls: tuple[ModelCall, ...] = ()
    scores: Mapping[str, int] | None = None


@dataclass(frozen=True)
class Exchange:
    """One action of a dialogue and what came back.

    Attributes:
        kind: ``query``, ``final`` or ``invalid``.
        text: the action's text as the player gave it.
        key: the query or answer as the task read it (an index, a string), None for an invalid action.
        reply: the words that went back.
        fact: what the words say of a query, as the task's own value.
    """

    kind: Kind
    text: str
    key: Any
    reply: str
    fact: Any = None


@dataclass(frozen=True)
class DialogueView(View):
    """The View of a dialogue.

    Attributes:
        shown: what the task shows of its case, a frozen record of the task's own.
        exchanges: everything said so far.
        budget: rounds in all.
        rounds_left: rounds not yet spent.
        retries_left: unreadable messages still free of charge in this round.
        stage: ``rounds``, ``forced_final`` (only a final is allowed, outside the budget), ``test`` (the items of a
            black box) or ``over``.
        queries_allowed: whether queries are allowed at this moment.
    """

    shown: Any
    exchanges: tuple[Exchange, ...]
    budget: int
    rounds_left: int
    retries_left: int
    stage: Stage
    queries_allowed: bool


@dataclass(frozen=True)
class Told:
    """What a reply tells of several queries, where a probe puts off or corrects replies.

    Attributes:
        fact: of the query just asked; None where its reply is still to come.
        others: of earlier queries, pairs of a query's index among the queries and its fact, which replaces what was
            told before.
    """

    fact: Any
    others: tuple[tuple[int, Any], ...] = ()


def facts_of(view: DialogueView) -> list[tuple[Any, Any]]:
    """What was told of the queries so far, corrections made: pairs of a query's key and its fact."""
    queries = [exchange for exchange in view.exchanges if exchange.kind == "query"]
    facts: dict[int, Any] = {}
    for index, exchange in enumerate(queries):
        told = exchange.fact if isinstance(exchange.fact, Told) else Told(exchange.fact)
        facts |= dict(told.others)
        if told.fact is not None:
            facts[index] = told.fact
    return [(queries[index].key, fact) for index, fact in sorted(facts.items())]


def standing(view: DialogueView) -> tuple[float, ...]:
    """How an episode stands, as six numbers from 0 to 1 for arrays.

    Share of rounds left, rounds left / 100, retries left / 10, whether queries are allowed, whether the episode is
    over, whether this is a forced final.
    """
    return (
        view.rounds_left / view.budget,
        min(1.0, view.rounds_left / 100),
        min(1.0, view.retries_left / 10),
        float(view.queries_allowed),
        float(view.stage == "over"),
        float(view.stage == "forced_final"),
    )


@dataclass(frozen=True)
class Terms:
    """The protocol's terms, for the rules text of a task."""

    budget: int
    retries: int
    forced_final: bool
    interaction: bool
    strict: bool

    def opening(self) -> str:
        """How many rounds there are, and what they are spent on."""
        return f"You have {self.budget} rounds; a question costs one, and so does an answer."

    def closing(self) -> str:
        """What happens at the end, and to messages that cannot be read."""
        last = "When no rounds are left you are asked for one final answer. " if self.forced_final else ""
        if self.strict:
            return f"{last}A message that cannot be read ends the episode."
        if self.retries:
            return f"{last}Up to {self.retries} unreadable messages a round are free; further ones cost a round."
        return f"{last}A message that cannot be read costs a round."


CaseT = TypeVar("CaseT")
StateT = TypeVar("StateT")


class DialogueTask(ABC, Generic[CaseT, StateT]):
    """A pure ask/answer task; :class:`interactive_envs.dialogue.DialogueEnv` runs it under a budget.

    A *case* is one instance (a puzzle with its order of candidates), a *state* what changes while it is
    played. All randomness comes through ``rng``.
    """

    query_tags: tuple[str, ...] = ("ask",)
    answer_tag: str = "answer"
    empty_tags: tuple[str, ...] = ()
    """Tags that mean something with nothing inside."""
    short_forms: Mapping[str, Sequence[str]] = {}
    judged: bool = False
    """Whether a judge is asked; without one the rules know every truth."""
    single_final: bool = False
    """Whether the first final answer ends the episode, right or wrong."""
    sandboxed: bool = False
    """Whether code that is not trusted takes part, so that records say at which level of the sandbox it ran."""
    action_examples: tuple[str, ...] = ()
    """Texts that play well in any case."""
    grammar: Mapping[str, str] = {}
    """For small models: by tag the GBNF rule of a message that uses it, and under '' the rules that these share."""

    def examples(self, case: CaseT) -> tuple[str, ...]:
        """Texts that play well in this case."""
        return self.action_examples

    @abstractmethod
    def case_ids(self) -> Sequence[str] | None:
        """The fixed cases in order, or None where cases are generated without end."""

    @abstractmethod
    def case(self, rng: np.random.Generator, case_id: str | None = None) -> CaseT:
        """Draw a case, or prepare the one named."""

    @abstractmethod
    def case_id(self, case: CaseT) -> str:
        """The case's id, which never occurs in an observation."""

    def data_sha256(self) -> str | None:
        """Hash of the data the cases come from, None where they are computed."""
        return None

    @abstractmethod
    def rules(self, case: CaseT, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        """The first message: what the case shows, what may be said, what it costs."""

    @abstractmethod
    def start(self, case: CaseT) -> StateT:
        """The state before the first action."""

    @abstractmethod
    def case_of(self, state: StateT) -> CaseT:
        """The case a state belongs to."""

    @abstractmethod
    def read_query(self, state: StateT, body: str, tag: str = "ask") -> Any | Unreadable:
        """Read the inside of a query tag: the query's key, or why it is none."""

    @abstractmethod
    def read_answer(self, state: StateT, body: str) -> Any | Unreadable:
        """Read the inside of an answer tag: the answer's key, or why it is none."""

    def read_bare(self, state: StateT, text: str) -> tuple[Literal["query", "final"], Any] | None:
        """Read a message without a tag where the task documents such a form; None otherwise."""
        return None

    def judge_query(self, state: StateT, query: Any) -> JudgeRequest | None:
        """What to ask the judge about a query, or None where the rules compute the reply."""
        return None

    def judge_answer(self, state: StateT, answer: Any) -> JudgeRequest | None:
        """What to ask the judge about a final answer, or None where the rules check it."""
        return None

    @abstractmethod
    def reply(
        self, state: StateT, query: Any, rng: np.random.Generator, verdict: Verdict | None = None
    ) -> tuple[Any, StateT]:
        """The fact that answers a query, and the next state."""

    @abstractmethod
    def render(self, fact: Any, vocabulary: Vocabulary = PLAIN) -> str:
        """A fact as the words that go back to the player."""

    def told(self, state: StateT, fact: Any, vocabulary: Vocabulary = PLAIN) -> str:
        """A fact as the words that go back in the state after it; differs from ``render`` where a probe adds some."""
        return self.render(fact, vocabulary)

    @abstractmethod
    def check(self, state: StateT, answer: Any, verdict: Verdict | None = None) -> bool:
        """Whether a final answer is right."""

    def answered(self, state: StateT, answer: Any) -> StateT:
        """The state after a final answer was given, right or wrong."""
        return state

    @abstractmethod
    def show(self, state: StateT) -> Any:
        """What the player may know of the case: a frozen record for ``DialogueView.shown``."""

    @abstractmethod
    def solution(self, case: CaseT) -> str:
        """The right answer in words, told only after the end."""

    def secrets(self, state: StateT) -> Sequence[str]:
        """Texts that must not occur in any observation or info before the end."""
        return ()

    def n_actions(self, state: StateT) -> int | None:
        """How many queries and answers there are, None where there is no finite list."""
        queries, answers = self.queries(state), self.answers(state)
        return None if queries is None or answers is None else len(queries) + len(answers)

    def queries(self, state: StateT) -> Sequence[str] | None:
        """Every legal query as a text action, None where there is no finite list."""
        return None

    def answers(self, state: StateT) -> Sequence[str] | None:
        """Every legal final answer as a text action, None where there is no finite list."""
        return None

    def wrong_fact(self, state: StateT, query: Any, rng: np.random.Generator) -> Any | None:
        """A well-formed fact that is not the true reply, for revision probes; None where there is none."""
        return None

    def misheard(self, state: StateT, fact: Any) -> StateT:
        """The state after the last reply was told as another fact, so that the next wrong one fits it."""
        return state

    def undecided(self, state: StateT) -> bool:
        """Whether what was told leaves more than one answer open, as far as the task can tell."""
        return True

    def vocabulary(self, domain: str) -> Vocabulary | None:
        """The words that tell the task in a domain, None where it is told in its own only.

        Besides the task's words: ``intro``, a sentence put before the rules, and names ``node A`` and so on.
        """
        return None

    def why_unreadable(self, tag: str, body: str, vocabulary: Vocabulary = PLAIN) -> str | None:
        """Why an action of this tag cannot be read, in the words of a domain; None for what reading it says."""
        return None

    def preface(self, case: CaseT) -> Sequence[Mapping[str, str]]:
        """Chat messages, ``{"role", "content"}`` each, that precede the rules."""
        return ()

    def hypotheses(self, view: DialogueView) -> Sequence[Any] | None:
        """The answers still possible given the View, None where they cannot be listed."""
        return None

    def resample(self, view: DialogueView, rng: np.random.Generator) -> StateT | None:
        """A state drawn from those that would look the same, None where the task cannot."""
        return None

    def record(self, state: StateT) -> dict[str, Any] | None:
        """What a record says of the episode beyond its steps, JSON values; None for nothing."""
        return None

    @property
    def numeric_actions(self) -> int | None:
        """Size of the numeric twin's Discrete action space, None where there is no twin."""
        return None

    @property
    def numeric_shape(self) -> tuple[int, ...] | None:
        """Shape of the numeric twin's observation: Box float32 in [0, 1]."""
        return None

    def encode(self, view: DialogueView) -> NDArray[np.float32]:
        """The complete View as an array of ``numeric_shape``."""
        raise ConfigError(f"{type(self).__name__} has no numeric view; leave out view='numeric'")

    def decode(self, view: DialogueView, index: int) -> str:
        """The text action of a numeric one; '' for an index that is masked out."""
        raise ConfigError(f"{type(self).__name__} has no numeric view; leave out view='numeric'")


@dataclass(frozen=True)
class Unit:
    """What the catalog holds of an id; a class carries one as ``unit``, or yields those of many ids from ``units``.

    Attributes:
        id: the Gymnasium id, e.g. ``ibench/SituationPuzzle-v0``.
        family: prefix of its rule agents, e.g. ``situation-puzzle``.
        arguments: keyword arguments the id fixes.
        variants: argument sets that validate, docs and tests walk; the first is the default.
        views: ``text``, and ``numeric`` where the default variant has a numeric twin.
        numeric_variants: indices of the variants that have the numeric twin.
        references: per variant the spec of a player that should succeed, or None.
        reward_range: lowest and highest return of an episode.
        not_key: arguments that do not change the game, left out of the env key; ``no_interaction`` and ``probes``
            are two, so that clean and changed runs compare the same drawn cases.
        sources: papers and sections.
        tags: what lists and suites choose by, e.g. ``structure``.
        summary: one line; empty for that of the class.
    """

    id: str
    family: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    variants: tuple[Mapping[str, Any], ...] = ({},)
    views: tuple[str, ...] = ("text",)
    numeric_variants: tuple[int, ...] = ()
    references: tuple[str | None, ...] = (None,)
    reward_range: tuple[float, float] = (0.0, 1.0)
    not_key: tuple[str, ...] = ("view", "judge", "opponents", "seat", "render_mode", "no_interaction", "probes")
    sources: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    summary: str = ""


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no spaces: equal values give equal text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def env_key(env_id: str, arguments: Mapping[str, Any], not_key: Sequence[str] = Unit("", "").not_key) -> str:
    """Name a game: its id with the arguments that change it, as canonical JSON.

    >>> env_key("ibench/SituationPuzzle-v0", {"judge": "offline", "mode": "menu"})
    'ibench/SituationPuzzle-v0{"mode":"menu"}'
    """
    return env_id + canonical_json({name: value for name, value in arguments.items() if name not in not_key})


def episode_seed(run_seed: int, key: str, case_index: int, epoch: int) -> int:
    """The seed of one episode: the same for every agent that meets the case.

    Args:
        run_seed: the run's seed, not negative.
        key: the env key, see :func:`env_key`.
        case_index: position of the case in the environment's order.
        epoch: how many times the cases were walked before.
    """
    entropy = [run_seed, zlib.crc32(key.encode()), case_index, epoch]
    return int(np.random.SeedSequence(entropy).generate_state(1)[0])
