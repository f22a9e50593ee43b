"""Isomorphic context: the same game about schools, hospitals, railways, factories or courts."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from interactive_envs.dialogue.probe import Probe, Probed, ProbeTask, core_of
from interactive_envs.dialogue.task import PLAIN, DialogueTask, Retold, Terms, Vocabulary
from interactive_envs.dialogue.view import DialogueView
from interactive_envs.errors import ConfigError
from interactive_envs.parsing import Unreadable

_TAGGED = re.compile(r"(<(\w+)>)([^<>]*)(</\2>)")


class IsomorphicTask(ProbeTask):
    """The task in the words of a domain; a node may be called by its letter or by its name.

    Args:
        inner: the task inside.
        words: the domain's words.
    """

    recalls = True

    def __init__(self, inner: DialogueTask[Any, Any], words: Vocabulary) -> None:
        super().__init__(inner)
        self._words = words
        self._names = {
            letter: words[f"node {letter}"] for letter in string.ascii_uppercase if f"node {letter}" in words
        }
        self._letters = {name.lower(): letter for letter, name in self._names.items()}
        self.action_examples = tuple(map(self.outward, inner.action_examples))

    def outward(self, text: str) -> str:
        """A text with the tags' letters replaced by names."""
        return _TAGGED.sub(lambda tag: tag[1] + self._named(tag[3]) + tag[4], text)

    def inward(self, body: str) -> str:
        """The inside of a tag with names replaced by letters."""
        if not self._letters:
            return body
        longest_first = sorted(self._letters, key=len, reverse=True)
        names = "|".join(map(re.escape, longest_first))
        return re.sub(rf"(?<!\w)(?:{names})(?!\w)", lambda name: self._letters[name[0].lower()], body, flags=re.I)

    def rules(self, case: Any, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        """The scene, then the rules in the domain's words."""
        rules = self.inner.rules(case, terms, self._words)
        return f"{self._words['intro']}\n\n{rules}" if "intro" in self._words else rules

    def read_query(self, state: Probed, body: str, tag: str = "ask") -> Any | Unreadable:
        """As the task reads it, names taken for letters."""
        return self._explained(self.inner.read_query(state.inner, self.inward(body), tag), tag, body)

    def read_answer(self, state: Probed, body: str) -> Any | Unreadable:
        """As the task reads it, names taken for letters."""
        return self._explained(self.inner.read_answer(state.inner, self.inward(body)), self.answer_tag, body)

    def read_bare(self, state: Probed, text: str) -> tuple[Literal["query", "final"], Any] | None:
        """As the task reads it, names taken for letters."""
        return self.inner.read_bare(state.inner, self.inward(text))

    def why_unreadable(self, tag: str, body: str, vocabulary: Vocabulary = PLAIN) -> str | None:
        """The task's reason in the domain's words."""
        reason: str | None = super().why_unreadable(tag, body, self._words)
        return reason

    def distractors(self, case: Any, vocabulary: Vocabulary = PLAIN) -> Sequence[str]:
        """The task's distractors in the domain's words."""
        found: Sequence[str] = super().distractors(case, self._words)
        return found

    def render(self, fact: Any, vocabulary: Vocabulary = PLAIN) -> str:
        """The fact in the domain's words."""
        return self.inner.render(fact, self._words)

    def message(self, state: Probed, fact: Any, vocabulary: Vocabulary = PLAIN) -> str:
        """The fact in the domain's words; after the scene where the message opens a dialogue."""
        message = self.outward(self.inner.message(state.inner, fact, self._words))
        opens = "intro" in self._words and self.inner.begins_anew(state.inner)
        return f"{self._words['intro']}\n\n{message}" if opens else message

    def solution(self, case: Any) -> str:
        """The right answer with names."""
        return self._named(self.inner.solution(case))

    def queries(self, state: Probed) -> Sequence[str] | None:
        """The queries with names."""
        return self._outward_all(super().queries(state))

    def answers(self, state: Probed) -> Sequence[str] | None:
        """The answers with names."""
        return self._outward_all(super().answers(state))

    def decode(self, view: DialogueView, index: int) -> str:
        """The query or answer with names."""
        return self.outward(super().decode(view, index))

    def _explained(self, found: Any, tag: str, body: str) -> Any:
        """An unreadable action with its reason in the domain's words, where the reason is one of the task's words."""
        if isinstance(found, Unreadable) and found.reason == super().why_unreadable(tag, self.inward(body)):
            return type(found)(str(self.why_unreadable(tag, body)))
        return found

    def _named(self, text: str) -> str:
        return re.sub(r"(?<!\w)[A-Z](?!\w)", lambda letter: self._names.get(letter[0], letter[0]), text)

    def _outward_all(self, texts: Sequence[str] | None) -> Sequence[str] | None:
        return texts if texts is None or not self._names else [self.outward(text) for text in texts]


@dataclass(frozen=True)
class IsomorphicContext(Probe):
    """Tell the game in another domain: what is hidden, what may be asked and what is right stay the same.

    Source: the paper on executable games, section 3.3, isomorphic perturbation.

    Args:
        domain: ``education``, ``healthcare``, ``transportation``, ``manufacturing`` or ``law``.
    """

    name: ClassVar[str] = "isomorphic"
    place: ClassVar[int] = 5

    domain: str = ""

    def __post_init__(self) -> None:
        if not self.domain:
            raise ConfigError(f"probe {self.name!r} needs domain: {self.name}?domain=…")

    def decorate(self, inner: DialogueTask[Any, Any], terms: Terms) -> IsomorphicTask:
        """The task in the domain's words."""
        core = core_of(inner)
        if not isinstance(core, Retold):
            raise ConfigError(f"probe {self.name!r} needs a task with vocabulary(), and {type(core).__name__} has none")
        words = core.vocabulary(self.domain)
        if words is None:
            raise ConfigError(f"{type(core).__name__} has no vocabulary of {self.domain!r}")
        return IsomorphicTask(inner, words)
