"""Which of a problem's quantities a symbol, a formula, a noun phrase or a sentence speaks of."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from interactive_envs.mathematics.generators.base import ANSWER, Problem
from interactive_envs.mathematics.judge.describing import (
    Description,
    counted_in_questions,
    course_of,
    describe_values,
    digits_asked,
    optimum_asked,
    people_in,
    places_asked,
    questions,
    symbols_given,
    text_stems,
    tokens_of,
)
from interactive_envs.mathematics.judge.notation import Token, canonical, is_rare, is_telling
from interactive_envs.mathematics.judge.words import (
    ASKED,
    ASKED_KINDS,
    DECISIVE_STEMS,
    MEAN_STEMS,
    SMALL,
    SOFT_STEMS,
    SUPERLATIVE_STEMS,
    TURNING_STEMS,
    UNBOUND_STEMS,
    is_alike,
    is_shared_out,
    stem,
    stems_of,
    weighty,
)

ENOUGH = 0.55
"""Share of words, by weight, that a phrase and what it names must have in common."""
LIKELY = 0.45
"""The same where the number said is the number described: their meeting is evidence, too."""
ARTICLES = ("the", "a", "an")
RARELY = 0.2
"""The same for a fraction or a number of two digits or more: it is hardly met by chance."""
TELLING = 0.45
"""The same for a number that is not met by chance at all."""
CERTAINLY = 0.75
"""The same, however well other descriptions fit."""
CLEARLY = 0.08
"""How much better than anything else."""


class Names:
    """What the words of one problem stand for.

    Attributes:
        problem: the problem.
        values: the quantities' values in lowest terms, by name.
        given: values that the text gives to symbols, such as points, by symbol.
        descriptions: all that describes a value.
        vocabulary: stems of all words of the text, the facts and the phrases.
        context: stems of the text.
        question: stems of its questions.
        asked: stems of what its questions count.
        answer_words: stems of the answer's phrases.
        people: stems of likely names of people.
        optimum: ``least`` or ``most`` where such a number is asked for, else empty.
        places: stems of what has a number in a list that is asked for.
        course: what passes a bound after ``answer`` steps; empty where nothing does.
        digits: how many last digits are asked for.
        numbers: all numbers of the text, the facts and the values.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.values = {quantity.name: canonical(quantity.value) for quantity in problem.quantities}
        self.given = symbols_given(problem.text)
        self.descriptions = describe_values(problem, self.values)
        texts = [problem.text, *(fact.text for fact in problem.facts)]
        texts += [phrase for quantity in problem.quantities for phrase in quantity.phrases]
        stems = [one for text in texts for one in text_stems(text)]
        asked = " ".join(questions(problem.text))
        self.vocabulary = frozenset(stems)
        self.context = frozenset(text_stems(problem.text))
        self.question = frozenset(text_stems(asked))
        self.asked = counted_in_questions(asked)
        self.answer_words = frozenset(one for phrase in self._phrases(ANSWER) for one in weighty(text_stems(phrase)))
        self.answer_words -= DECISIVE_STEMS
        self.people = people_in(problem.text)
        self.optimum = optimum_asked(asked)
        self.places = places_asked(asked)
        self.course = course_of(problem)
        self.digits = digits_asked(problem.text)
        self.numbers = _numbers(problem, stems, self.values)
        self._symbols = _symbols(problem)
        self._formulas = _formulas(problem)
        self._about = {quantity.name: self._words_about(quantity.name) for quantity in problem.quantities}
        self._phrase_words: dict[str, frozenset[str]] = {}
        for description in self.descriptions:
            if description.phrase:
                before = self._phrase_words.get(description.reading, frozenset())
                self._phrase_words[description.reading] = before | description.every
        counts = Counter(one for description in self.descriptions for one in description.stems)
        self._weights = {one: 1 / (1 + math.log(count)) for one, count in counts.items()}
        self._resolved: dict[tuple[str, ...], str | None] = {}
        self._called = _called(problem)

    # -- symbols and formulas -----------------------------------------------------------------------------------

    def symbol(self, text: str) -> str | None:
        """Return the quantity that a symbol, a name or ``f(3)`` stands for."""
        key = text.lower().replace(" ", "").replace("_", "")
        if key in self._symbols:
            return self._symbols[key]
        if key in self.given:
            return key
        if len(key) == 2 and all(self.given.get(letter, "").startswith("(") for letter in key):
            return f"({key[1]} - {key[0]})"  # from point to point
        return None

    def is_vector(self, text: str) -> bool:
        """Return whether an expression is of points."""
        if re.search(r"\b(dot|Abs|component)\(", text):
            return False
        letters = re.findall(r"\b[a-z]\b", text)
        return any(self.given.get(one, "").startswith("(") for one in letters) or bool(
            re.search(r"\([^()]*, [^()]*,", text)
        )

    def is_set(self, name: str) -> bool:
        """Return whether a quantity is a set."""
        return self.values.get(name, "").startswith("{")

    def formula(self, texts: Sequence[str]) -> str | None:
        """Return the quantity that a formula stands for which is its name: ``r + s + t``, ``ratio q/p``."""
        key = re.sub(r"\((\d)\)", r"\1", _join(texts))
        return self._formulas.get(key) or self._power_sum(key)

    def _power_sum(self, key: str) -> str | None:
        """Return the sum of the squares for ``r^2+s^2+t^2``, of the cubes likewise, of unknowns of the problem."""
        terms = [re.fullmatch(r"([a-z])\^([23])", term) for term in key.split("+")]
        letters = {term[1] for term in terms if term}
        powers = {term[2] for term in terms if term}
        if len(terms) < 2 or len(letters) < len(terms) or len(powers) != 1 or not letters <= self.vocabulary:
            return None
        wanted = frozenset((stem("sum"), stem("squares" if powers == {"2"} else "cubes")))
        found = {one.reading for one in self.descriptions if one.phrase and one.stems == wanted}
        return found.pop() if len(found) == 1 else None

    # -- phrases ------------------------------------------------------------------------------------------------

    def resolve(self, tokens: Sequence[Token]) -> str | None:
        """Return what a noun phrase stands for, a quantity's name or a number; None where that is not clear."""
        key = tuple(token.text for token in tokens)
        if key not in self._resolved:
            self._resolved[key] = self._resolve(stems_of(tokens), key)
        return self._resolved[key]

    def _resolve(self, stems: list[str], texts: Sequence[str]) -> str | None:
        if len(texts) == 1 and (name := self.symbol(texts[0])):
            return name
        if _asks(texts):
            return ANSWER
        found = self.match(stems, texts=texts)
        if found and found != ANSWER and len(terms := weighty(stems)) == 1 and terms <= SOFT_STEMS:
            return found if self._is_phrase(found, terms) else None
        return found

    def called(self, texts: Sequence[str]) -> str | None:
        """Return the quantity that has just these words as a phrase."""
        return self._called.get(tuple(text for text in texts if text not in ARTICLES))

    def has(self, value: str) -> bool:
        """Return whether one of the quantities has this value, in lowest terms."""
        return value in self.values.values()

    def knows(self, stems: Collection[str]) -> bool:
        """Return whether all words with weight are words of the problem, or mean the same as one."""
        return all(is_alike(one, self.vocabulary) for one in weighty(stems) - SOFT_STEMS)

    def counts(self, noun: str) -> bool:
        """Return whether a noun is what the answer counts."""
        return is_alike(stem(noun), {*self.asked, *self.answer_words})

    def calls(self, name: str, text: str) -> bool:
        """Return whether a text calls a quantity by one of its phrases, or has all of two words or more of one."""
        phrases = self._phrases(name)
        lower = text.lower()
        if any(
            phrase in lower and re.search(rf"(?<!\w){re.escape(phrase)}(?:e?s)?(?!\w)", lower) for phrase in phrases
        ):
            return True
        terms = {one.lstrip("=") for one in text_stems(text)}
        kept = ({one.lstrip("=") for one in weighty(text_stems(phrase))} for phrase in phrases)
        return name != ANSWER and any(sum(map(str.isalpha, one)) > 1 and one <= terms for one in kept)

    def without_condition(self) -> str | None:
        """Return the quantity that leaves a condition out, such as ``number of ways without condition``."""
        found = {one.reading for one in self.descriptions if one.phrase and UNBOUND_STEMS & one.stems}
        return found.pop() if len(found) == 1 else None

    def group(self, tokens: Sequence[Token]) -> list[str]:
        """Return the quantities that differ by a number only, such as the smeared digits: first, second, third."""
        stems = weighty(stems_of(tokens))
        counted = {one for one in stems if one.isdecimal()}
        terms = stems - counted - SOFT_STEMS - {stem("both")}
        members: dict[str, None] = {}
        for description in self.descriptions:
            marks = {one for one in description.stems if one[0] in "#="}
            if description.phrase and len(marks) == 1 and terms and description.stems - marks == terms:
                members[description.reading] = None
        size = int(min(counted)) if len(counted) == 1 else 2 if "both" in [token.text for token in tokens] else None
        return list(members) if len(members) > 1 and size in (None, len(members)) else []

    def _phrases(self, name: str) -> tuple[str, ...]:
        return next((quantity.phrases for quantity in self.problem.quantities if quantity.name == name), ())

    def _is_phrase(self, name: str, stems: frozenset[str]) -> bool:
        """Return whether words are all that one of a quantity's phrases says: ``total``."""
        return any(one.phrase and one.reading == name and one.stems == stems for one in self.descriptions)

    def _words_about(self, name: str) -> frozenset[str]:
        """Return all words that the problem uses when it speaks of a quantity."""
        texts = [fact.text for fact in self.problem.facts if re.search(rf"\b{name}\b", fact.claim)]
        return frozenset(one for text in [*texts, *self._phrases(name)] for one in text_stems(text))

    # -- likeness of words --------------------------------------------------------------------------------------

    def match(
        self,
        stems: Sequence[str],
        value: str | None = None,
        *,
        least: float = ENOUGH,
        counted: Sequence[str] = (),
        texts: Sequence[str] = (),
    ) -> str | None:
        """Return the value described by some words; one that equals ``value`` needs less evidence.

        Args:
            stems: of the words.
            value: the number that is said to be described, where there is one.
            least: likeness that is demanded.
            counted: the words that a number stands before: one says what is counted.
            texts: the words themselves, in order.
        """
        terms = weighty(stems)
        if not terms:
            return self._match_small(frozenset(stems))
        scores = self._scores(stems, value, counted, tuple(text for text in texts if text not in SMALL))
        if value is not None and value in scores:
            score, reading = scores.pop(value)
            best = max((other for other, _ in scores.values()), default=0.0)
            if score >= (RARELY if is_rare(value) else LIKELY) and score + CLEARLY >= best:
                return reading
            if score >= (TELLING if is_telling(value) else CERTAINLY) and is_rare(value):
                return reading
            if score >= max(RARELY, best - 0.25) and is_rare(value):
                return None  # of two readings, one of which the number itself suggests
        if not any(score for score, _ in scores.values() if score >= least):
            return self._match_head(terms)
        ranked = sorted(scores.values(), reverse=True)
        if not ranked or ranked[0][0] < least or (len(ranked) > 1 and ranked[0][0] - ranked[1][0] < CLEARLY):
            return None
        return ranked[0][1]

    def _scores(
        self, stems: Sequence[str], value: str | None, counted: Sequence[str], order: tuple[str, ...]
    ) -> dict[str, tuple[float, str]]:
        """Return for each value described how well the words fit, and the quantity or number that has it."""
        terms, every = weighty(stems), frozenset(stems)
        scores: dict[str, tuple[float, str]] = {}
        for description in self.descriptions:
            where = self.values.get(description.reading, description.reading)
            met = value is not None and is_rare(value) and value == where
            sure = met and value is not None and is_telling(value)
            score = self._score(terms, every, description, strict=not met, asked=value is None, sure=sure)
            if not met and is_shared_out(stems) and not is_shared_out(description.every):
                continue
            if counted and not met and not any(is_alike(one, description.every | self.asked) for one in counted):
                continue
            if score and description.head and any(is_alike(one, (description.head,)) for one in counted):
                score += 0.1
            if score and order and description.order == order:
                score += 0.15
            scores[where] = max(scores.get(where, (0.0, "")), (score, description.reading))
        return scores

    def _match_small(self, every: frozenset[str]) -> str | None:
        """Return the quantity with a phrase of just these words, none of which has weight."""
        for description in self.descriptions:
            if description.phrase and description.every - {"th", "the"} == every - {"the", "a", "of", "th"}:
                return description.reading
        return None

    def _match_head(self, terms: frozenset[str]) -> str | None:
        """Return the only quantity with a phrase that begins with what it is and has all the words: ``the radius``."""
        found = {
            description.reading
            for description in self.descriptions
            if description.phrase and description.head in terms and terms <= description.stems
        }
        blocked = any(
            description.reading in found and (description.stems - terms) & DECISIVE_STEMS - SUPERLATIVE_STEMS
            for description in self.descriptions
        )
        return found.pop() if len(found) == 1 and not blocked else None

    def _score(
        self,
        terms: frozenset[str],
        every: frozenset[str],
        description: Description,
        *,
        strict: bool = True,
        asked: bool = True,
        sure: bool = False,
    ) -> float:
        """Return from 0 to 1 how much two sets of words have in common; 0 where they contradict each other.

        Args:
            terms: the words with weight.
            every: all words.
            description: what they are compared with.
            strict: whether each word must be one of the problem's, and each number must be met.
            asked: whether a part of the question may stand for the answer.
            sure: whether a number not met by chance is met: only few words can contradict it.
        """
        if MEAN_STEMS & terms and not is_alike("mean", description.every):
            return 0.0
        if description.alone and terms != description.stems:
            return 0.0
        if asked and _asks_part(terms, description):
            return 0.75 + 0.2 * len(terms) / len(description.stems)
        if strict and not self._are_words_about(terms - SOFT_STEMS, description):
            return 0.0
        if _contradict(terms, every, description, strict=strict, sure=sure):
            return 0.0
        return self._overlap(terms, every, description)

    def _are_words_about(self, stems: frozenset[str], description: Description) -> bool:
        """Return whether each word is one of the problem's when it speaks of what is described."""
        about = self._about.get(description.reading, frozenset()) if description.phrase else description.every
        return all(any(is_alike(one, known) for known in (description.every, about, self.context)) for one in stems)

    def _overlap(self, terms: frozenset[str], every: frozenset[str], description: Description) -> float:
        """Return the harmonic mean of precision and recall by weight, and a little more where words are the same."""
        there = description.stems
        text_weight = self._weight_of(terms)
        there_weight = self._weight_of(there)
        if not any(is_alike(one, description.every) for one in terms) or not there_weight:
            return 0.0
        wide = description.every
        if description.phrase:
            wide = self._phrase_words.get(description.reading, description.every)
        precision = self._weight_of(one for one in terms if is_alike(one, wide)) / text_weight
        recall = self._weight_of(one for one in there if is_alike(one, every)) / there_weight
        exact = 0.05 * (terms == there) + 0.1 * len(every & description.every) / len(every | description.every)
        return 2 * precision * recall / (precision + recall) + exact if precision + recall else 0.0

    def _weight_of(self, stems: Iterable[str]) -> float:
        """Return the weight of all stems; the order of a set must not decide between two readings."""
        return math.fsum(map(self._weight, stems))

    def _weight(self, one: str) -> float:
        if one in SOFT_STEMS:
            return 0.15
        return self._weights.get(one, 1.0 if one in self.vocabulary else 1.5)


def _asks_part(terms: frozenset[str], description: Description) -> bool:
    """Return whether words are a part of the question, its first word with them."""
    return (
        description.asked
        and description.head in terms
        and all(is_alike(one, description.every) for one in terms)
        and (len(terms) > 1 or not terms & DECISIVE_STEMS)
    )


def _contradict(
    terms: frozenset[str], every: frozenset[str], description: Description, *, strict: bool, sure: bool
) -> bool:
    """Return whether a number, a letter or a decisive word stands on one side alone."""
    there = description.stems
    both_marked = all(any(one[0] in "#=" for one in side) for side in (terms, there))
    any_number = any(one[0] in "#=0123456789" for one in there)
    for one in terms ^ there:
        if sure and one not in TURNING_STEMS and (one[0] not in "#=" or not both_marked):
            continue
        if not strict and one in ("2", "3", "4") and one in terms and not any_number:
            continue  # "two white socks" of the problem's own
        decides = one in DECISIVE_STEMS or one[0] in "=#0123456789" or len(one) == 1
        if decides and not is_alike(one, description.every if one in terms else every):
            return True
    return False


def _asks(texts: Sequence[str]) -> bool:
    """Return whether words are of the answer in any problem: ``the correct result``."""
    kept = [text for text in texts if text not in SMALL or text in ("value", "number")]
    asked = [text for text in kept if text in ASKED]
    return bool(asked) and len(set(kept)) == len(kept) and all(text in ASKED | ASKED_KINDS for text in kept)


def _called(problem: Problem) -> dict[tuple[str, ...], str]:
    """Return the quantities by the words of their phrases of two words or more; what several have is left out."""
    found: dict[tuple[str, ...], set[str]] = {}
    for quantity in problem.quantities:
        for phrase in quantity.phrases:
            words = tuple(token.text for token in tokens_of(phrase) if token.text not in ARTICLES)
            if len(words) > 1:
                found.setdefault(words, set()).add(quantity.name)
    return {words: names.pop() for words, names in found.items() if len(names) == 1}


def _symbols(problem: Problem) -> dict[str, str]:
    """Return the quantities by what could be a symbol for them."""
    found: dict[str, str] = {}
    for quantity in problem.quantities:
        keys = [quantity.name, *(phrase for phrase in quantity.phrases if " " not in phrase or "(" in phrase)]
        for key in keys:
            if len(key) == 1 or re.search(r"[\d_(^/*+]", key) or key == quantity.name:
                found.setdefault(key.lower().replace(" ", "").replace("_", ""), quantity.name)
    return found


def _formulas(problem: Problem) -> dict[str, str]:
    """Return the quantities by the formulas that are phrases for them, and the answer by what is asked."""
    found: dict[str, str] = {}
    for quantity in problem.quantities:
        for phrase in quantity.phrases:
            if re.search(r"[-+*/^=(]", phrase):
                found.setdefault(_join([token.text for token in tokens_of(phrase)]), quantity.name)
    for asked in re.findall(r"(?:What is|Find|Compute|Determine) ([^?.]*[\^+*/()][^?.]*)[?.]", problem.text):
        found.setdefault(_join([token.text for token in tokens_of(asked)]), ANSWER)
    return found


def _numbers(problem: Problem, stems: Sequence[str], values: Mapping[str, str]) -> frozenset[str]:
    """Return all numbers of the words, the facts and the values."""
    numbers = {one.lstrip("=#") for one in stems if re.fullmatch(r"[=#]?\d+(\.\d+)?", one)}
    for fact in problem.facts:
        numbers.update(re.findall(r"(?<![\w.])\d+", fact.claim))
    return frozenset(numbers.union(*(re.findall(r"\d+", value) for value in values.values()), values.values()))


def _join(texts: Sequence[str]) -> str:
    return "".join(text for text in texts if text not in ("the", "a", "an", "*")).lower()
