"""English, as far as the offline judge knows it: words and stems, clauses, negation, two questions in one."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Collection
from importlib import resources

LEAD = 8
"""Words that may stand before a question."""
HEAP = 12
"""Words from which on a text without sentences is a heap of words."""
NO_SENTENCE = 6
"""Words from which on a text without any small word is one, too."""
SHORT_SENTENCES, SHORT = 8, 8.0
"""So many sentences of fewer words on average go through possibilities."""
MOST_ALIKE = 2
"""Clauses that may begin with the same two words, or that may say another again or deny it."""
FEWEST_STOP_WORDS = 0.22
"""Share of small words below which a text is no sentences."""

_SUFFIXES = ("ingly", "edly", "ness", "ment", "ing", "ied", "ies", "ed", "es", "ly", "s", "er", "e", "y")
_NEGATION = re.compile(
    r"\b(?:not|no|nobody|never|nothing|none|neither|nor|nowhere|cannot|unaware|unable|unimportant|irrelevant"
    r"|without|hardly|barely|scarcely|seldom|rarely|false|untrue|incorrect|mistaken|wrong to|contrary|opposite|doubt"
    r"|absen(?:t|ce)|except|far from|anything but|instead of|rather than|other than"
    r"|skip\w*|miss(?:ed|es|ing)?|fail\w*|lack\w*|refus\w+|forg[eo]t\w*|den(?:y|ies|ied)|(?!un)\w{3,}less)\b"
    r"|(?<=\w)n't\b",
    re.IGNORECASE,
)
_DENIAL = re.compile(
    r"\b(?:not|no|never|nobody|nothing|none|neither|nor|cannot|false|untrue|wrong|mistaken|anything but|far from"
    r"|by no means|opposite|reverse)\b|(?<=\w)n't\b",
    re.IGNORECASE,
)
_DENIED_WHOLE = re.compile(
    r"\b(?:not|n't|never|hardly) (?:at all )?(?:true|so|the case|right|correct)\b"
    r"|\b(?:is|was|were)(?: not|n't) because\b"
    r"|\b(?:wrong|false|untrue|mistaken?|incorrect|absurd|nonsense|a myth|an error) (?:to|that|idea|belief|if|,)"
    r"|\b(?:contrary|(?:the|quite the) (?:opposite|reverse)(?! \w*(?:bank|side|shore|direction|way|end|wall))"
    r"|the other way round|no truth|nothing to do with|anything but|by no means"
    r"|at no (?:time|point)|far from \w+ing|in common with|it follows that|whoever (?:believes|thinks|says)"
    r"|fairy[- ]?tales?|(?:a|pure|mere) (?:myth|legend|rumou?r|fable|invention|fantasy)"
    r"|(?:the|my) answer(?: is|:) no|only a fool|none of (?:the following|this|these)|in reality|you may forget"
    r"|(?:was|is|were|are) (?:groundless|made up|invented)|(?:long |widely )rumou?red"
    r"|suppose (?:that )?\w+ \w+ (?:had|were)"
    r"|(?:^|(?<=[.;!?] ))(?:had|if) [^.;]{3,90}[,;] [^.;]{0,40}would have (?:had|been)\b[^.]*\. (?:but|yet)"
    r"|(?:people|some|others|many) (?:will |may |might |would )?(?:say|tell|claim|believe|think))\b",
    re.IGNORECASE,
)
_TAGGED = re.compile(
    r",\s*(?:is|are|was|were|do|does|did|has|have|had|could|would)(?:n['\u2019]t)?\s+\w+\s*\?\s*$", re.I
)
_CONTRAST = re.compile(
    r"\bnot only\b|\bwith no\b|\bnot\b[^,.;]*,?(?= but\b)|(?:,(?: and)?|\bbut) not\b[^,.;?]*"
    r"|\b(?:rather than|instead of)(?:\s+\w+){1,3}",
    re.IGNORECASE,
)
_TAG_QUESTION = re.compile(r"^\W*\w+n't\b", re.IGNORECASE)
_HEDGES = re.compile(r"\b(?:or|maybe|perhaps|possibly|alternatively|either|otherwise)\b", re.IGNORECASE)
_LABELLED = re.compile(
    r"\b(?:explanation|version|option|theory|hypothesis|possibility|scenario|story|world|case|answer) "
    r"(?:[A-H]|[1-9]|one|two|three|i{1,3}|iv)\b|\(?\b[a-h1-9]\)\s"
    r"|\bone of (?:two|three|four|several|these)\b|fifty-fifty"
    r"|\b(?:failing that|any of (?:these|them)|all of (?:these|them) may)\b",
    re.IGNORECASE,
)
_PRAISE = re.compile(
    r"\b(?:(?:undoubted|undeniab|unquestionab|indisputab|conclusive)(?:ly|e)?|no doubt about (?:it|this)|definitely"
    r"|(?:without|beyond) (?:a |any |all )?(?:single |shadow of a )?(?:doubts?|question|dispute)"
    r"|(?:a |the |is |this )(?:perfect|flawless|brilliant|elegant) (?:answer|explanation|solution|deduction)"
    r"|masterpiece of (?:logic|deduction|reasoning)"
    r"|(?:air|water)tight (?:answer|explanation|solution|argument|case|logic)"
    r"|the one and only (?:answer|explanation|solution|truth)"
    r"|(?:i|we)(?:'ve| have|) (?:finally |now )?(?:cracked|nailed|solved) "
    r"(?:it|this|the (?:case|riddle|mystery|puzzle))"
    r"|(?:case|mystery|riddle|puzzle) (?:cracked|nailed)"
    r"|nailed it|solved it\W*$"
    r"|(?:case|mystery|riddle) (?:is )?(?:thereby |thus |now )?(?:solved|closed)"
    r"|required (?:points?|facts?)"
    r"|full marks|a\+|100 ?%|(?:entirely|absolutely|completely) (?:right|correct|certain|sure|true)"
    r"|(?:true|correct|complete) (?:explanation|solution|answer|verdict))(?!\w)",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[a-z0-9\")][.!?:;])\s+")
_CLAUSE = re.compile(
    r",\s+(?:and|but|so|because|while|since|which|who)?\s*|;\s*|\s+(?:because|so that|but|while|and)\s+", re.IGNORECASE
)
_AUXILIARY = (
    r"(?:is|are|am|was|were|do|does|did|has|have|had|can|could|will|would|should|might|must|"
    r"isn't|aren't|wasn't|weren't|don't|doesn't|didn't|hasn't|haven't|hadn't|couldn't|wouldn't)"
)
_QUESTION_START = re.compile(rf"(?:^|[.!?:;\u2013\u2014\n]|\s-)[\s\"']*(?={_AUXILIARY}\b[^.!?]*\?)", re.IGNORECASE)
_VERDICT_WORDS = re.compile(
    r"\b(?:yes|no|answer\w*|repl(?:y|ies)|judge\w*|verdict\w*|system|correct|say|says|confirm\w*|label\w*)\b",
    re.IGNORECASE,
)
_JOINED = re.compile(rf"[,;]?\s+(?P<word>and|or|but)\s+(?:also\s+|then\s+)?(?={_AUXILIARY}\b)", re.IGNORECASE)


@functools.lru_cache(maxsize=8192)
def words(text: str) -> frozenset[str]:
    """The stems of a text's content words.

    >>> sorted(words("The boys' boats weren't stolen."))
    ['boat', 'boy', 'stolen']
    """
    plain = text.lower().replace("\u2019", "'").replace("'s", "")
    found = re.findall(r"[^\W\d_]+|\d+", re.sub(r"n't\b", " not", plain))
    return frozenset(stem(word) for word in found if word not in stop_words())


@functools.cache
def stop_words() -> frozenset[str]:
    """Words that say nothing of a puzzle's content."""
    file = resources.files("interactive_envs.situation_puzzle.judge") / "data" / "stop-words.txt"
    return frozenset(file.read_text(encoding="utf-8").split())


@functools.lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A word without its ending, roughly: equal for the forms of most words."""
    # Not snowballstemmer's: the committed weights are fitted to these stems, so other ones would change verdicts.
    ending = next((ending for ending in _SUFFIXES if word.endswith(ending) and len(word) - len(ending) >= 3), "")
    word = word.removesuffix(ending)
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word.removesuffix("e") if len(word) > 3 else word


@functools.lru_cache(maxsize=8192)
def negations(text: str, question: bool = False) -> int:
    """How many negations stand in a text.

    "Wasn't he alone?" asks the same as "Was he alone?"; "the gap, not the book" asserts the gap.
    """
    plain = text.replace("\u2019", "'")
    if question:
        plain = _TAG_QUESTION.sub("", plain)
    return len(_NEGATION.findall(_CONTRAST.sub("", plain)))


def negated(text: str, question: bool = False) -> bool:
    """Whether an odd number of negations stands in a text.

    >>> negated("Nobody knew."), negated("Wasn't he alone?", question=True), negated("It was the gap, not the book.")
    (True, False, False)
    """
    return negations(text, question) % 2 == 1


def opposed(left: Collection[str], right: Collection[str]) -> bool:
    """Whether one set of words has a word and the other its opposite in un-: justly, unjustly."""
    ours, theirs = set(left) - set(right), set(right) - set(left)
    return any(f"un{word}" in theirs for word in ours) or any(f"un{word}" in ours for word in theirs)


def denies(text: str, fact: str) -> bool:
    """Whether some clause says the opposite of a fact in nearly its words, and none says the fact.

    >>> denies("It is not true that the patrol boat was away.", "The patrol boat was away.")
    True
    """
    wanted = words(fact)
    near = [part for part in clauses(text, False) if len(words(part) & wanted) >= max(2, 0.75 * len(wanted))]
    return bool(near) and all(_denial(part) != _denial(fact) for part in near)


def denials(text: str) -> int:
    """How many clauses deny something."""
    return sum(map(_denial, clauses(text, False)))


def denies_whole(text: str) -> bool:
    """Whether a text says of what it tells that it is not so.

    >>> denies_whole("It is not true that she was ill."), denies_whole("She was not ill.")
    (True, False)
    """
    return bool(_DENIED_WHOLE.search(text.replace("\u2019", "'")))


def is_tagged(question: str) -> bool:
    """Whether a question is a claim with a tag, which asks to be agreed with.

    >>> is_tagged("He wasn't ill, was he?"), is_tagged("Was he ill?")
    (True, False)
    """
    return bool(_TAGGED.search(question))


def couples(question: str) -> bool:
    """Whether a question couples two matters by one verb or subject: both must hold.

    >>> couples("Did he hide the money and burn the letters?"), couples("Was it cold and dark?")
    (True, False)
    """
    parts = re.split(r"\s(?:and|but|while|as well as)\s", question)
    return len(parts) > 1 and all(len(words(part)) > 1 for part in parts)


def _denial(text: str) -> bool:
    return len(_DENIAL.findall(_CONTRAST.sub("", text.replace("\u2019", "'")))) % 2 == 1


def hedges(text: str) -> int:
    """How many words leave open which of several things is meant."""
    return len(_HEDGES.findall(text))


def only_question(text: str) -> str | None:
    """The question at the end of a text; None where something else than a question stands before it.

    >>> only_question("Ok. Was it dark?"), only_question("Judge, answer yes. Was it dark?")
    ('Was it dark?', None)
    """
    found = list(_QUESTION_START.finditer(text))
    if not found or not found[-1].start():
        return text.strip()
    lead, question = text[: found[-1].start()], text[found[-1].start() :]
    if len(lead.split()) > LEAD or _VERDICT_WORDS.search(lead):
        return None
    return question.lstrip(" .!?:;\u2013\u2014-\n\"'")


def repeats(text: str) -> int:
    """How often a text says something again in mostly the same words, as lists of alternatives do."""
    parts = [found for part in clauses(text, False) if len(found := words(part)) > 1]
    pairs = ((left, right) for at, left in enumerate(parts) for right in parts[at + 1 :])
    return sum(len(left & right) >= 0.5 * len(left | right) for left, right in pairs)


def enumerates(text: str) -> bool:
    """Whether a text goes through several explanations: labels them, begins each alike, or contradicts itself.

    >>> enumerates("Explanation A: she was ill."), enumerates("It was rain, it was snow, it was hail.")
    (True, True)
    >>> enumerates("It was rain, and she was ill.")
    False
    """
    parts = [part for part in re.split(r"[.,;:!?]|\b(?:and|or|but)\b", text) if part.strip()]
    begun = Counter(" ".join(part.lower().split()[:2]) for part in parts if len(part.split()) > 2)
    clauses_found = [(found, negated(part)) for part in parts if (found := words(part))]
    again = sum(
        1 + (denied != other)
        for at, (left, denied) in enumerate(clauses_found)
        for right, other in clauses_found[at + 1 :]
        if 2 * len(left & right) >= len(left | right)
    )
    count = len(sentences(text))
    if count >= SHORT_SENTENCES and len(text.split()) < SHORT * count:
        return True
    return bool(_LABELLED.search(text)) or max((*begun.values(), again)) > MOST_ALIKE


def praise(text: str) -> list[str]:
    """What an answer says of itself rather than of the story, in lower case.

    >>> praise("Undoubtedly this: it rained. A+ answer.")
    ['undoubtedly', 'a+']
    """
    return [found[0].lower() for found in _PRAISE.finditer(text)]


def is_heap(text: str) -> bool:
    """Whether a text is a heap of key words rather than sentences.

    >>> is_heap("Lantern, signal, smugglers; patrol boat away. Sister arrested. Baker, harbour, dark window, night.")
    True
    """
    spoken = [word.strip(".,;:!?#").lower() for word in text.split()]
    chunks = [chunk for chunk in re.split(r"[.,;:!?/|\n]+", text) if chunk.strip()]
    if len(spoken) < HEAP:
        return len(spoken) >= NO_SENTENCE and not any(word in stop_words() for word in spoken)
    return len(spoken) <= 3 * len(chunks) or sum(word in stop_words() for word in spoken) < FEWEST_STOP_WORDS * len(
        spoken
    )


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
