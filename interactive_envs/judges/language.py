"""English, as far as the offline judge knows it: words and stems, clauses, negation, two questions in one."""

from __future__ import annotations

import functools
import re
from collections.abc import Collection
from importlib import resources

_SUFFIXES = ("ingly", "edly", "ness", "ment", "ing", "ied", "ies", "ed", "es", "ly", "s", "er", "e", "y")
_NEGATION = re.compile(
    r"\b(?:not|no|nobody|never|nothing|none|neither|nor|nowhere|cannot|unaware|unable|unimportant|irrelevant"
    r"|without|hardly|false|untrue|wrong to|far from|anything but|instead of|rather than|other than"
    r"|skip\w*|miss(?:ed|es|ing)?|fail\w*|lack\w*|refus\w+|forg[eo]t\w*|den(?:y|ies|ied)|(?!un)\w{3,}less)\b"
    r"|(?<=\w)n't\b",
    re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"\bnot only\b|\bwith no\b|\bnot\b[^,.;]*,?(?= but\b)|,(?: and)? not\b[^,.;?]*"
    r"|\b(?:rather than|instead of)\b[^,.;?]*",
    re.IGNORECASE,
)
_TAG_QUESTION = re.compile(r"^\W*\w+n't\b", re.IGNORECASE)
_HEDGES = re.compile(r"\b(?:or|maybe|perhaps|possibly|alternatively|either|otherwise)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[a-z0-9\")][.!?:;])\s+")
_CLAUSE = re.compile(
    r",\s+(?:and|but|so|because|while|since|which|who)?\s*|;\s*|\s+(?:because|so that|but|while|and)\s+", re.IGNORECASE
)
_AUXILIARY = (
    r"(?:is|are|am|was|were|do|does|did|has|have|had|can|could|will|would|should|might|must|"
    r"isn't|aren't|wasn't|weren't|don't|doesn't|didn't|hasn't|haven't|hadn't|couldn't|wouldn't)"
)
_JOINED = re.compile(rf"[,;]?\s+(?P<word>and|or|but)\s+(?:also\s+|then\s+)?(?={_AUXILIARY}\b)", re.IGNORECASE)


@functools.lru_cache(maxsize=8192)
def words(text: str) -> frozenset[str]:
    """The stems of a text's content words.

    >>> sorted(words("The boys' stolen boats weren't theirs."))
    ['boat', 'boy', 'stolen']
    """
    plain = text.lower().replace("\u2019", "'").replace("'s", "")
    found = re.findall(r"[^\W\d_]+|\d+", re.sub(r"n't\b", " not", plain))
    return frozenset(stem(word) for word in found if word not in stop_words())


@functools.cache
def stop_words() -> frozenset[str]:
    """Words that say nothing of a puzzle's content."""
    file = resources.files("interactive_envs.judges") / "data" / "stop-words.txt"
    return frozenset(file.read_text(encoding="utf-8").split())


@functools.lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A word without its ending, roughly: equal for the forms of most words."""
    ending = next((ending for ending in _SUFFIXES if word.endswith(ending) and len(word) - len(ending) >= 3), "")
    word = word.removesuffix(ending)
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


@functools.lru_cache(maxsize=8192)
def negated(text: str, question: bool = False) -> bool:
    """Whether an odd number of negations stands in a text.

    "Wasn't he alone?" asks the same as "Was he alone?"; "the gap, not the book" asserts the gap.

    >>> negated("Nobody knew."), negated("Wasn't he alone?", question=True), negated("It was the gap, not the book.")
    (True, False, False)
    """
    plain = text.replace("\u2019", "'")
    if question:
        plain = _TAG_QUESTION.sub("", plain)
    return len(_NEGATION.findall(_CONTRAST.sub("", plain))) % 2 == 1


def opposed(left: Collection[str], right: Collection[str]) -> bool:
    """Whether one set of words has a word and the other its opposite in un-: justly, unjustly."""
    ours, theirs = set(left) - set(right), set(right) - set(left)
    return any(f"un{word}" in theirs for word in ours) or any(f"un{word}" in ours for word in theirs)


def denies(clause: str, fact: str) -> bool:
    """Whether a clause says the opposite in nearly the same words; other words say too little for that."""
    ours, theirs = words(clause), words(fact)
    common = len(ours & theirs)
    return negated(clause) != negated(fact) and common >= 2 and common >= 0.6 * min(len(ours), len(theirs))


def hedges(text: str) -> int:
    """How many words leave open which of several things is meant."""
    return len(_HEDGES.findall(text))


def sentences(text: str) -> list[str]:
    """The sentences of a text."""
    return [part.strip() for part in _SENTENCE.split(text) if part.strip()]


@functools.lru_cache(maxsize=8192)
def clauses(text: str, whole: bool = True) -> tuple[str, ...]:
    """The clauses of a text, and with ``whole`` the sentences that have several."""
    found: list[str] = []
    for sentence in sentences(text):
        parts = [part.strip() for part in _CLAUSE.split(sentence) if len(part.split()) > 3]
        found += ([sentence] if whole or len(parts) < 2 else []) + (parts if len(parts) > 1 else [])
    return tuple(dict.fromkeys(found))


def joined(question: str) -> tuple[str, list[str]]:
    """The word that joins two questions in one, and the questions; ``("", [question])`` for a single one.

    >>> joined("Was it dark, and did that matter?")
    ('and', ['Was it dark?', 'did that matter?'])
    >>> joined("Was it cold and dark?")
    ('', ['Was it cold and dark?'])
    """
    found = _JOINED.search(question)
    if found is None or len(question[: found.start()].split()) < 3:
        return "", [question]
    word = "or" if found["word"].lower() == "or" else "and"
    return word, [question[: found.start()].rstrip(" ?,;") + "?", question[found.end() :]]
