"""The contract of a dialogue: rules as pure functions over a case and a state."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from interactive_envs.dialogue.view import DialogueView
from interactive_envs.errors import ConfigError
from interactive_envs.judges.base import JudgeRequest, Verdict
from interactive_envs.parsing import Unreadable, action_forms

Vocabulary: TypeAlias = Mapping[str, str]
"""Words that replace a task's own when it is set in another domain; empty means the task's own."""

PLAIN: Vocabulary = {}


@dataclass(frozen=True)
class Terms:
    """How a dialogue is played: the protocol's terms, which a task states in its rules.

    Attributes:
        budget: rounds in all.
        retries: unreadable messages per round that cost nothing.
        forced_final: after the last round ask for one more final answer, outside the budget (Interactive Benchmarks
            v1; v2 counts only the rounds). A wrong one is ``failure``.
        interaction: whether there are queries; without them there is one final answer, and no forced one.
        strict: the first unreadable message ends the episode with ``format_error``.
        finals: how many wrong final answers end the episode with ``failure``; None for as many as there are rounds.
        approximate: whether an episode is scored that a judge decided whose verdicts are estimates.
    """

    budget: int = 20
    retries: int = 0
    forced_final: bool = False
    interaction: bool = True
    strict: bool = False
    finals: int | None = None
    approximate: bool = False

    @classmethod
    def read(
        cls,
        budget: int,
        forced_final: bool,
        no_interaction: bool,
        retries: int,
        strict: bool,
        finals: int | None,
        approximate: bool,
    ) -> Terms:
        """The terms of an environment's arguments.

        Raises:
            ConfigError: one has a value that cannot work.
        """
        numbers = [("budget", budget, 1), ("retries", retries, 0), *([] if finals is None else [("finals", finals, 1)])]
        for name, value, least in numbers:
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise ConfigError(f"{name} must be a whole number of at least {least}, got {value!r}")
        switches = {
            "forced_final": forced_final,
            "no_interaction": no_interaction,
            "strict": strict,
            "approximate": approximate,
        }
        for name, switch in switches.items():
            if not isinstance(switch, bool):
                raise ConfigError(f"{name} must be true or false, got {switch!r}")
        return cls(budget, retries, forced_final, not no_interaction, strict, finals, approximate)

    def opening(self) -> str:
        """How many rounds there are, and what they are spent on."""
        if self.budget == 1:
            return "You have one round: a question or an answer uses it."
        return f"You have {self.budget} rounds. Each question uses one, and so does each answer."

    def closing(self, such_as: str = "no action, several actions, or an invalid format") -> str:
        """What happens at the end, and to messages that cannot be parsed.

        Args:
            such_as: examples of what cannot be parsed.
        """
        last = "After your last round you are asked for one final answer, which uses no round. "
        last = last if self.forced_final else ""
        if self.strict:
            return f"{last}A message that cannot be parsed ({such_as}) ends the game."
        cost = "costs a round" if self.interaction else "ends the game"
        final = "; sent instead of the final answer, it ends the game" if self.forced_final else ""
        if not self.retries:
            return f"{last}A message that cannot be parsed ({such_as}) {cost}{final}."
        per = " per round" if self.interaction else ""
        again = f"you may try again for free, {up_to(self.retries)}{per}"
        return f"{last}If a message cannot be parsed ({such_as}), {again}. After that, it {cost}{final}."


def up_to(count: int) -> str:
    """How often at most, in words: ``once``, ``up to twice``, ``up to 3 times``."""
    return {1: "once", 2: "up to twice"}.get(count, f"up to {count} times")


CaseT = TypeVar("CaseT")
StateT = TypeVar("StateT")


class DialogueTask(ABC, Generic[CaseT, StateT]):
    """A pure ask/answer task; :class:`interactive_envs.dialogue.env.DialogueEnv` runs it under a budget.

    A *case* is one instance (a puzzle with its order of candidates), a *state* what changes while it is
    played. All randomness comes through ``rng``.

    What not every task can do is in classes of its own: :class:`Menu`, :class:`Inferable`, :class:`Informed`,
    :class:`Falsifiable` and :class:`Retold`. A task derives from those it can; who needs one asks
    ``isinstance(task, Menu)``.
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
    concludes: bool = True
    """Whether questions come first and an answer follows from them, so that one player can ask and another answer."""
    sandboxed: bool = False
    """Whether code that is not trusted takes part, so that records say at which level of the sandbox it ran."""
    action_examples: tuple[str, ...] = ()
    """Texts that play well in any case."""
    grammar: Mapping[str, str] = {}
    """For small models: by tag the GBNF rule of a message that uses it, and under '' the rules that these share."""

    @property
    def action_forms(self) -> Mapping[str, str]:
        """By tag a message that uses it, with its parts as fields in braces; for models that call tools."""
        return action_forms((*self.query_tags, self.answer_tag), self.empty_tags)

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
        """The first message: what the case shows, which messages are allowed, what they cost."""

    @abstractmethod
    def start(self, case: CaseT) -> StateT:
        """The state before the first action."""

    @abstractmethod
    def case_of(self, state: StateT) -> CaseT:
        """The case a state belongs to."""

    def tags_at(self, state: StateT) -> tuple[str, ...]:
        """The tags that may be used in a state: all of them, unless the task asks for one thing after another."""
        return (*self.query_tags, self.answer_tag)

    def is_final(self, state: StateT, tag: str) -> bool:
        """Whether a tag gives the final answer in a state."""
        return tag == self.answer_tag

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

    def message(self, state: StateT, fact: Any, vocabulary: Vocabulary = PLAIN) -> str:
        """A fact as the words that go back in the state after it; differs from ``render`` where a probe adds some."""
        return self.render(fact, vocabulary)

    def begins_anew(self, state: StateT) -> bool:
        """Whether the message after a query, in the state after it, opens a dialogue in which nothing before counts."""
        return False

    @abstractmethod
    def check(self, state: StateT, answer: Any, verdict: Verdict | None = None) -> bool:
        """Whether a final answer is right."""

    def payoff(self, state: StateT) -> float | None:
        """What the episode pays, 0 to 1, in the state after its last answer; None where that is right or wrong."""
        return None

    def after_answer(self, state: StateT, answer: Any) -> StateT:
        """The state after a final answer, right or wrong."""
        return state

    @abstractmethod
    def show(self, state: StateT) -> Any:
        """What the player may know of the case: a frozen record for ``DialogueView.shown``."""

    @abstractmethod
    def solution(self, case: CaseT) -> str:
        """The right answer in words, which no player sees before the end."""

    def secrets(self, state: StateT) -> Sequence[str]:
        """Texts that must not occur in any observation or info before the end."""
        return ()

    def record(self, state: StateT) -> dict[str, Any] | None:
        """What a record says of the episode beyond its steps, JSON values; None for nothing."""
        return None


class Menu(ABC, Generic[StateT]):
    """What a task can do whose actions can be listed; those of a fixed size may have a numeric twin."""

    @abstractmethod
    def queries(self, state: StateT) -> Sequence[str] | None:
        """Every legal query as a text action, None where there is no finite list."""

    @abstractmethod
    def answers(self, state: StateT) -> Sequence[str] | None:
        """Every legal final answer as a text action, None where there is no finite list."""

    def n_actions(self, state: StateT) -> int | None:
        """How many queries and answers there are, None where there is no finite list."""
        queries, answers = self.queries(state), self.answers(state)
        return None if queries is None or answers is None else len(queries) + len(answers)

    @property
    def numeric_actions(self) -> int | tuple[int, ...] | None:
        """Size of the numeric twin's Discrete action space, sizes of a MultiDiscrete one, None where there is none."""
        return None

    @property
    def numeric_shape(self) -> tuple[int, ...] | None:
        """Shape of the numeric twin's observation: Box float32 in [0, 1]."""
        return None

    def encode(self, view: DialogueView) -> NDArray[np.float32]:
        """The complete View as an array of ``numeric_shape``."""
        raise ConfigError(f"{type(self).__name__} has no numeric view; leave out view='numeric'")

    def decode(self, view: DialogueView, index: Any) -> str:
        """The text action of a numeric one, an index or a row of them; '' for one that is masked out."""
        raise ConfigError(f"{type(self).__name__} has no numeric view; leave out view='numeric'")

    def mask(self, view: DialogueView) -> NDArray[np.int8]:
        """1 where an index may be played; of rows, 1 where a place may have a number, one place after the other."""
        count = self.numeric_actions
        if not isinstance(count, int):
            raise ConfigError(f"{type(self).__name__} has no numeric view; leave out view='numeric'")
        return np.fromiter((self.decode(view, index) != "" for index in range(count)), dtype=np.int8, count=count)


class Inferable(ABC, Generic[StateT]):
    """What a task can do that knows which hidden states have a View."""

    @abstractmethod
    def hypotheses(self, view: DialogueView) -> Sequence[Any] | None:
        """The answers still possible given the View, None where they cannot be listed."""

    @abstractmethod
    def resample(self, view: DialogueView, rng: np.random.Generator) -> StateT | None:
        """A state drawn from those that would look the same, None where the task cannot."""


class Informed(ABC, Generic[StateT]):
    """What a task can do that knows how sure of the right answer a perfect player would be."""

    @abstractmethod
    def bits(self, state: StateT, view: DialogueView) -> float | None:
        """Bits about the right answer that are missing from all replies so far, by the probabilities of the draw.

        With several things to find out, one after another, it is about the present one.

        Args:
            state: the state.
            view: its View.

        Returns:
            The entropy of the answers that are still possible; None where nobody can list them.
        """


class Falsifiable(ABC, Generic[StateT]):
    """What a task can do whose replies may be replaced by false ones, as probes of revision do."""

    @abstractmethod
    def wrong_fact(self, state: StateT, query: Any, rng: np.random.Generator) -> Any | None:
        """A well-formed fact that is not the true reply; None where there is none."""

    def mishear(self, state: StateT, fact: Any) -> StateT:
        """The state in which the last reply was another fact, so that the next false one fits it."""
        return state

    def undecided(self, state: StateT) -> bool:
        """Whether the replies so far leave more than one answer open, as far as the task can tell."""
        return True


class Revisable(ABC):
    """What a task can do that gives a false reply and corrects it by itself, for it knows when that must be done."""

    @abstractmethod
    def revised(self, turn: int, after: int) -> DialogueTask[Any, Any]:
        """The same task, in which one reply is false.

        Args:
            turn: the number of the query, from 1.
            after: how many queries later it is corrected, at the latest.

        Raises:
            ConfigError: it cannot be played so.
        """


class Retold(ABC, Generic[CaseT]):
    """What a task can do that can be set in the words of another domain, or follow another text."""

    @abstractmethod
    def vocabulary(self, domain: str) -> Vocabulary | None:
        """The words for a domain, None where the task has its own only.

        Besides the task's words: ``intro``, a sentence put before the rules, and names ``node A`` and so on.
        """

    def why_unreadable(self, tag: str, body: str, vocabulary: Vocabulary = PLAIN) -> str | None:
        """Why an action of this tag cannot be read, in the words of a domain; None for what reading it says."""
        return None

    def preface(self, case: CaseT) -> Sequence[Mapping[str, str]]:
        """Chat messages, ``{"role", "content"}`` each, that precede the rules."""
        return ()

    def distractors(self, case: CaseT, vocabulary: Vocabulary = PLAIN) -> Sequence[str]:
        """Sentences in the task's own words that say nothing about the case."""
        return ()
