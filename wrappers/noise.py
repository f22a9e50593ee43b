"""Noise inside a game: sentences that say nothing about it, within the rules' sentences and around the replies."""

from __future__ import annotations

import functools
import json
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, ClassVar

import numpy as np

from interactive_envs.dialogue.probe import Probe, Probed, ProbeTask, whole
from interactive_envs.dialogue.task import PLAIN, DialogueTask, Terms, Vocabulary
from interactive_envs.dialogue.view import DialogueView
from interactive_envs.errors import ConfigError
from interactive_envs.judges.base import Verdict

_BARRED = re.compile(r"<(\w+)>.*?</\1>|\([^()]*\)|\"[^\"]*\"|^\w{1,4}\. .*$", re.MULTILINE | re.DOTALL)
"""What is never interrupted: actions, parentheses, quotations, items of a list."""
_WITHIN = re.compile(r"(?<=[a-z,]) (?=[a-z])")
_BETWEEN = re.compile(r"(?<=[.!?]) (?=[A-Z])|\n\n")


class NoiseTask(ProbeTask):
    """The task among noise; the probe remembers how many queries were replied to.

    What is inserted is decided by the seed, the case and the number of the message: every player reads the same.

    Args:
        inner: the task inside.
        sentences: how many go into the rules.
        fragments: how many go into each reply.
        distractors: whether about half of them are in the game's own words, where the task has such sentences.
        seed: another seed gives other noise.
    """

    recalls = True

    def __init__(
        self, inner: DialogueTask[Any, Any], sentences: int, fragments: int, distractors: bool, seed: int
    ) -> None:
        super().__init__(inner)
        self._sentences, self._fragments, self._distractors, self._seed = sentences, fragments, distractors, seed

    def remember(self, case: Any) -> int:
        """Nothing was replied to yet."""
        return 0

    def recall(self, view: DialogueView) -> int:
        """The queries of the View."""
        return sum(exchange.kind == "query" for exchange in view.exchanges)

    def rules(self, case: Any, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        """The rules, with sentences between and within theirs."""
        rules = self.inner.rules(case, terms, vocabulary)
        return self._noisy(rules, case, "sentences", self._sentences, self._rng(case, 0))

    def reply(
        self, state: Probed, query: Any, rng: np.random.Generator, verdict: Verdict | None = None
    ) -> tuple[Any, Probed]:
        """The reply of the task inside, counted."""
        fact, inner = self.inner.reply(state.inner, query, rng, verdict)
        return fact, Probed(inner, state.memory + 1)

    def message(self, state: Probed, fact: Any, vocabulary: Vocabulary = PLAIN) -> str:
        """The reply with fragments or sentences around or within it; what opens a dialogue is as noisy as the rules."""
        words, case = self.inner.message(state.inner, fact, vocabulary), self.case_of(state)
        rng = self._rng(case, state.memory)
        if self.inner.begins_anew(state.inner):
            return self._noisy(words, case, "sentences", self._sentences, rng)
        return self._noisy(words, case, "fragments", self._fragments, rng)

    def _noisy(self, text: str, case: Any, kind: str, count: int, rng: np.random.Generator) -> str:
        own = list(self.distractors(case)) if self._distractors else []
        # Of one insertion a coin decides whether it is the game's own, of several every other one is.
        share = min(len(own), (count + int(rng.integers(2))) // 2)
        items = _draw(rng, own, share) + _draw(rng, texts(kind), count - share)
        return insert(text, _draw(rng, items, count), rng, outside=kind == "fragments")

    def _rng(self, case: Any, message: int) -> np.random.Generator:
        return np.random.default_rng([self._seed, zlib.crc32(self.case_id(case).encode()), message])


@dataclass(frozen=True)
class IntraGameNoise(Probe):
    """Insert what means nothing into the rules and the replies; without it every message is as it was.

    It stands between sentences and, in parentheses, within them. About half of it is in the game's own words, where the
    task has :meth:`~interactive_envs.dialogue.task.Retold.distractors`: "Yesterday's set had five numbers." The rest
    are sentences and fragments about nothing, as in the paper.

    Source: the paper on executable games, section 3.3, intra-game noise injection; section 3.5.

    Args:
        rules: sentences in the rules.
        replies: fragments or sentences in each reply to a query.
        distractors: whether about half of them are in the game's own words.
        seed: another seed gives other noise.
    """

    name: ClassVar[str] = "noise"
    place: ClassVar[int] = 6

    rules: int = 6
    replies: int = 1
    distractors: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        whole("rules", self.rules, 0, len(texts("sentences")))
        whole("replies", self.replies, 0, len(texts("fragments")))
        whole("seed", self.seed, 0)
        if not isinstance(self.distractors, bool):
            raise ConfigError(f"distractors must be true or false, got {self.distractors!r}")

    def decorate(self, inner: DialogueTask[Any, Any], terms: Terms) -> NoiseTask:
        """The task among noise."""
        return NoiseTask(inner, self.rules, self.replies, self.distractors, self.seed)


def insert(text: str, items: Sequence[str], rng: np.random.Generator, *, outside: bool) -> str:
    """A text with items at random places: as they are between two sentences, in parentheses within one.

    Actions, parentheses, quotations and the items of lists are never interrupted, nor is one item by another. The text
    is the result without the items, their parentheses, and a space or, between two blocks, a break for each.

    Args:
        text: the text.
        items: sentences or fragments.
        rng: draws the places.
        outside: whether they may also stand before or after the whole text; they do where there is no other place.

    >>> insert("Yes.", ["(pause)"], np.random.default_rng(0), outside=True)
    'Yes. (pause)'
    """
    barred = [found.span() for found in _BARRED.finditer(text)]
    kinds: list[list[_Gap]] = [
        [
            _Gap(*found.span(), pattern is _WITHIN)
            for found in pattern.finditer(text)
            if not any(first <= found.start() < last for first, last in barred)
        ]
        for pattern in (_BETWEEN, _WITHIN)
    ]
    if outside or not any(kinds):
        kinds[0] += [_Gap(0, 0), _Gap(len(text), len(text))]
    kinds = [kind for kind in kinds if kind]
    filled: dict[_Gap, list[str]] = {}
    for item in items:
        # As often between sentences as within them, however long these are.
        kind = kinds[int(rng.integers(len(kinds)))]
        filled.setdefault(kind[int(rng.integers(len(kind)))], []).append(item)
    for gap in sorted(filled, key=lambda gap: gap.start, reverse=True):
        text = gap.fill(text, filled[gap])
    return text


@dataclass(frozen=True)
class _Gap:
    """A place in a text: what separates two sentences or two words of one, or one of the text's ends."""

    start: int
    end: int
    within: bool = False

    def fill(self, text: str, items: Sequence[str]) -> str:
        before, separator, after = text[: self.start], text[self.start : self.end], text[self.end :]
        if self.within:
            items = [text if text[0] == "(" else f"({text[0].lower()}{text[1:].rstrip('.,')})" for text in items]
        if separator:
            return separator.join((before, *items, after))
        return " ".join(part for part in (before, *items, after) if part)


@functools.cache
def texts(kind: str) -> tuple[str, ...]:
    """The ``sentences`` or the ``fragments`` that noise is drawn from."""
    path = files("interactive_envs.wrappers") / "data" / "noise.json"
    return tuple(json.loads(path.read_text(encoding="utf-8"))[kind])


def _draw(rng: np.random.Generator, pool: Sequence[str], count: int) -> list[str]:
    return [pool[index] for index in rng.permutation(len(pool))[:count]]
