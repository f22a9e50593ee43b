"""Whether a question asks what a labelled one asks, or what a fact says: word by word, in order, in both directions.

A question that only narrows a labelled one down must not inherit its label, so nothing here goes by how alike two
texts are. Every word of the question has to be found in the other text in the same order (in any of its forms, or as
an equal word of data/same-words.txt), and the small words that change a meaning (*only*, *all*, *before*, *could*) have
to be the same. Of a labelled question nothing may be left over; of a fact only what adds detail.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Literal, TypeAlias

from interactive_envs.situation_puzzle.judge import language
from interactive_envs.situation_puzzle.judge.likeness import Truth

Level: TypeAlias = Literal["verbatim", "same", "stated", "detail", "part", "apart", "words", "half", "some", "none"]
LEVELS: tuple[Level, ...] = ("verbatim", "same", "stated", "detail", "part", "apart", "words", "half", "some", "none")
"""From the surest on: a labelled question word for word; one in the same words; a text that says just this; one that
says it with more detail; a text that speaks of what is asked to play a part; a labelled question by which something
that no text speaks of plays no part; all words of the question somewhere in one text; at least half of them; some;
none. How often each is right is measured (``make judge``); those from ``words`` on are only there for the curve of
coverage against error."""
FEWEST = 2
"""Words that a text must share with a question to state what it asks."""
EXACT: tuple[Level, ...] = ("verbatim", "same")
"""Levels at which a question is answered *both* or *irrelevant*."""

_SMALL = frozenset(
    "only all every each most more many much other same before after without over under than unless except until "
    "another own up down out about would could should can might must may too very first once while one".split()
)
"""Small words that change what a sentence says."""
_MODAL = frozenset("would could should can may might must shall will".split())
_RELEVANCE = re.compile(
    r"\b(?:important|importance|matter(?:s|ed)?|relevan\w+|involved?|plays? a (?:part|role)|part of|role|point of"
    r"|significan\w+|essential|have (?:any|some)thing to do)\b",
    re.IGNORECASE,
)
_POSSESSIVE = re.compile(r"\b(\w+)['\u2019]s?\s+(\w+)")
_PRONOUNS = {"he": "@he", "she": "@she", "they": "@they"}
_TITLES = frozenset("mr mrs miss ms sir lady lord madame monsieur signor signora senhor senhora dona don dr".split())
_HAVE_TO = re.compile(r"\b(?:has|have|had) to\b")
_RESTRICTS = frozenset("only if unless except until but without before after than because".split())
_ATTITUDE = frozenset(
    map(
        language.stem,
        "wanted ordered promised expected refused tried told believed hoped seemed pretended feared supposed thought "
        "wished planned threatened allowed agreed asked offered claimed meant intended failed forgot almost nearly "
        "condition appeared said willing unable bet".split(),
    )
)
"""Words behind which something need not have happened; a text may not have one more of them than the question."""


@dataclass(frozen=True)
class Words:
    """A text as it is compared.

    Attributes:
        content: the words that say something, each in one form for all its forms, in order.
        small: the small words that change a meaning, up to each content word, and at last those of the whole text.
        behind: the small words of any kind behind each content word.
        relevance: whether it asks or says that something matters.
        denied: whether it is denied.
    """

    content: tuple[str, ...]
    small: tuple[Counter[str], ...]
    behind: tuple[frozenset[str], ...]
    relevance: bool
    denied: bool


@functools.lru_cache(maxsize=8192)
def read(text: str, question: bool = True) -> Words:
    """A text as it is compared.

    >>> words = read("Did the lantern's colour matter only to her?")
    >>> words.content, dict(words.small[-1]), words.relevance
    (('colour', 'lantern'), {'only': 1}, True)
    """
    plain = _POSSESSIVE.sub(r"\2 of \1", text.replace("\u2019", "'"))
    plain = _HAVE_TO.sub(" must ", re.sub(r"n't\b", " not", plain.lower()))
    content: list[str] = []
    small, passed = list[Counter[str]](), Counter[str]()
    tails: list[set[str]] = []
    for word in re.findall(r"[^\W\d_]+|\d+", _RELEVANCE.sub(" ", plain)):
        if word in language.stop_words() and word not in _PRONOUNS:
            passed[word] += word in _SMALL
            for tail in tails:
                tail.add(word)
            continue
        if word in _TITLES:
            continue
        content.append(_PRONOUNS.get(word) or one_form(word))
        small.append(+passed)
        tails.append(set())
    denied = language.negated(text, question=question)
    tailed = tuple(map(frozenset, tails))
    return Words(tuple(content), (*small, +passed), tailed, bool(_RELEVANCE.search(plain)), denied)


def one_form(word: str) -> str:
    """One form for all forms of a word and for its equals.

    >>> one_form("stolen") == one_form("steals"), one_form("mother") == one_form("father")
    (True, False)
    """
    stem = language.stem(word)
    return _equals().get(word) or _equals().get(stem) or stem


@functools.cache
def _equals() -> dict[str, str]:
    file = resources.files("interactive_envs.situation_puzzle.judge") / "data" / "same-words.txt"
    groups = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
    return {word: group[0] for group in groups for word in (*group, *map(language.stem, group))}


@dataclass(frozen=True)
class Match:
    """What decides a question: how surely, how, and which text; ``label`` is None where nothing does."""

    level: Level
    label: str | None
    source: str


def match(text: str, truth: Truth) -> Match:
    """What the truth says of a question.

    Where two texts of the surest level found say different things, nothing decides.
    """
    mine, names = read(text), _names_in(f"{truth.setup} {truth.solution}")
    told = set(read(truth.setup, False).content)
    found: dict[Level, dict[str, str]] = {level: {} for level in LEVELS}
    for asked, label in truth.questions:
        if plain(asked) == plain(text):
            found["verbatim"].setdefault(label, asked)
            continue
        theirs = read(asked)
        level = "same" if _is_same(mine, theirs, names) else _loosely(mine, theirs, names)
        if label == "no" and _plays_no_part(mine, theirs, _spoken_of(truth)):
            found["apart"].setdefault("no", asked)
        if level == "same" or label in ("yes", "no"):
            found[level].setdefault(turned(label, contrary(asked, text)), asked)
    for statement in statements(truth):
        theirs = read(statement, False)
        level = _states(mine, theirs, names) or _loosely(mine, theirs, names)
        if level == "words" and mine.relevance and not mine.denied and not set(mine.content) <= told:
            # A text that denies something may show that it plays a part; one that says that it plays none does not.
            found["part" if not (theirs.relevance and theirs.denied) else "words"].setdefault("yes", statement)
        else:
            found[level].setdefault("no" if mine.denied != theirs.denied else "yes", statement)
    for level in LEVELS[:-1]:
        if len(found[level]) == 1:
            return Match(level, *next(iter(found[level].items())))
        if found[level]:
            return Match("none", None, f"texts disagree: {' / '.join(found[level].values())}")
    return Match("none", None, "no text says just this")


@functools.lru_cache(maxsize=256)
def statements(truth: Truth) -> tuple[str, ...]:
    """What a puzzle's facts and right explanations say, clause by clause."""
    told = (*truth.facts, *(sentence for right in truth.right for sentence in language.sentences(right)))
    return tuple(dict.fromkeys(clause for text in told for clause in language.clauses(text) or (text,)))


@functools.lru_cache(maxsize=256)
def _spoken_of(truth: Truth) -> frozenset[str]:
    """The words of the story, of the statements, and of every labelled question whose answer is not no."""
    asked = (read(question) for question, label in truth.questions if label != "no")
    told = (read(text, False) for text in (truth.setup, *statements(truth)))
    return frozenset(word for words in (*asked, *told) for word in words.content)


def _plays_no_part(mine: Words, theirs: Words, spoken_of: frozenset[str]) -> bool:
    """Whether a question speaks of what plays no part according to a labelled one."""
    if not theirs.relevance or not theirs.content or mine.denied or theirs.denied:
        return False
    return set(theirs.content) <= set(mine.content) - spoken_of


def _is_same(mine: Words, theirs: Words, names: frozenset[str]) -> bool:
    """Whether two questions have the same words in the same order."""
    if not mine.content or len(mine.content) != len(theirs.content) or mine.relevance != theirs.relevance:
        return False
    pairs = zip(mine.content, theirs.content, strict=True)
    # What is opposite in un- turns the label round, see :func:`contrary`.
    return mine.small[-1] == theirs.small[-1] and all(
        _equal(left.removeprefix("un"), right.removeprefix("un"), names) for left, right in pairs
    )


def _states(mine: Words, text: Words, names: frozenset[str]) -> Level | None:
    """Whether a text says what a question asks, or denies it; None where it does not."""
    if mine.relevance or len(mine.content) < FEWEST:
        return None
    places = _places(mine.content, text.content, names)
    if not places or places[0] != 0:
        return None
    last = places[-1]
    skipped = {word for place, word in enumerate(text.content[: last + 1]) if place not in places}
    if skipped & _ATTITUDE or mine.small[-1] != text.small[last] or text.behind[last] & _RESTRICTS:
        return None
    if len(places) == len(text.content):
        return "stated"
    # What is denied with more detail may be true without it: "no full bus" does not say "no bus". Of two words far
    # apart the one need not be said of the other.
    apart = last + 1 > len(places) and len(places) <= FEWEST
    return None if text.denied or apart or text.behind[last] & _MODAL else "detail"


def _loosely(mine: Words, theirs: Words, names: frozenset[str]) -> Level:
    """How many words of a question stand somewhere in a text."""
    if not mine.content:
        return "none"
    found = sum(any(_equal(word, other, names) for other in theirs.content) for word in mine.content)
    share = found / len(mine.content)
    return "words" if share == 1 else "half" if share >= 0.5 else "some" if found else "none"


def _places(mine: Sequence[str], theirs: Sequence[str], names: frozenset[str]) -> list[int]:
    """Where each of my words stands among theirs, in order; empty where one is missing."""
    places: list[int] = []
    for word in mine:
        rest = range(places[-1] + 1 if places else 0, len(theirs))
        found = next((place for place in rest if _equal(word, theirs[place], names)), None)
        if found is None:
            return []
        places.append(found)
    return places


def _equal(left: str, right: str, names: frozenset[str]) -> bool:
    if left == right:
        return True
    return (left in ("@he", "@she") and right in names) or (right in ("@he", "@she") and left in names)


@functools.lru_cache(maxsize=512)
def _names_in(text: str) -> frozenset[str]:
    return frozenset(one_form(word.lower()) for word in re.findall(r"(?<=[a-z,;] )[A-Z][^\W\d_]+", text))


def contrary(left: str, right: str) -> bool:
    """Whether of two questions in the same words one asks the opposite."""
    negation = language.negated(left, question=True) != language.negated(right, question=True)
    return negation != language.opposed(language.words(left), language.words(right))


FLIPPED = {"yes": "no", "no": "yes", "both": "both", "irrelevant": "irrelevant"}


def turned(label: str, contrary: bool) -> str:
    """A label, of the opposite question where it is contrary."""
    return FLIPPED[label] if contrary else label


def plain(text: str) -> str:
    """A text in small letters without its last mark."""
    return " ".join(text.lower().split()).rstrip(" ?.!")
