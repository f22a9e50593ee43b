"""One text while it is read: its tokens, the rules that read them, and what they found so far."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ParamSpec, TypeAlias

from interactive_envs.mathematics.judge import lexicon
from interactive_envs.mathematics.judge.arithmetic import Arithmetic
from interactive_envs.mathematics.judge.naming import Names
from interactive_envs.mathematics.judge.notation import Token, UnreadableError
from interactive_envs.mathematics.judge.words import stems_of, weighty

MOST_STEPS = 60_000
"""Of a reading, against texts made to be slow."""
NO_OTHER = ""
"""What a rule returns for a span that it cannot read and that no later rule may read."""
MOST_PARTS = 3
"""Of a claim, a list of members or alternatives."""
BOTH = "Both"
"""Joins what ``and`` says of one subject."""
_PRONOUNS = (("it",), ("that", "number"), ("this", "number"), ("this",), ("the", "number"))

P = ParamSpec("P")
SpanRule: TypeAlias = "Callable[[Reader, int, int], str | None]"
"""Reads the tokens from a start to an end into a relation or an expression; None where it does not apply."""
SubjectRule: TypeAlias = "Callable[[Reader, str, int, int], str | None]"
"""Reads what the tokens from a start to an end say of a subject, an expression, into a relation."""


@dataclass(frozen=True)
class Grammar:
    """The rules of each kind of span, in the order in which they are tried.

    Attributes:
        claims: of a whole claim.
        predicates: of what is said of a subject after ``is``.
        verbs: of what a subject does, by the verb.
        values: of what stands for a number, a point or a set.
    """

    claims: tuple[SpanRule, ...]
    predicates: tuple[SubjectRule, ...]
    verbs: Mapping[str, SubjectRule]
    values: tuple[SpanRule, ...]


class Reader:
    """Reads the spans of one text; claims and values are remembered, so that each is read once.

    Args:
        grammar: the rules.
        names: what the words of the problem stand for.
        tokens: the text.

    Attributes:
        texts: of the tokens.
        subject: what ``it`` stands for, the subject of the claim before.
        listed: what ``both`` stands for, the values listed before.
        first: where the first part of the sentence begins.
    """

    def __init__(self, grammar: Grammar, names: Names, tokens: Sequence[Token]) -> None:
        self.grammar = grammar
        self.names = names
        self.tokens = tuple(tokens)
        self.texts = tuple(token.text for token in tokens)
        self.subject: str | None = None
        self.listed: list[str] = []
        self.first = 0
        self._claims: dict[tuple[int, int], str | None] = {}
        self._values: dict[tuple[int, int], str | None] = {}
        self._steps_left = MOST_STEPS

    # -- spans --------------------------------------------------------------------------------------------------

    def claim(self, start: int, end: int) -> str | None:
        """Return the relation that a span states; None where it is not understood."""
        if start >= end:
            return None
        key = (start, end)
        if key not in self._claims:
            self._claims[key] = None
            self._claims[key] = self._read_claim(start, end)
        return self._claims[key]

    def forget(self, start: int, end: int) -> None:
        """Read a claim again when it is met again: what ``it`` stands for is known by then."""
        self._claims.pop((start, end), None)

    def _read_claim(self, start: int, end: int) -> str | None:
        self._count_step()
        while end > start and self.texts[end - 1] in (".", "?", ",", ":"):
            end -= 1
        while start < end and self.texts[start] in (",", ":"):
            start += 1
        return first_reading(self.grammar.claims, self, start, end) if start < end else None

    def predicate(self, subject: str, start: int, end: int) -> str | None:
        """Return the relation that says of a subject what stands after ``is``; None where it is not understood."""
        self._count_step()
        texts = self.texts
        while start < end and texts[start] in lexicon.ADVERBS:
            if texts[start] == "even" and (start + 1 == end or texts[start + 1] in (",", "and", "or", "but")):
                break
            start += 1
        while start < end and texts[end - 1] in (",", "too", "itself"):
            end -= 1
        return first_reading(self.grammar.predicates, self, subject, start, end) if start < end else None

    def verb_phrase(self, subject: str, start: int, end: int) -> str | None:
        """Return the relation that says of a subject what it does: divides, exceeds, leaves, ends in, has."""
        self._count_step()
        rule = self.grammar.verbs.get(self.texts[start]) if start < end else None
        return rule(self, subject, start, end) if rule else None

    def value(self, start: int, end: int) -> str | None:
        """Return the expression that a span stands for; None where it is none."""
        if start >= end:
            return None
        key = (start, end)
        if key not in self._values:
            self._values[key] = None
            self._count_step()
            self._values[key] = first_reading(self.grammar.values, self, start, end)
        return self._values[key]

    def noun(self, start: int, end: int) -> str | None:
        """Return a value as the subject of a sentence; ``it`` is the subject before."""
        if self.subject and self.texts[start:end] in _PRONOUNS:
            return self.subject
        return self.value(start, end)

    def numeral(self, start: int, end: int) -> str | None:
        """Return arithmetic of numbers, symbols, signs and functions; None for anything else."""
        return Arithmetic(self.tokens[start:end], self.names).read()

    # -- words --------------------------------------------------------------------------------------------------

    def starts(self, start: int, end: int, phrase: tuple[str, ...]) -> bool:
        """Return whether a span begins with a phrase."""
        return start + len(phrase) <= end and self.texts[start : start + len(phrase)] == phrase

    def ends(self, start: int, end: int, phrase: tuple[str, ...]) -> bool:
        """Return whether a span ends with a phrase and has more before it."""
        return end - len(phrase) > start and self.texts[end - len(phrase) : end] == phrase

    def after_article(self, start: int) -> int:
        """Return where a noun phrase goes on after its article."""
        return start + (self.texts[start] in lexicon.ARTICLES)

    def depth(self, start: int, at: int) -> int:
        """Return how many brackets opened since ``start`` are open before a token."""
        texts = self.texts[start:at]
        return sum(text in "([{" for text in texts) - sum(text in ")]}" for text in texts)

    def cuts(self, start: int, end: int, *words: str) -> list[int]:
        """Return where these words stand outside of brackets."""
        return [at for at in range(start, end) if self.texts[at] in words and not self.depth(start, at)]

    def stems(self, start: int, end: int) -> list[str]:
        """Return the stems of a span's words."""
        return stems_of(self.tokens[start:end])

    def is_weighty(self, at: int) -> bool:
        """Return whether a token is a word or number that carries meaning."""
        return bool(weighty(self.stems(at, at + 1)))

    def names_quantity(self, expression: str) -> bool:
        """Return whether an expression names a quantity or a symbol of the problem."""
        known = (self.names.values, self.names.given)
        return any(word in table for word in re.findall(r"[A-Za-z_]\w*", expression) for table in known)

    def _count_step(self) -> None:
        self._steps_left -= 1
        if self._steps_left < 0:
            raise UnreadableError("too complicated")


def first_reading(rules: Iterable[Callable[P, str | None]], *args: P.args, **kwargs: P.kwargs) -> str | None:
    """Return what the first rule that applies reads; None where none does."""
    for rule in rules:
        found = rule(*args, **kwargs)
        if found is not None:
            return found or None
    return None


def join_all(relations: Sequence[str]) -> str:
    """Return a relation that holds where all of some hold."""
    return relations[0] if len(relations) == 1 else f"And({', '.join(relations)})"
