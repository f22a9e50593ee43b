"""Noun phrases and sentences of a problem, and which of its quantities they speak of."""

from __future__ import annotations

import ast
import functools
import keyword
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from interactive_envs.mathematics.generators.base import ANSWER, Problem
from interactive_envs.mathematics.judge import notation
from interactive_envs.mathematics.judge.notation import Token, UnreadableError

SOFT = frozenset(
    """between different other among around choose allowed possible during another positive all total overall
    altogether equally likely long high apart wide away stay contribute contribution separate put candidate
    further form stand admit produce appear occur require suffice provide arrange distribute obtain reach run
    possibility themselves once always mean result leave arise remain place case""".split()
)
"""Words that tell little; they need not be the problem's."""
ENOUGH = 0.55
"""Share of words, by weight, that a phrase and what it names must have in common."""
LIKELY = 0.45
"""The same where the number said is the number described: their meeting is evidence, too."""
RARELY = 0.2
"""The same for a fraction or a number of two digits or more: it is hardly met by chance."""
TOLD = 0.45
"""The same for a number that is not met by chance at all."""
CERTAINLY = 0.75
"""The same, however well other descriptions fit."""
CLEARLY = 0.08
"""How much better than anything else."""

SMALL = frozenset(
    """a an the of for in on at to by with from as into and is are was were be been being it its this that these
    those there here which who whom whose what how does do did has have had can could will would so then thus
    therefore also if when where while than such per each every own we you i us our they them their he she his
    her him get gets got give gives given giving make makes made take takes taken come comes exactly precisely
    just only any some more most very much many equal equals contain contains whole together problem possible
    various distinct value number count amount quantity itself still up out about i.e e.g namely use used
    available exist exists consider considered there's altogether correspond hold holds held need needs needed
    must may might should shall consist""".split()
)
"""Words without weight of their own."""
DECISIVE = frozenset(
    """without not no never inside outside inner outer smallest largest least most fewer less more greater
    smaller even odd left right up down above below before after cannot both either neither first last only
    except but shorter longer shortest longest minimum maximum sum difference product ratio square root half
    twice double north south east west remaining forbidden limit multiple divisor factor over under exceed
    divisible prime composite denominator numerator larger coprime perfect than as one none power digit those
    too few""".split()
)
"""Words that must not stand on one side alone."""
TURNING = frozenset(
    """without not no never smallest largest least most even odd shortest longest minimum maximum sum difference
    product ratio inside outside divisible prime than too few up down""".split()
)
"""Those of them that must not stand on one side alone even where the number said is the number described."""
ASKED = frozenset(
    """answer result solution wanted requested desired sought asked final required outcome searched result's
    answer's ans""".split()
)
_ALIKE = (
    "sum add total",
    "smallest least minimum minimal lowest",
    "largest greatest maximum biggest maximal highest",
    "way arrangement possibility order seating",
    "divisor factor",
    "remainder rest residue leave",
    "repeat period cycle recur",
    "symmetric symmetry palindrome",
    "colour color",
    "coloring colouring",
    "path way route",
    "probability chance",
    "forbidden bad excluded",
    "exponent power multiplicity",
    "gcd common",
    "row length",
    "skip skipped",
    "word text",
    "allowed permitted possible",
    "joined joining join merge combine",
    "covering tiling",
    "wrong incorrect false",
    "readable read",
    "smeared unreadable missing",
    "term contribution summand",
    "inradius incircle inscribed",
    "circumradius circumcircle circumscribed",
    "expected mean average",
    "edge side",
    "start begin initial beginning",
    "identity moves",
    "motion symmetry",
    "mast pole",
    "solution root",
    "entry element",
    "distance gap",
    "weighted graded",
    "alphabet symbol",
    "need require take",
    "rank dimension",
    "lowest least",
    "lie inside",
    "kind type",
    "large larger enlarged bigger",
    "draw drawn",
    "written write",
    "rope wire",
    "overall total",
    "satisfy meet fulfil hold true right",
    "through via pass by",
    "single one",
    "all total overall altogether",
    "outcome case",
    "favourable favorable",
    "shrink contract",
    "path way",
    "per each every",
    "long length",
    "share distribute distribution",
    "unlimited without",
    "remaining left remain",
    "possible payable",
)


_NOUNS = frozenset("colouring coloring covering tiling seating crossing string ring".split())
"""Nouns that are not the doing of their verb."""
_IRREGULAR = {"chosen": "choose", "drawn": "draw", "written": "write", "taken": "take", "held": "hold",
              "shown": "show", "broken": "break", "vertices": "vertex", "lies": "lie", "lying": "lie",
              "hidden": "hide", "won": "win", "lost": "lose", "kept": "keep", "met": "meet"}  # fmt: skip


@functools.cache
def stem(word: str) -> str:
    """A word without its ending, so that plural and past forms meet."""
    word = word.removesuffix("'s").removesuffix("'")
    if word.removesuffix("s") in _NOUNS:
        return word.removesuffix("s")
    word = _IRREGULAR.get(word, word)
    if len(word) <= 3 or "_" in word or word[-1].isdigit():
        return word
    for ending, least in (("ings", 7), ("ing", 6), ("ied", 5), ("ies", 5), ("ed", 5), ("es", 5), ("s", 4), ("ly", 6)):
        if word.endswith(ending) and len(word) >= least and not word.endswith("ss"):
            word = word.removesuffix(ending) + ("y" if ending in ("ied", "ies") else "")
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "sl":
        word = word[:-1]
    return word.removesuffix("e")


@functools.cache
def _families() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _ALIKE:
        stems = {stem(word) for word in line.split()}
        for one in stems:
            found.setdefault(one, set()).update(stems)
    return {one: frozenset(others) for one, others in found.items()}


def alike(one: str, others: Iterable[str]) -> bool:
    """Whether a stem or one of the same meaning is among others."""
    if one[0] in "=#0123456789":  # a label may be an ordinal or a number, which are not the same
        digits = one.lstrip("=#")
        forms = {digits, f"#{digits}", f"={digits}"} if one[0] == "=" else {one, f"={digits}"}
        return not forms.isdisjoint(others)
    family = _families().get(one, frozenset((one,)))
    return any(other in family for other in others)


def words(found: Sequence[Token]) -> list[str]:
    """The stems of what tokens say; numbers as digits, ordinals as ``#3``, labels (``letter 3``) as ``=3``."""
    result = []
    for place, token in enumerate(found):
        if token.kind == "number":
            result.append(("=" if _is_label(found, place) else "") + token.text)
        elif token.kind == "word":
            for piece in token.text.split("-") if "_" not in token.text else [token.text]:
                after = found[place + 1 : place + 2]
                if piece == "one" and not (
                    after and after[0].kind == "word" and stem(after[0].text) not in SMALL_STEMS
                ):
                    continue  # "the wrong one"
                if piece in notation.UNITS and piece != "one":
                    result.append(str(notation.UNITS[piece]))
                else:
                    result.append("#" + notation.ORDINALS[piece] if piece in notation.ORDINALS else stem(piece))
    return result


def ambiguous(found: Sequence[Token]) -> bool:
    """Whether a letter that is also a word tells which one, as in ``A's code word``: it is no word without weight."""
    return any(token.text in ("a's", "i's") for token in found)


def shared_out(stems: Iterable[str]) -> bool:
    """Whether it is said of each of several: ``every gap``, ``per bag``."""
    return not {"each", "every", "per"}.isdisjoint(stems)


def _is_label(found: Sequence[Token], place: int) -> bool:
    """Whether a number tells which one: behind a noun that is numbered, or behind any and not before one."""
    beside = [
        found[at].text if 0 <= at < len(found) and found[at].kind == "word" else "" for at in (place - 1, place + 1)
    ]
    if beside[0] in _NUMBERED:
        return True
    small = [not text or stem(text) in SMALL_STEMS for text in beside]
    return small[1] and not small[0]


_NUMBERED = frozenset(
    """letter length place part line crossing statement condition step method position modulo mod row column day case
    level factor factors exponent at""".split()
)
SMALL_STEMS = frozenset(map(stem, SMALL))
SOFT_STEMS = frozenset(map(stem, SOFT))
_SUPERLATIVE_STEMS = frozenset(map(stem, "smallest largest least shortest longest greatest".split()))
DECISIVE_STEMS = frozenset(map(stem, DECISIVE))
_MEANS = frozenset(map(stem, "expected average".split()))
_TURNING_STEMS = frozenset(map(stem, TURNING))


_UNBOUND = frozenset(map(stem, "without unlimited unrestricted unconditioned".split()))


def weighty(stems: Iterable[str]) -> frozenset[str]:
    """The stems that carry meaning."""
    return frozenset(one for one in stems if one not in SMALL_STEMS)


@dataclass(frozen=True)
class Description:
    """Words that stand for a value.

    Attributes:
        stems: the words that carry meaning.
        every: all of its words.
        asked: whether it is the question itself, of which a part may be said.
        reading: the name of a quantity, or a number.
        phrase: whether it is a quantity's own phrase; else a sentence that mentions the value.
        order: its words with meaning, as they are said.
        head: the stem of the first of them.
        alone: whether only these words, and no more, stand for it.
    """

    stems: frozenset[str]
    every: frozenset[str]
    reading: str
    phrase: bool
    asked: bool = False
    order: tuple[str, ...] = ()
    head: str = ""
    alone: bool = False


class Names:
    """What the words of one problem stand for."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.values = {quantity.name: canonical(quantity.value) for quantity in problem.quantities}
        self.told = _told_symbols(problem.text)
        self.symbols = self._symbols()
        self.formulas = self._formulas()
        self.descriptions = [*self._phrases(), *self._sentences()]
        texts = [problem.text, *(fact.text for fact in problem.facts)]
        texts += [phrase for quantity in problem.quantities for phrase in quantity.phrases]
        stems = [stem_ for text in texts for stem_ in words(_tokens(text))]
        self.vocabulary = frozenset(stems)
        self.context = frozenset(words(_tokens(problem.text)))
        questions = " ".join(re.findall(r"[^.?!]*\?", problem.text))
        self.asked = frozenset(
            one
            for noun in re.findall(rf"(?i)(?:how many|number of)((?: (?!{_VERBS}\b)[a-z]+){{1,4}})", questions)
            for one in weighty(words(_tokens(noun))) - DECISIVE_STEMS
        )
        self.asked |= {"way"} if self.asked else set()
        self.answer_words = frozenset(
            one for quantity in problem.quantities if quantity.name == ANSWER for phrase in quantity.phrases
            for one in weighty(words(_tokens(phrase)))
        ) - DECISIVE_STEMS  # fmt: skip
        self.question = frozenset(words(_tokens(questions)))
        self.people = _people(problem.text)
        self.optimum = _optimum(questions)
        self.places = frozenset(map(stem, re.findall(r"(?i)(?:on|in|at) which (\w+)", questions)))
        if re.search("What is the number of (the [a-z]+ )?[A-Z]{2}", questions):
            self.places |= {"number"}
        self.course = _course(problem)
        digits = re.search(r"(?i)last (?:(two|three|four) |(\d) )?digits?", problem.text)
        self.digits = {"two": 2, "three": 3, "four": 4}.get(digits[1], int(digits[2] or 1)) if digits else 0
        self._about = {quantity.name: self._told_of(quantity.name) for quantity in problem.quantities}
        counts = Counter(one for description in self.descriptions for one in description.stems)
        self._wide: dict[str, frozenset[str]] = {}
        for description in self.descriptions:
            if description.phrase:
                before = self._wide.get(description.reading, frozenset())
                self._wide[description.reading] = before | description.every
        self._weights = {one: 1 / (1 + math.log(count)) for one, count in counts.items()}
        numbers = {one.lstrip("=#") for one in stems if re.fullmatch(r"[=#]?\d+(\.\d+)?", one)}
        for fact in problem.facts:
            numbers.update(re.findall(r"(?<![\w.])\d+", fact.claim))
        self.numbers = frozenset(
            numbers.union(*(re.findall(r"\d+", value) for value in self.values.values()), self.values.values())
        )
        self._cache: dict[tuple[str, ...], str | None] = {}

    def symbol(self, text: str) -> str | None:
        """The quantity that a symbol, a name or ``f(3)`` stands for."""
        key = text.lower().replace(" ", "").replace("_", "")
        if key in self.symbols:
            return self.symbols[key]
        if key in self.told:
            return key
        if len(key) == 2 and all(self.told.get(letter, "").startswith("(") for letter in key):
            return f"({key[1]} - {key[0]})"  # from point to point
        return None

    def is_vector(self, text: str) -> bool:
        """Whether an expression is of points."""
        if re.search(r"\b(dot|Abs|component)\(", text):
            return False
        said = re.findall(r"\b[a-z]\b", text)
        return any(self.told.get(one, "").startswith("(") for one in said) or bool(
            re.search(r"\([^()]*, [^()]*,", text)
        )

    def formula(self, texts: Sequence[str]) -> str | None:
        """The quantity that a formula stands for which is its name: ``r + s + t``, ``ratio q/p``."""
        key = re.sub(r"\((\d)\)", r"\1", _joined(texts))
        return self.formulas.get(key) or self._power_sum(key)

    def _power_sum(self, key: str) -> str | None:
        """The sum of the squares for ``r^2+s^2+t^2``, of the cubes likewise, of unknowns of the problem."""
        terms = [re.fullmatch(r"([a-z])\^([23])", term) for term in key.split("+")]
        letters = {term[1] for term in terms if term}
        powers = {term[2] for term in terms if term}
        if len(terms) < 2 or len(letters) < len(terms) or len(powers) != 1 or not letters <= self.vocabulary:
            return None
        wanted = frozenset((stem("sum"), stem("squares" if powers == {"2"} else "cubes")))
        found = {one.reading for one in self.descriptions if one.phrase and one.stems == wanted}
        return found.pop() if len(found) == 1 else None

    def resolve(self, found: Sequence[Token]) -> str | None:
        """What a noun phrase stands for: a quantity's name or a number; None where that is not clear."""
        key = tuple(token.text for token in found)
        if key not in self._cache:
            self._cache[key] = self._resolve(words(found), [token.text for token in found])
        return self._cache[key]

    def _resolve(self, stems: list[str], texts: list[str]) -> str | None:
        if len(texts) == 1 and (name := self.symbol(texts[0])):
            return name
        if _asks(texts):
            return ANSWER
        found = self.match(stems, texts=texts)
        if found and found != ANSWER and len(said := weighty(stems)) == 1 and said <= SOFT_STEMS:
            return found if self._is_phrase(found, said) else None
        return found

    def has(self, value: str) -> bool:
        """Whether one of the quantities has this value, in lowest terms."""
        return value in self.values.values()

    def calls(self, name: str, text: str) -> bool:
        """Whether a text calls a quantity by one of its phrases, or has all of three words or more of one."""
        phrases = next((quantity.phrases for quantity in self.problem.quantities if quantity.name == name), ())
        if any(phrase in text.lower() for phrase in phrases):
            return True
        said = {one.lstrip("=") for one in words(_tokens(text))}
        kept = ({one.lstrip("=") for one in weighty(words(_tokens(phrase)))} for phrase in phrases)
        return name != ANSWER and any(len(one) > 2 and one <= said for one in kept)

    def without(self) -> str | None:
        """The quantity that leaves a condition out, where there is one: ``number of ways without condition``."""
        found = {one.reading for one in self.descriptions if one.phrase and _UNBOUND & one.stems}
        return found.pop() if len(found) == 1 else None

    def _is_phrase(self, name: str, stems: frozenset[str]) -> bool:
        """Whether words are all that one of a quantity's phrases says: ``total``."""
        return any(one.phrase and one.reading == name and one.stems == stems for one in self.descriptions)

    def group(self, found: Sequence[Token]) -> list[str]:
        """The quantities that differ by a number only, such as the smeared digits: first, second, third."""
        stems = weighty(words(found))
        counted = {one for one in stems if one.isdecimal()}
        said = stems - counted - SOFT_STEMS - {stem("both")}
        members: dict[str, None] = {}
        for description in self.descriptions:
            marks = {one for one in description.stems if one[0] in "#="}
            if description.phrase and len(marks) == 1 and said and description.stems - marks == said:
                members[description.reading] = None
        size = int(min(counted)) if len(counted) == 1 else 2 if "both" in [token.text for token in found] else None
        return list(members) if len(members) > 1 and size in (None, len(members)) else []

    def match(
        self,
        stems: list[str],
        value: str | None = None,
        *,
        least: float = ENOUGH,
        counted: Sequence[str] = (),
        texts: Sequence[str] = (),
    ) -> str | None:
        """The value described by some words; one that equals ``value`` needs less evidence.

        Args:
            stems: the words.
            value: the number said of it, where one is.
            least: likeness that is demanded.
            texts: the words as they were said.
            counted: the words that a number stands before: one says what is counted.
        """
        said = weighty(stems)
        every = frozenset(stems)
        order = tuple(text for text in texts if text not in SMALL)
        if not said:
            for description in self.descriptions:
                if description.phrase and description.every - {"th", "the"} == every - {"the", "a", "of", "th"}:
                    return description.reading
            return None
        scores: dict[str, tuple[float, str]] = {}
        for description in self.descriptions:
            met = (
                value is not None and rare(value) and value == self.values.get(description.reading, description.reading)
            )
            sure = met and value is not None and telling(value)
            score = self._score(said, every, description, strict=not met, asked=value is None, sure=sure)
            if not met and shared_out(stems) and not shared_out(description.every):
                continue
            if counted and not met and not any(alike(one, description.every | self.asked) for one in counted):
                continue
            if score and description.head and any(alike(one, (description.head,)) for one in counted):
                score += 0.1
            if score and order and description.order == order:
                score += 0.15
            where = self.values.get(description.reading, description.reading)
            scores[where] = max(scores.get(where, (0.0, "")), (score, description.reading))
        if value is not None and value in scores:
            score, reading = scores.pop(value)
            if score >= (RARELY if rare(value) else LIKELY) and score + CLEARLY >= max(
                (other for other, _ in scores.values()), default=0.0
            ):
                return reading
            best = max((other for other, _ in scores.values()), default=0.0)
            if score >= (TOLD if telling(value) else CERTAINLY) and rare(value):
                return reading
            if score >= max(RARELY, best - 0.25) and rare(value):
                return None  # of two readings, one of which the number itself suggests
        if not any(score for score, _ in scores.values() if score >= least):
            return self._by_head(said)
        ranked = sorted(scores.values(), reverse=True)
        if not ranked or ranked[0][0] < least or (len(ranked) > 1 and ranked[0][0] - ranked[1][0] < CLEARLY):
            return None
        return ranked[0][1]

    def _by_head(self, said: frozenset[str]) -> str | None:
        """The only quantity with a phrase that begins with what it is and has all the words: ``the radius``."""
        found = {
            description.reading
            for description in self.descriptions
            if description.phrase and description.head in said and said <= description.stems
        }
        blocked = any(
            description.reading in found and (description.stems - said) & DECISIVE_STEMS - _SUPERLATIVE_STEMS
            for description in self.descriptions
        )
        return found.pop() if len(found) == 1 and not blocked else None

    def _told_of(self, name: str) -> frozenset[str]:
        """All words that the problem uses when it speaks of a quantity."""
        texts = [fact.text for fact in self.problem.facts if re.search(rf"\b{name}\b", fact.claim)]
        phrases = next(quantity.phrases for quantity in self.problem.quantities if quantity.name == name)
        return frozenset(one for text in [*texts, *phrases] for one in words(_tokens(text)))

    def _score(
        self,
        said: frozenset[str],
        every: frozenset[str],
        description: Description,
        *,
        strict: bool = True,
        asked: bool = True,
        sure: bool = False,
    ) -> float:
        """From 0 to 1: how much two sets of words have in common; 0 where they contradict each other."""
        there = description.stems
        if _MEANS & said and not alike("mean", description.every):
            return 0.0
        if description.alone and said != there:
            return 0.0
        if (
            asked
            and description.asked
            and description.head in said
            and all(alike(one, description.every) for one in said)
        ) and (not any(one in DECISIVE_STEMS for one in said) or len(said) > 1):
            return 0.75 + 0.2 * len(said) / len(there)
        about = self._about.get(description.reading, frozenset()) if description.phrase else description.every
        for one in said - SOFT_STEMS if strict else ():
            if not (alike(one, description.every) or alike(one, about) or alike(one, self.context)):
                return 0.0
        marked, other_marked = (any(one[0] in "#=" for one in side) for side in (said, there))
        for one in said ^ there:
            if sure and one not in _TURNING_STEMS and (one[0] not in "#=" or not (marked and other_marked)):
                continue
            if not strict and one in ("2", "3", "4") and one in said and not any(o[0] in "#=0123456789" for o in there):
                continue  # "two white socks" of the problem's own
            if one in DECISIVE_STEMS or one[0] in "=#0123456789" or len(one) == 1:
                other = description.every if one in said else every
                if not alike(one, other):
                    return 0.0
        common = [one for one in said if alike(one, description.every)]
        back = [one for one in there if alike(one, every)]
        said_weight = sum(self._weight(one) for one in said)
        there_weight = sum(self._weight(one) for one in there)
        if not common or not there_weight:
            return 0.0
        wide = self._wide.get(description.reading, description.every) if description.phrase else description.every
        precision = sum(self._weight(one) for one in said if alike(one, wide)) / said_weight
        recall = sum(self._weight(one) for one in back) / there_weight
        exact = 0.05 * (said == there) + 0.1 * len(every & description.every) / len(every | description.every)
        return 2 * precision * recall / (precision + recall) + exact if precision + recall else 0.0

    def _weight(self, one: str) -> float:
        if one in SOFT_STEMS:
            return 0.15
        return self._weights.get(one, 1.0 if one in self.vocabulary else 1.5)

    def _symbols(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for quantity in self.problem.quantities:
            keys = [quantity.name, *(phrase for phrase in quantity.phrases if " " not in phrase or "(" in phrase)]
            for key in keys:
                if len(key) == 1 or re.search(r"[\d_(^/*+]", key) or key == quantity.name:
                    found.setdefault(key.lower().replace(" ", "").replace("_", ""), quantity.name)
        return found

    def _formulas(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for quantity in self.problem.quantities:
            for phrase in quantity.phrases:
                if re.search(r"[-+*/^=(]", phrase):
                    found.setdefault(_joined([token.text for token in _tokens(phrase)]), quantity.name)
        for asked in re.findall(r"(?:What is|Find|Compute|Determine) ([^?.]*[\^+*/()][^?.]*)[?.]", self.problem.text):
            found.setdefault(_joined([token.text for token in _tokens(asked)]), ANSWER)
        return found

    def _phrases(self) -> list[Description]:
        found = []
        for quantity in self.problem.quantities:
            for phrase in quantity.phrases:
                stems = words(_tokens(phrase))
                order = tuple(token.text for token in _tokens(phrase) if token.text not in SMALL)
                head = next((one for one in stems if one not in SMALL_STEMS), "")
                alone = phrase == ANSWER
                found.append(
                    Description(weighty(stems), frozenset(stems), quantity.name, True, False, order, head, alone)
                )
        for question in re.findall(r"[^.?!]*\?", self.problem.text):
            for place, text in enumerate(_asked(question)):
                stems = words(_tokens(text))
                order = tuple(one for one in stems if one not in SMALL_STEMS)
                if order:
                    head = next((one for one in order if one not in DECISIVE_STEMS | SOFT_STEMS), "")
                    alone, asked = len(set(order)) == 1, not place
                    found.append(
                        Description(
                            frozenset(order), frozenset(stems), ANSWER, True, asked, order, head, alone and not asked
                        )
                    )
        return found + self._counts(found)

    def _counts(self, known: list[Description]) -> list[Description]:
        """``57624 tulips`` of the text: the number of tulips, if nothing else is counted in tulips."""
        pieces = " ".join(token.text for token in _tokens(self.problem.text))
        counts: dict[frozenset[str], set[str]] = {}
        for number, noun in _COUNTED.findall(pieces):
            counts.setdefault(weighty(words(_tokens(noun))), set()).add(number)
        told = {quantity.value: quantity.name for quantity in self.problem.quantities if quantity.told}
        taken = {description.stems for description in known}
        return [
            Description(noun, noun, told.get(min(numbers), min(numbers)), phrase=True)
            for noun, numbers in counts.items()
            if len(numbers) == 1 and noun and noun not in taken
        ]

    def _sentences(self) -> list[Description]:
        """Facts and clauses of the text, once for each number in them."""
        found = []
        for fact in self.problem.facts:
            names = {node.id for node in ast.walk(ast.parse(fact.claim)) if isinstance(node, ast.Name)}
            own = {self.values[name]: name for name in names if name in self.values}
            found += _slots(fact.text, own)
        told = {self.values[quantity.name]: quantity.name for quantity in self.problem.quantities if quantity.told}
        for clause in re.split(r"[.;:?!()]\s|,\s(?!\d)", self.problem.text):
            found += _slots(clause, told)
        return found


_VERBS = "are|is|can|could|may|do|does|did|must|have|has|will|were|was|would|in|of|for|on|stand|lie|that|which"
_COUNTED = re.compile(
    rf"\b(\d+) ((?:(?:different|equal|other|distinct|equally spaced|same) )?"
    rf"(?!(?:{_VERBS}|and|or|by|to|times)\b)[a-z]+)"
)


_ASKED_KINDS = frozenset(
    "reduced simplified exact value number correct problem question numerical digits integer".split()
)


def _asks(texts: list[str]) -> bool:
    kept = [text for text in texts if text not in SMALL or text in ("value", "number")]
    asked = [text for text in kept if text in ASKED]
    return bool(asked) and len(set(kept)) == len(kept) and all(text in ASKED | _ASKED_KINDS for text in kept)


def _asked(question: str) -> list[str]:
    """What a question asks for: the whole question, and the noun after ``how many``."""
    found = [re.sub(r"(?i)^.*\b(?:what|which|how many|how)\b", "", question, count=1)]
    noun = re.search(rf"(?i)(?:how many|number of)((?: (?!{_VERBS}\b)[a-z]+){{1,5}})", question)
    if noun:
        found.append(noun[1])
    noun = re.search(r"(?i)(?:on|in|at) which (\w+) ", question)
    if noun:
        found.append(noun[1])
    wanted = re.search(r"(?i)(?:what|which) (?:is|are) the ((?:\w+ ){1,3})(?:of|for|that|which|by)\b", question)
    if wanted:
        found.append(wanted[1])
    return found


def _optimum(question: str) -> str:
    """Whether the least or the largest of its kind is asked for; empty where it is neither, or both."""
    least = re.search(r"(?i)\b(least|smallest|fewest|shortest|minimum|first time|lowest)\b(?! common)", question)
    most = re.search(r"(?i)\b(largest|greatest|longest|maximum|biggest|highest|most)\b(?! common)", question)
    return "" if bool(least) == bool(most) else "least" if least else "most"


def _course(problem: Problem) -> str:
    """What passes a bound after ``answer`` steps, from the fact that says so; empty where there is none."""
    for fact in problem.facts:
        told = re.fullmatch(r"(?:Gt|Ge|Lt|Le)\((\w+(?:[*+-/ ]+\w+)*\*\*answer), (\w+)\)", fact.claim)
        if told and told[1].count(ANSWER) == 1:
            bound = next((quantity for quantity in problem.quantities if quantity.name == told[2]), None)
            if bound is not None and bound.told:
                return told[1]
    return ""


def _people(text: str) -> frozenset[str]:
    """Stems of what looks like the names of people: capitals within a sentence, or before ``'s``, and no formula."""
    inside = re.findall(r"(?<=[a-z,;] )([A-Z][a-z]{2,})\b", text)
    owning = re.findall(r"\b([A-Z][a-z]{2,})(?='s )", text)
    acting = re.findall(r"(?:^|[.?!] )([A-Z][a-z]{2,}) (?!is |was |has )[a-z]+s (?:a|an|the|his|her)\b", text)
    return frozenset(stem(name.lower()) for name in (*inside, *owning, *acting)) - SMALL_STEMS


def _joined(texts: Sequence[str]) -> str:
    return "".join(text for text in texts if text not in ("the", "a", "an", "*")).lower()


def _told_symbols(text: str) -> dict[str, str]:
    """``A = (1, 6, 8)`` and ``AB = 39`` of a text: values by symbol."""
    found: dict[str, str] = {}
    number = r"-?\d+(?:\.\d+)?(?:/\d+)?"
    try:
        text = notation.plain(text[: notation.LONGEST])
    except UnreadableError:
        return found
    for symbol, value in re.findall(
        rf"\b([A-Za-z]{{1,3}}) = ({number}|\({number}(?:, {number})+\))(?![\w/*^(]| ?[-+*/^])", text
    ):
        if not keyword.iskeyword(symbol.lower()):
            found.setdefault(symbol.lower(), value if "." not in value else canonical(value))
    return found


def _slots(text: str, own: dict[str, str]) -> list[Description]:
    """The sentence without one of its numbers, for each number that stands free in it."""
    pieces = _tokens(text)
    found = []
    for start, end, value in _free_numbers(pieces):
        if value not in own and len(value) == 1:
            continue
        stems = words([*pieces[:start], *pieces[end:]])
        if weighty(stems):
            found.append(Description(weighty(stems), frozenset(stems), own.get(value, value), phrase=False))
    return found


def _free_numbers(pieces: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """Numbers, fractions and numbers below zero that are no part of a longer formula: start, end, value."""
    text = " ".join(token.text for token in pieces)
    starts = {}
    at = 0
    for place, token in enumerate(pieces):
        starts[at] = place
        at += len(token.text) + 1
    for match in re.finditer(
        r"(?<![-+*/^=!(] )(?<!\S)(?:= )?((?:- )?\d+(?:\.\d+)?(?: / \d+)?)(?= |$)(?! [-+*/^=!(])", text
    ):
        start = starts.get(match.start(1))
        if start is not None:
            yield start, start + match[1].count(" ") + 1, canonical(match[1].replace(" ", ""))


def rare(value: str) -> bool:
    """Whether a number is hardly met by chance: a fraction, or of two digits."""
    return "/" in value or len(value.lstrip("-")) > 1


def telling(value: str) -> bool:
    """Whether a number is not met by chance: a fraction of such, or of three digits."""
    return max(len(piece.lstrip("-")) for piece in value.split("/")) > 2 - ("/" in value)


def canonical(text: str) -> str:
    """A rational number in lowest terms, ``-3/7``; any other text as it is."""
    try:
        return str(_rational(ast.parse(text.strip(), mode="eval").body))
    except (ValueError, SyntaxError, ZeroDivisionError, RecursionError, MemoryError):
        return text


def _rational(node: ast.expr) -> Fraction:
    match node:
        case ast.Constant(value=int() as value):
            return Fraction(value)
        case ast.Constant(value=float()):
            return Fraction(ast.unparse(node))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_rational(operand)
        case ast.Call(func=ast.Name(id="Rational"), args=[first, second]):
            return _rational(first) / _rational(second)
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _rational(left), _rational(right)
            match op:
                case ast.Add():
                    return a + b
                case ast.Sub():
                    return a - b
                case ast.Mult():
                    return a * b
                case ast.Div():
                    return a / b
    raise ValueError("no rational number")


def _tokens(text: str) -> tuple[Token, ...]:
    try:
        return notation.tokens(text[: notation.LONGEST])
    except UnreadableError:
        return tuple(Token("word", word.lower()) for word in re.findall(r"[A-Za-z]+", text))
