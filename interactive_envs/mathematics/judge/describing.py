"""What a problem's words stand for: phrases, questions, counts and sentences, each with the value it describes."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from interactive_envs.mathematics.generators.base import ANSWER, Problem
from interactive_envs.mathematics.judge import notation
from interactive_envs.mathematics.judge.notation import Token, UnreadableError, canonical
from interactive_envs.mathematics.judge.words import (
    DECISIVE_STEMS,
    SMALL,
    SMALL_STEMS,
    SOFT_STEMS,
    stem,
    stems_of,
    weighty,
)

_VERBS = "are|is|can|could|may|do|does|did|must|have|has|will|were|was|would|in|of|for|on|stand|lie|that|which"
_COUNTED = re.compile(
    rf"\b(\d+) ((?:(?:different|equal|other|distinct|equally spaced|same) )?"
    rf"(?!(?:{_VERBS}|and|or|by|to|times)\b)[a-z]+)"
)


@dataclass(frozen=True)
class Description:
    """Words that stand for a value.

    Attributes:
        stems: the words that carry meaning.
        every: all of its words.
        reading: the name of a quantity, or a number.
        phrase: whether it is a quantity's own phrase; else a sentence that mentions the value.
        asked: whether it is the question itself, of which a part may be said.
        order: its words with meaning, in the order of the text.
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


def tokens_of(text: str) -> tuple[Token, ...]:
    """Return the tokens of a problem's text; words alone where it cannot be read."""
    try:
        return notation.tokens(text[: notation.LONGEST])
    except UnreadableError:
        return tuple(Token("word", word.lower()) for word in re.findall(r"[A-Za-z]+", text))


def text_stems(text: str) -> list[str]:
    """Return the stems of a text's words."""
    return stems_of(tokens_of(text))


def describe_values(problem: Problem, values: Mapping[str, str]) -> list[Description]:
    """Return all that describes values in a problem.

    Args:
        problem: the problem.
        values: the values of its quantities in lowest terms, by name.
    """
    phrases = [*_quantity_phrases(problem), *_question_phrases(problem)]
    return [*phrases, *_counted_nouns(problem, phrases), *_sentences(problem, values)]


def _quantity_phrases(problem: Problem) -> Iterator[Description]:
    for quantity in problem.quantities:
        for phrase in quantity.phrases:
            stems = text_stems(phrase)
            yield Description(
                weighty(stems),
                frozenset(stems),
                quantity.name,
                phrase=True,
                order=tuple(token.text for token in tokens_of(phrase) if token.text not in SMALL),
                head=next((one for one in stems if one not in SMALL_STEMS), ""),
                alone=phrase == ANSWER,
            )


def _question_phrases(problem: Problem) -> Iterator[Description]:
    """Yield what the problem's questions ask for, each a description of the answer."""
    for question in questions(problem.text):
        for place, text in enumerate(_asked(question)):
            stems = text_stems(text)
            order = tuple(one for one in stems if one not in SMALL_STEMS)
            if order:
                yield Description(
                    frozenset(order),
                    frozenset(stems),
                    ANSWER,
                    phrase=True,
                    asked=not place,
                    order=order,
                    head=next((one for one in order if one not in DECISIVE_STEMS | SOFT_STEMS), ""),
                    alone=len(set(order)) == 1 and place > 0,
                )


def _counted_nouns(problem: Problem, known: Sequence[Description]) -> list[Description]:
    """Return ``57624 tulips`` of the text: the number of tulips, if nothing else is counted in tulips."""
    text = " ".join(token.text for token in tokens_of(problem.text))
    counts: dict[frozenset[str], set[str]] = {}
    for number, noun in _COUNTED.findall(text):
        counts.setdefault(weighty(text_stems(noun)), set()).add(number)
    given = {quantity.value: quantity.name for quantity in problem.quantities if quantity.told}
    taken = {description.stems for description in known}
    return [
        Description(noun, noun, given.get(min(numbers), min(numbers)), phrase=True)
        for noun, numbers in counts.items()
        if len(numbers) == 1 and noun and noun not in taken
    ]


def _sentences(problem: Problem, values: Mapping[str, str]) -> Iterator[Description]:
    """Yield facts and clauses of the text, once for each number in them."""
    for fact in problem.facts:
        names = {node.id for node in ast.walk(ast.parse(fact.claim)) if isinstance(node, ast.Name)}
        yield from _without_a_number(fact.text, {value: name for name, value in values.items() if name in names})
    given = {values[quantity.name]: quantity.name for quantity in problem.quantities if quantity.told}
    for clause in re.split(r"[.;:?!()]\s|,\s(?!\d)", problem.text):
        yield from _without_a_number(clause, given)


def _without_a_number(text: str, names: Mapping[str, str]) -> Iterator[Description]:
    """Yield the sentence without one of its numbers, for each number that stands free in it.

    Args:
        text: the sentence.
        names: quantities by value.
    """
    pieces = tokens_of(text)
    for start, end, value in _free_numbers(pieces):
        if value not in names and len(value) == 1:
            continue
        stems = stems_of([*pieces[:start], *pieces[end:]])
        if weighty(stems):
            yield Description(weighty(stems), frozenset(stems), names.get(value, value), phrase=False)


def _free_numbers(pieces: Sequence[Token]) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and value of numbers and fractions that are no part of a longer formula."""
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


def questions(text: str) -> list[str]:
    """Return the sentences of a text that end with a question mark."""
    return re.findall(r"[^.?!]*\?", text)


def _asked(question: str) -> list[str]:
    """Return what a question asks for: the whole question, and the noun after ``how many``."""
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


def counted_in_questions(asked: str) -> frozenset[str]:
    """Return the stems of what questions count; ``way`` with them, as ways are counted in any words."""
    nouns = re.findall(rf"(?i)(?:how many|number of)((?: (?!{_VERBS}\b)[a-z]+){{1,4}})", asked)
    stems = frozenset(one for noun in nouns for one in weighty(text_stems(noun)) - DECISIVE_STEMS)
    return stems | {"way"} if stems else stems


def places_asked(asked: str) -> frozenset[str]:
    """Return the stems of what has a number in a list that questions ask for: ``on which line``."""
    stems = frozenset(map(stem, re.findall(r"(?i)(?:on|in|at) which (\w+)", asked)))
    return stems | {"number"} if re.search("What is the number of (the [a-z]+ )?[A-Z]{2}", asked) else stems


def optimum_asked(asked: str) -> str:
    """Return whether the ``least`` or the ``most`` of its kind is asked for; empty where it is neither, or both."""
    least = re.search(r"(?i)\b(least|smallest|fewest|shortest|minimum|first time|lowest)\b(?! common)", asked)
    most = re.search(r"(?i)\b(largest|greatest|longest|maximum|biggest|highest|most)\b(?! common)", asked)
    return "" if bool(least) == bool(most) else "least" if least else "most"


def digits_asked(text: str) -> int:
    """Return how many last digits of a number are asked for; 0 where they are not."""
    digits = re.search(r"(?i)last (?:(two|three|four) |(\d) )?digits?", text)
    return {"two": 2, "three": 3, "four": 4}.get(digits[1], int(digits[2] or 1)) if digits else 0


def course_of(problem: Problem) -> str:
    """Return what passes a bound after ``answer`` steps, from the fact that says so; empty where there is none."""
    for fact in problem.facts:
        relation = re.fullmatch(r"(?:Gt|Ge|Lt|Le)\((\w+(?:[*+-/ ]+\w+)*\*\*answer), (\w+)\)", fact.claim)
        if relation and relation[1].count(ANSWER) == 1:
            bound = next((quantity for quantity in problem.quantities if quantity.name == relation[2]), None)
            if bound is not None and bound.told:
                return relation[1]
    return ""


def people_in(text: str) -> frozenset[str]:
    """Return stems of likely names of people: capitals within a sentence, or before ``'s``, and no formula."""
    inside = re.findall(r"(?<=[a-z,;] )([A-Z][a-z]{2,})\b", text)
    owning = re.findall(r"\b([A-Z][a-z]{2,})(?='s )", text)
    acting = re.findall(r"(?:^|[.?!] )([A-Z][a-z]{2,}) (?!is |was |has )[a-z]+s (?:a|an|the|his|her)\b", text)
    return frozenset(stem(name.lower()) for name in (*inside, *owning, *acting)) - SMALL_STEMS


def symbols_given(text: str) -> dict[str, str]:
    """Return ``A = (1, 6, 8)`` and ``AB = 39`` of a text: values by symbol."""
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
