"""Noise inside a game: sentences about nothing in the rules, fragments without sense around the replies."""

from __future__ import annotations

import functools
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, ClassVar

import numpy as np

from interactive_envs.dialogue.probe import Probe, Probed, ProbeTask, whole
from interactive_envs.dialogue.task import PLAIN, DialogueTask, Terms, Vocabulary
from interactive_envs.dialogue.view import DialogueView
from interactive_envs.judges.base import Verdict


class NoiseTask(ProbeTask):
    """The task among noise; the probe remembers how many queries were replied to.

    What is inserted is decided by the seed, the case and the number of the message: every player reads the same.

    Args:
        inner: the task inside.
        sentences: how many go between the blocks of the rules.
        fragments: how many go around each reply.
        seed: another seed gives other noise.
    """

    recalls = True

    def __init__(self, inner: DialogueTask[Any, Any], sentences: int, fragments: int, seed: int) -> None:
        super().__init__(inner)
        self._sentences, self._fragments, self._seed = sentences, fragments, seed

    def remember(self, case: Any) -> int:
        """Nothing was replied to yet."""
        return 0

    def recall(self, view: DialogueView) -> int:
        """The queries of the View."""
        return sum(exchange.kind == "query" for exchange in view.exchanges)

    def rules(self, case: Any, terms: Terms, vocabulary: Vocabulary = PLAIN) -> str:
        """The rules, with sentences as blocks between theirs."""
        blocks = self.inner.rules(case, terms, vocabulary).split("\n\n")
        rng = self._rng(case, 0)
        for sentence in _draw(rng, texts("sentences"), self._sentences):
            blocks.insert(int(rng.integers(1, max(2, len(blocks)))), sentence)
        return "\n\n".join(blocks)

    def reply(
        self, state: Probed, query: Any, rng: np.random.Generator, verdict: Verdict | None = None
    ) -> tuple[Any, Probed]:
        """The reply of the task inside, counted."""
        fact, inner = self.inner.reply(state.inner, query, rng, verdict)
        return fact, Probed(inner, state.memory + 1)

    def message(self, state: Probed, fact: Any, vocabulary: Vocabulary = PLAIN) -> str:
        """The reply with fragments before or after it."""
        words = self.inner.message(state.inner, fact, vocabulary)
        rng = self._rng(self.case_of(state), state.memory)
        for fragment in _draw(rng, texts("fragments"), self._fragments):
            words = f"{fragment} {words}" if rng.integers(2) else f"{words} {fragment}"
        return words

    def _rng(self, case: Any, message: int) -> np.random.Generator:
        return np.random.default_rng([self._seed, zlib.crc32(self.case_id(case).encode()), message])


@dataclass(frozen=True)
class IntraGameNoise(Probe):
    """Insert what means nothing into the rules and the replies; without it every message is as it was.

    Source: the paper on executable games, section 3.3, intra-game noise injection.

    Args:
        rules: sentences between the blocks of the rules.
        replies: fragments around each reply to a query.
        seed: another seed gives other noise.
    """

    name: ClassVar[str] = "noise"
    place: ClassVar[int] = 6

    rules: int = 3
    replies: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        whole("rules", self.rules, 0, len(texts("sentences")))
        whole("replies", self.replies, 0, len(texts("fragments")))
        whole("seed", self.seed, 0)

    def decorate(self, inner: DialogueTask[Any, Any], terms: Terms) -> NoiseTask:
        """The task among noise."""
        return NoiseTask(inner, self.rules, self.replies, self.seed)


@functools.cache
def texts(kind: str) -> tuple[str, ...]:
    """The ``sentences`` or the ``fragments`` that noise is drawn from."""
    path = files("interactive_envs.wrappers") / "data" / "noise.json"
    return tuple(json.loads(path.read_text(encoding="utf-8"))[kind])


def _draw(rng: np.random.Generator, pool: Sequence[str], count: int) -> list[str]:
    return [pool[index] for index in rng.permutation(len(pool))[:count]]
