"""How alike texts are, as numbers: what the offline judge decides by, and what its weights are fitted to.

Two ways to compare: sentence embeddings, and, where they are not installed, shared words. Both give vectors, so that
one set of features serves both; each has weights of its own.
"""

from __future__ import annotations

import functools
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from interactive_envs.situation_puzzle.judge import language

Array = NDArray[np.float64]
Worded = tuple[tuple[str, ...], Array]
"""Words and their vectors, one row each."""
BUCKETS = 1024
"""Length of the vectors that only count words."""
RUN = 5
"""Words of a stretch that may stand out."""
UNLIKE = 0.55
"""A word is unlike the truth's words below this cosine."""

FINAL_FEATURES = (
    *("weakest fact, by clauses", "weakest fact, by words", "all facts, by clauses"),
    *("words unlike the truth", "stretches that stand out", "words that stand out"),
)
FINAL_SIGNS = (1, 1, 1, -1, -1, -1)
"""Which way a feature of a final answer may only count: no weight may reward what speaks against it."""
ENOUGH = 0.5
"""A fact covered this well by some clause is covered: more says no more."""


@dataclass(frozen=True)
class Vectors:
    """A way to turn texts into unit vectors."""

    name: str
    text: Callable[[str], Array]
    worded: Callable[[str, str], Worded]
    """A text's words, read before some context."""


def _embedded(text: str) -> Array:
    from interactive_envs.llm import embeddings

    return _unit(embeddings.embed((text,))[0].astype(np.float64))


def _embedded_words(text: str, context: str) -> Worded:
    from interactive_envs.llm import embeddings

    found, vectors = embeddings.embed_words(text, context)
    return found, vectors.astype(np.float64)


def _counted(text: str) -> Array:
    return _unit(np.sum([_bucket(word) for word in language.words(text)] or [np.zeros(BUCKETS)], axis=0))


def _counted_words(text: str, context: str) -> Worded:
    found = tuple(re.findall(r"[^\W\d_]+|\d+|[^\w\s]", text.lower()))
    return found, np.array([_bucket(language.stem(word)) for word in found]).reshape(len(found), BUCKETS)


@functools.lru_cache(maxsize=8192)
def _bucket(stem: str) -> Array:
    vector = np.zeros(BUCKETS)
    vector[zlib.crc32(stem.encode()) % BUCKETS] = 1.0
    return vector


EMBEDDED = Vectors("sentence embeddings", _embedded, _embedded_words)
BY_WORDS = Vectors("word overlap (sentence embeddings are not in use)", _counted, _counted_words)


@dataclass(frozen=True)
class Truth:
    """What a request's context holds, as the features need it."""

    setup: str
    solution: str
    facts: tuple[str, ...]
    required: tuple[str, ...]
    questions: tuple[tuple[str, str], ...]
    right: tuple[str, ...]
    wrong: tuple[str, ...]


def truth(context: Mapping[str, Any]) -> Truth:
    """Read a request's context, see :class:`interactive_envs.judges.base.JudgeRequest`; every part may be missing."""
    facts = context.get("facts") or ()
    texts = tuple(str(fact["text"]) for fact in facts)
    solution = str(context.get("solution", ""))
    return Truth(
        str(context.get("setup", "")),
        solution,
        texts,
        tuple(str(fact["text"]) for fact in facts if fact.get("required")) or texts,
        tuple((str(q["text"]), str(q["label"])) for q in context.get("questions") or ()),
        (solution, *map(str, context.get("explanations") or ())),
        tuple(map(str, context.get("wrong") or ())),
    )


def final(text: str, truth: Truth, vectors: Vectors) -> list[float]:
    """What speaks for and against a final answer, see :data:`FINAL_FEATURES`."""
    known = language.words(truth.setup)
    by_clause, by_word = zip(*(_covered(fact, text, truth, known, vectors) for fact in truth.required), strict=True)
    likeness = _words_likeness(text, truth, known, vectors)
    stretches = np.convolve(likeness, np.full(min(RUN, len(likeness)), 1 / min(RUN, len(likeness))), "valid")
    mean = float(likeness.mean())
    # Other words than the truth's are no fault; a few wrong ones among the truth's own are: a near miss.
    stand_out = (mean - _lowest(likeness)) / (1.02 - min(mean, 1.0))
    features = (
        *(min(ENOUGH, *by_clause), min(by_word), float(np.mean(by_clause))),
        *(float((likeness < UNLIKE).mean()), mean - _lowest(stretches), stand_out),
    )
    return [round(value, 4) for value in features]


def _lowest(values: Array) -> float:
    """Mean of the lowest quarter, at least one: unlike the lowest value it hardly falls with the number of values."""
    return float(np.sort(values)[: max(1, len(values) // 4)].mean())


def _content(worded: Worded) -> Worded:
    """The content words, stemmed."""
    names, rows = worded
    kept = [at for at, name in enumerate(names) if name.isalnum() and name not in language.stop_words()]
    return tuple(language.stem(names[at]) for at in kept), rows[kept]


def _covered(fact: str, text: str, truth: Truth, known: frozenset[str], vectors: Vectors) -> tuple[float, float]:
    """How well an answer covers a fact: by its clauses, and by the words that the story does not have."""
    phrases, wanted = _stack(language.clauses(text) or (text,), vectors), vectors.text(fact)
    phrasings = [wanted]
    for right in truth.right:
        parts = _stack(language.clauses(right) or (right,), vectors)
        phrasings.append(parts[int((parts @ wanted).argmax())])
    by_clause = float((phrases @ np.stack(phrasings).T).max(axis=0).mean() + (phrases @ wanted).max()) / 2
    names, rows = _content(vectors.worded(fact, ""))
    mine, my_rows = _content(vectors.worded(text, ""))
    own = [at for at, name in enumerate(names) if name not in known] or list(range(len(names)))
    if not own or not mine:
        return by_clause, 0.0
    found = np.maximum((rows[own] @ my_rows.T).max(axis=1), [names[at] in mine for at in own])
    telling = [1 / (1 + sum(names[at] in language.words(wrong) for wrong in truth.wrong)) for at in own]
    return by_clause, float(np.average(found, weights=telling))


def _words_likeness(text: str, truth: Truth, known: frozenset[str], vectors: Vectors) -> Array:
    """For each word of an answer that the story does not have: the cosine of the likest word of the truth."""
    names, rows = _content(vectors.worded(text, truth.setup))
    new = [at for at, name in enumerate(names) if name not in known]
    if not new:
        return np.zeros(1)
    sources = [_content(vectors.worded(right, truth.setup)) for right in (*truth.right, " ".join(truth.facts))]
    truth_words = {name for theirs, _ in sources for name in theirs}
    cosines = (rows[new] @ np.concatenate([theirs for _, theirs in sources]).T).max(axis=1)
    likeness: Array = np.maximum(cosines, [names[at] in truth_words for at in new])
    return likeness


def _stack(texts: Sequence[str], vectors: Vectors) -> Array:
    return np.stack([vectors.text(text) for text in texts])


def _unit(rows: Array) -> Array:
    lengths = np.linalg.norm(rows, axis=-1, keepdims=True)
    unit: Array = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit
