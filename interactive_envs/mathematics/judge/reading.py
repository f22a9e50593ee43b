"""Claims in free English and mathematics, read into relations over a problem's quantities.

A claim is read as a whole: each of its words has a place in the relation or is a word without weight. What is left
over makes it unreadable; no part of a sentence is ever taken for the whole.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from interactive_envs.mathematics.generators.base import ANSWER
from interactive_envs.mathematics.judge import lexicon, naming, notation
from interactive_envs.mathematics.judge.arithmetic import FUNCTIONS, Arithmetic, number_text
from interactive_envs.mathematics.judge.naming import Names
from interactive_envs.mathematics.judge.notation import PARTS, Token, UnreadableError

MOST_PARTS = 3
BOTH = "Both"
"""What is said of one subject by ``and``."""
SURE = 0.85
"""Likeness of words that is demanded of a sentence about nothing: no ways, none of the balls."""
MOST_STEPS = 60_000
"""Of a reading, against texts made to be slow."""


class _TiredError(UnreadableError):
    pass


@dataclass(frozen=True)
class Part:
    """A part of a claim.

    Attributes:
        relation: in the language of :mod:`deciding`.
        named: whether it names a quantity of the problem; else it is arithmetic of numbers.
        reason: whether a reason is given for it that is not read: it may be called false, but not true.
    """

    relation: str
    named: bool
    reason: bool = False


def read(names: Names, text: str) -> list[Part]:
    """The parts of a claim, one to three.

    Raises:
        UnreadableError: some of it is not understood.
    """
    found = [token for token in notation.tokens(text) if token.text not in ('"', "'", "$")]
    found = _sought(names, found)
    while found and found[-1].kind == "stop":
        found.pop()
    found = [
        Token("sign", "/") if token.text == ":" and _is_ratio(found, at) else token for at, token in enumerate(found)
    ]
    found = _without(token for token in found if token.text not in lexicon.EMPTY)
    if not found:
        raise UnreadableError("nothing is said")
    reader = _Reader(names, found)
    parts = [part for span in reader.sentences(0, len(found)) for part in reader.parts(*span)]
    if len(parts) > MOST_PARTS:
        raise UnreadableError(f"more than {MOST_PARTS} claims at once")
    if len({part.relation for part in parts}) < len(parts):
        raise UnreadableError("different words, read as the same")
    return parts


def _sought(names: Names, found: Sequence[Token]) -> list[Token]:
    """The tokens, with ``answer`` for ``it``, ``this number``, ``x`` and the like, where they stand for the answer.

    Raises:
        UnreadableError: a letter that the problem's text uses for nothing, and its derivation for a quantity.
    """
    said = [Token("word", "answer", token.glued) if token.text == "ans" else token for token in found]
    if said and said[0].text in ("it's", "that's"):
        said[:1] = [Token("word", "it"), Token("word", "is")]
    said = _without_pronoun(said)
    letters = {
        token.text
        for at, token in enumerate(said)
        if token.kind == "word" and token.text in lexicon.UNKNOWNS and token.text not in names.context
        and not (at + 1 < len(said) and said[at + 1].text in ("component", "coordinate", "axis"))
        and not (at > 1 and said[at - 1].text == "(" and said[at - 1].glued and said[at - 2].kind == "word")
    }  # fmt: skip
    if len(letters) != 1 or names.values[ANSWER].startswith(("{", "(")):
        return said
    letter = letters.pop()
    named = names.symbol(letter)
    if named and named != ANSWER and letter in lexicon.WANTED:
        raise UnreadableError(f"{letter} stands for nothing in the problem's text")
    if named or letter in names.vocabulary:
        return said
    return [Token("word", "answer", token.glued) if token.text == letter else token for token in said]


def names_the_answer(names: Names, text: str) -> bool:
    """Whether a text says ``it``, ``x`` or the like for the answer."""
    found = [token for token in notation.tokens(text) if token.text not in ('"', "'", "$")]
    return any(token.text == ANSWER for token in _sought(names, found))


def _without_pronoun(found: list[Token]) -> list[Token]:
    """The first ``it``, ``this`` or ``the number`` as ``answer``, if nothing stands before that it could mean."""
    begin, texts = 0, [token.text for token in found]
    while opening := next((one for one in lexicon.OPENINGS if tuple(texts[begin : begin + len(one)]) == one), None):
        begin += len(opening)
    for at, token in enumerate(found[begin:], start=begin):
        after = at + 1
        if token.text in ("this", "that", "the") and found[after : after + 1] and found[after].text in (
            "number", "value", "quantity"
        ):  # fmt: skip
            after += 1
        elif token.text not in ("it", "this"):
            if token.kind == "word" and token.text not in lexicon.BEFORE_IT:
                return found
            continue
        verb = found[at - 1].text if at else ""
        acts = found[after : after + 1] and found[after].kind == "word" and found[after].text not in lexicon.SAID_OF_IT
        if acts and verb not in ("is", "isn't", "was", "divide", "divides", "of", "than"):
            return found
        if (token.text == "it" or _stands_alone(found[after : after + 1])) and not _extraposed(found[after:]):
            return [*found[:at], Token("word", "answer"), *found[after:]]
        return found
    return found


def _stands_alone(after: Sequence[Token]) -> bool:
    """Whether what follows ``this`` is no noun that it points to."""
    if not after or after[0].kind != "word":
        return True
    if after[0].text in ("of", "that", "which"):
        return False
    known = naming.SMALL_STEMS | naming.SOFT_STEMS | naming.DECISIVE_STEMS
    return naming.stem(after[0].text) in known or after[0].text in lexicon.VERBS


def _extraposed(after: Sequence[Token]) -> bool:
    """Whether a clause follows that ``it`` stands for: ``true that``, ``possible to``."""
    texts = [token.text for token in after]
    begin = next((at for at, text in enumerate(texts) if text not in ("is", "was", "not", "the", "also", "be")), 0)
    if texts[begin : begin + 1] and texts[begin] in lexicon.EXTRAPOSED:
        return True
    opens = any(text == "to" and (not at or texts[at - 1] not in lexicon.BEFORE_TO) for at, text in enumerate(texts))
    return "that" in texts or opens


def _is_ratio(found: Sequence[Token], at: int) -> bool:
    """Whether a colon divides numbers, as in ``3 : 2``."""
    return 0 < at < len(found) - 1 and found[at - 1].kind == found[at + 1].kind == "number"


def _without(found: Iterable[Token]) -> list[Token]:
    """``with no`` and ``ignoring`` as ``without``."""
    result: list[Token] = []
    for token in found:
        if token.text == "no" and result and result[-1].text == "with":
            result[-1] = Token("word", "without")
        else:
            result.append(Token("word", "without") if token.text in ("ignoring", "disregarding") else token)
            if token.text in ("component", "coordinate") and len(result) > 1 and result[-2].text in lexicon.AXES:
                result[-2] = Token("word", lexicon.AXES[result[-2].text])
    return result


class _Reader:
    """Reads the spans of one text; spans are remembered, so that each is read once."""

    def __init__(self, names: Names, found: Sequence[Token]) -> None:
        self._names = names
        self._found = tuple(found)
        self._texts = tuple(token.text for token in found)
        self._values: dict[tuple[int, int], str | None] = {}
        self._claims: dict[tuple[int, int], str | None] = {}
        self._left = MOST_STEPS
        self._subject: str | None = None
        self._listed: list[str] = []
        self._first = 0

    # -- parts of a claim ---------------------------------------------------------------------------------------

    def parts(self, start: int, end: int) -> list[Part]:
        """The claims that a sentence makes.

        Raises:
            UnreadableError: some of it is not understood.
        """
        for cut in (self._halves, self._whole, self._loosely):
            spans = cut(start, end)
            self._subject = None
            self._first = spans[0][0] if spans else 0
            done = [self.claim(*span) for span in spans]
            if all(done):
                each = [one for relation in done if relation for one in _each(relation)]
                return [Part(relation, self._says(relation)) for relation in each]
        if found := self._gap(start, end) or self._likewise(start, end) or self._reasoned(start, end):
            return found
        missed = " ".join(self._texts[start:end])
        raise UnreadableError(f"not understood: {missed[:120]}")

    def _reasoned(self, start: int, end: int) -> list[Part]:
        """``A is 5, because of B``: a reason that is not read does not save what is false."""
        texts = self._texts
        for at in range(start + 3, end - 1):
            if texts[at - 1] != "," or self._depth(start, at):
                continue
            aside = not any(text in lexicon.FINITE or text == "," for text in texts[at:end]) and texts[at] != "and"
            relation = None
            if texts[at] in ("because", "since", "as") or aside:
                relation = self.claim(start, at - 1)
            elif texts[at] in ("so", "hence") and texts[start:end].count(",") == 1:
                premise = self.claim(start, at - 1)
                self._claims.pop((at + 1, end), None)  # what "it" is was not known before
                relation = self.claim(at + 1, end)
                if premise and relation:
                    return [Part(one, self._says(one)) for both in (premise, relation) for one in _each(both)]
            if relation:
                return [Part(one, self._says(one), reason=True) for one in _each(relation)]
        return []

    def _gap(self, start: int, end: int) -> list[Part]:
        """``18 are fixed by A, and 24 by B``, ``A is 5, and B 6``: the verb of the first half holds for the second."""
        for at in range(start + 3, end - 2):
            if self._texts[at] != "," or self._texts[at + 1] not in ("and", "but") or self._depth(start, at):
                continue
            first = self.claim(start, at)
            said = self._filled(start, at, at + 2, end) if first else None
            if first and said:
                other = _Reader(self._names, said)
                if second := other.claim(0, len(said)):
                    return [Part(one, self._says(one)) for relation in (first, second) for one in _each(relation)]
        return []

    def _likewise(self, start: int, end: int) -> list[Part]:
        """``A divides B and so does C``."""
        for at in range(start + 3, end - 3):
            if self._texts[at : at + 2] == ("and", "so") and self._texts[at + 2] in ("does", "do", "is", "are", "has"):
                first = self.claim(start, at - (self._texts[at - 1] == ","))
                verb = next((k for k in range(start, at) if self._texts[k] in lexicon.VERBS | lexicon.FINITE), None)
                if first and verb is not None:
                    said = [*self._found[at + 3 : end], *self._found[verb:at]]
                    if second := _Reader(self._names, said).claim(0, len(said)):
                        return [Part(one, self._says(one)) for one in (first, second)]
        return []

    def _filled(self, start: int, stop: int, begin: int, end: int) -> list[Token] | None:
        """The second half with the words that the first has and it lacks."""
        first, second = self._found[start:stop], self._found[begin:end]
        texts = [token.text for token in first]
        sizes = [at for at, token in enumerate(second) if token.kind == "number"]
        if not sizes or any(token.text in lexicon.FINITE for token in second):
            return None
        if sizes[0] == 0 and len(second) > 2 and second[1].text in texts[1:] and first[0].kind == "number":
            again = len(texts) - 1 - texts[::-1].index(second[1].text)
            return [second[0], *first[1:again], *second[1:]]
        verb = next((at for at, text in enumerate(texts) if text in lexicon.FINITE), None)
        value = next((at for at, token in enumerate(first) if at > (verb or 0) and token.kind == "number"), None)
        if verb is None or value is None:
            return _turned(first, second)
        last = next((at for at in sizes if at and second[at - 1].text not in ("/", "^", "*", "+", "-")), None)
        if last is None:
            return None
        link = last - (second[last - 1].text in ("at", "in", "with", "by", "for"))
        return [*second[:link], *first[verb:value], *second[last:]] if link else None

    def _says(self, relation: str) -> bool:
        return any(
            word in self._names.values or word in self._names.told for word in re.findall(r"[A-Za-z_]\w*", relation)
        )

    @staticmethod
    def _whole(start: int, end: int) -> list[tuple[int, int]]:
        return [(start, end)]

    def sentences(self, start: int, end: int) -> list[tuple[int, int]]:
        """Cut at full stops and semicolons."""
        return self._cut(start, end, lambda at: 1 if self._texts[at] in (";", ".", "?", ":") else 0)

    def _halves(self, start: int, end: int) -> list[tuple[int, int]]:
        """Cut at a comma before ``and`` or ``but``."""
        return self._cut(start, end, lambda at: 2 if self._is(at, ",") and self._texts[at + 1 : at + 2] in (
            ("and",), ("but",), ("while",), ("whereas",)) else 0)  # fmt: skip

    def _loosely(self, start: int, end: int) -> list[tuple[int, int]]:
        """Cut at ``and`` and ``but``, wherever what follows is a claim of its own."""
        for at in range(start + 1, end - 1):
            if self._texts[at] in ("and", "but", "while", "whereas") and not self._depth(start, at):
                pieces = [(start, at), (at + 1, end)]
                if all(self.claim(*piece) for piece in pieces):
                    return pieces
        return [(start, end)]

    def _cut(self, start: int, end: int, width: Callable[[int], int]) -> list[tuple[int, int]]:
        found, begin, at = [], start, start
        while at < end:
            step = 0 if self._depth(start, at) else width(at)
            if step:
                found.append((begin, at))
                begin = at = at + step
            else:
                at += 1
        found.append((begin, end))
        return [span for span in found if span[0] < span[1]]

    # -- claims -------------------------------------------------------------------------------------------------

    def claim(self, start: int, end: int) -> str | None:
        """The relation that a span states; None where it is not understood."""
        if start >= end:
            return None
        key = (start, end)
        if key not in self._claims:
            self._claims[key] = None
            self._claims[key] = self._claim(start, end)
        return self._claims[key]

    def _claim(self, start: int, end: int) -> str | None:
        self._step()
        while end > start and self._texts[end - 1] in (".", "?", ",", ":"):
            end -= 1
        while start < end and self._texts[start] in (",", ":"):
            start += 1
        if start >= end:
            return None
        for opening in lexicon.OPENINGS:
            if self._starts(start, end, opening) and (found := self.claim(start + len(opening), end)):
                return found
        if self._starts(start, end, ("by",)) and "," in self._texts[start + 2 : start + 4]:  # "By symmetry, ..."
            return self.claim(self._texts.index(",", start) + 1, end)
        for negation in lexicon.NEGATIONS:
            if self._starts(start, end, negation) and (found := self.claim(start + len(negation), end)):
                return f"Not({found})"
        for closing in lexicon.CLOSINGS:
            if self._ends(start, end, closing) and (found := self.claim(start, end - len(closing))):
                return found
        for form in (self._chain, self._said_twice, self._adds, self._often, self._either,
                     self._question, self._statement, self._remainder_question,
                     self._taken_away, self._pairs, self._enough, self._must, self._place, self._after,
                     self._unbound, self._portion, self._owns, self._counted):  # fmt: skip
            if found := form(start, end):
                return found
        return None

    def _chain(self, start: int, end: int) -> str | None:
        """``a < b <= c``, and ``a = b mod m``."""
        cuts = [at for at in range(start, end) if self._texts[at] in lexicon.RELATIONS and not self._depth(start, at)]
        if cuts:
            edges = [start, *(at + 1 for at in cuts), end + 1]
            left = self.value(start, cuts[0]) if [self._texts[cut] for cut in cuts] == ["="] else None
            if left and (found := self._modular(left, cuts[0] + 1, end)):
                return found
            sides = [self.value(a, b - 1) for a, b in itertools.pairwise(edges)]
            if all(sides):
                steps = [
                    f"{lexicon.RELATIONS[self._texts[cut]]}({left}, {right})"
                    for cut, left, right in zip(cuts, sides, sides[1:], strict=False)
                ]
                return _all(steps)
            return None
        for at in range(start + 1, end - 1):
            if self._texts[at] == "|" and (left := self.value(start, at)) and (right := self.value(at + 1, end)):
                return f"Divides({left}, {right})"
            if self._texts[at] == "==" and (found := self._congruent(start, at, at + 1, end)):
                return found
            if self._starts(at, end, ("congruent", "to")):
                before = at - 1 if self._texts[at - 1] in ("is", "are") else at
                if found := self._congruent(start, before, at + 2, end):
                    return found
        return None

    def _said_twice(self, start: int, end: int) -> str | None:
        """``A = B, a multiple of C``: the value before the comma is described once more."""
        for at in range(start + 2, end - 2):
            if self._texts[at] == "," and self._texts[at + 1] in ("a", "an") and not self._depth(start, at):
                first = self.claim(start, at)
                said = next((value for begin in range(start, at) if (value := self._numeral(begin, at))), None)
                if first and said and (second := self._property(said, at + 1, end)):
                    return f"And({first}, {second})"
        return None

    def _adds(self, start: int, end: int) -> str | None:
        """``the rows add up to A``, ``adding the squares gives A``: of the quantity that is called their sum."""
        total = (Token("word", "sum"), Token("word", "of"))
        if self._list(start, next((at for at in range(start, end) if self._texts[at] in ("add", "sum")), start)):
            return None
        for at in range(start + 1, end - 1):
            for words in (("add", "up", "to"), ("sum", "to"), ("sum", "up", "to"), ("add", "to"), ("adds", "up", "to")):
                if self._starts(at, end, words):
                    said = [token for token in self._bare(start, at) if token.kind != "number"]
                    subject = self._names.resolve([*total, *said])
                    if subject:
                        return self._property(subject, at + len(words), end)
            if self._texts[at] in ("gives", "yields", "makes") and self._texts[start] in ("adding", "summing"):
                begin = start + 1 + (self._texts[start + 1] == "up")
                subject = self._names.resolve([*total, *self._bare(begin, at)])
                if subject:
                    return self._property(subject, at + 1, end)
        return None

    def _bare(self, start: int, end: int) -> tuple[Token, ...]:
        """A noun phrase without its number: ``the three roots`` as ``the roots``."""
        first = next((at for at in range(start, end) if self._texts[at] not in ("the", "all")), end)
        if first < end and self._found[first].kind == "number":
            return self._found[first + 1 : end]
        return self._found[start:end]

    def _is_noun(self, at: int) -> bool:
        return bool(naming.weighty(naming.words(self._found[at : at + 1])))

    def _numeral(self, start: int, end: int) -> str | None:
        return Arithmetic(self._found[start:end], self._names).read()

    def _often(self, start: int, end: int) -> str | None:
        """``5 divides A exactly 3 times``, ``A has at least 3 factors 5``."""
        texts = self._texts
        start += texts[start] in ("does", "do")
        for at in range(start + 1, end - 2):
            if texts[at] in ("divides", "divide") and texts[end - 1] == "times":
                for after in range(at + 2, end - 1):
                    prime, number = self.value(start, at), self.value(at + 1, after)
                    if prime and number and (found := self._amount(f"multiplicity({prime}, {number})", after, end - 1)):
                        return found
            if texts[at] in ("has", "have", "contains", "contain"):
                for after in range(at + 2, end - 1):
                    if texts[after] in ("factors", "factor") and (number := self.value(start, at)):
                        of = texts[after + 1] in ("of", "equal")
                        prime = self.value(after + 1 + of, end)
                        if prime and (found := self._amount(f"multiplicity({prime}, {number})", at + 1, after)):
                            return found
        return None

    def _amount(self, subject: str, start: int, end: int) -> str | None:
        for relation, after in self._comparatives(start, end):
            if value := self.value(after, end):
                return f"{relation}({subject}, {value})"
        value = self.value(start, end)
        return f"Eq({subject}, {value})" if value else None

    def _congruent(self, start: int, middle: int, after: int, end: int) -> str | None:
        left = self.value(start, middle)
        for at in range(after + 1, end) if left else ():
            if self._texts[at] in ("mod", "modulo"):
                stop, opened = end, self._texts[at - 1] == "("
                if opened:
                    stop = next((k for k in range(at, end) if self._texts[k] == ")"), end)
                right, modulus = self.value(after, at - opened), self.value(at + 1, stop)
                rest = self._texts[stop + opened : end]
                if right and modulus and (not rest or self._names_what(left, stop + opened, end)):
                    return f"Eq(Mod({left} - ({right}), {modulus}), 0)"
        return None

    def _modular(self, left: str, start: int, end: int) -> str | None:
        """``= B mod m``, ``equal to B (mod m)``: the congruence of a value with B."""
        for lead in (("==",), ("=",), ("equal", "to"), ("congruent", "to"), ("congruent", "with"),
                     ("equivalent", "to")):  # fmt: skip
            if self._starts(start, end, lead):
                start += len(lead)
                break
        texts = self._texts
        bracket = end - start > 3 and texts[end - 1] == ")"
        for at in range(end - 2, start, -1):
            if texts[at] not in ("mod", "modulo"):
                continue
            opened = bracket and texts[at - 1] == "("
            if not opened and self._depth(start, at):
                return None
            begin = start + (texts[start] in lexicon.ARTICLES)
            if texts[begin] in lexicon.OF_MODULUS or texts[begin : begin + 2] == ("multiplicative", "order"):
                return None
            right = self.value(start, at - opened)
            modulus = self.value(at + 1, end - opened)
            return f"Eq(Mod({left} - ({right}), {modulus}), 0)" if right and modulus else None
        return None

    def _names_what(self, left: str | None, start: int, end: int) -> bool:
        """``for the number n of beads``: what follows says again what a symbol means."""
        return self._texts[start] == "for" and left is not None and self.value(start + 1, end) == left

    def _either(self, start: int, end: int) -> str | None:
        """``either A or B``."""
        cuts = [at for at in range(start + 1, end - 1) if self._texts[at] == "or" and not self._depth(start, at)]
        if not cuts or len(cuts) >= MOST_PARTS:
            return None
        edges = [start, *(at + 1 for at in cuts), end + 1]
        done = []
        for begin, after in itertools.pairwise(edges):
            begin += self._texts[begin] == "either"
            done.append(self.claim(begin, after - 1))
        if all(done):
            return f"Or({', '.join(map(str, done))})"
        # "is the answer even or odd": the same subject
        for at in range(start + 1, cuts[0]):
            if self._texts[start] in ("is", "are") and (subject := self._noun(start + 1, at)):
                spans = [at + (self._texts[at] == "either"), *(cut + 1 for cut in cuts)]
                found = [self._property(subject, a, b) for a, b in zip(spans, [*cuts, end], strict=True)]
                if all(found):
                    return f"Or({', '.join(map(str, found))})"
        return None

    def _question(self, start: int, end: int) -> str | None:
        """``Is A B?``, ``Does A divide B?``, ``Is the answer not 5?``."""
        first = self._texts[start]
        negative = first in lexicon.CONTRACTED
        first = lexicon.CONTRACTED.get(first, first)
        if first in ("is", "are", "was", "were"):
            forms: tuple[Callable[[str, int, int], str | None], ...] = (self._property,)
        elif first in ("does", "do", "did", "can", "will", "must", "would", "could", "should"):
            forms = (self._verb,)
        else:
            return None
        for at in range(end - 1, start + 1, -1):
            subject = self._noun(start + 1, at)
            formula = self._names.formula(self._texts[start + 1 : at])
            numbered = self._found[at - 1].kind == "number" and not formula
            if not subject or (numbered and self._is_noun(at) and self._says(subject)):
                continue
            rest = at
            denied = self._texts[rest] == "not"
            rest += denied
            for form in forms:
                found = form(subject, rest, end)
                if found is None and first not in ("is", "are") and self._starts(rest, end, ("be",)):
                    found = self._property(subject, rest + 1, end)
                if found:
                    self._subject = subject
                    return f"Not({found})" if negative != denied else found
        return self._several(start + 1, end, asked=first in ("is", "are"), denied=negative)

    def _statement(self, start: int, end: int) -> str | None:
        """``A is B``, ``A divides B``."""
        for at in range(start + 1, end):
            if self._texts[at - 1] == "that":
                continue
            subject = None
            for words in lexicon.BES:
                if self._starts(at, end, words):
                    subject = subject or self._noun(start, at)
                    if not subject:
                        break
                    after, denied = at + len(words), False
                    if self._texts[after : after + 1] == ("not",):
                        after, denied = after + 1, True
                    if found := self._property(subject, after, end):
                        self._subject = subject
                        return f"Not({found})" if denied else found
            text = self._texts[at]
            if text in lexicon.CONTRACTED or text in ("does", "do", "can", "must", "will", "may"):
                subject = subject or self._noun(start, at)
                denied = text in lexicon.CONTRACTED
                after = at + 1
                if subject and self._texts[after : after + 1] == ("not",):
                    denied, after = True, after + 1
                form = (
                    self._property if lexicon.CONTRACTED.get(text, text) in ("is", "are", "was", "were") else self._verb
                )
                if subject and (found := form(subject, after, end)):
                    self._subject = subject
                    return f"Not({found})" if denied else found
            if self._found[at].kind == "word" and text in lexicon.VERBS:
                subject = subject or self._noun(start, at)
                if subject and (found := self._verb(subject, at, end)):
                    self._subject = subject
                    return found
        return self._several(start, end)

    def _remainder_question(self, start: int, end: int) -> str | None:
        """``dividing A by B leaves R``, ``when A is divided by B the remainder is R``."""
        texts = self._texts
        if texts[start] in ("dividing", "divide"):
            for by in range(start + 2, end - 1):
                if texts[by] != "by":
                    continue
                for at in range(by + 2, end):
                    if texts[at] in ("leaves", "leave", "gives", "yields", "has"):
                        number, divisor = self.value(start + 1, by), self.value(by + 1, at)
                        if number and divisor and (rest := self._rest(at + 1, end)):
                            return f"Eq(Mod({number}, {divisor}), {rest})"
        if texts[start] in ("when", "if"):
            for at in range(start + 2, end - 3):
                if texts[at : at + 3] == ("is", "divided", "by"):
                    number = self.value(start + 1, at)
                    for after in range(at + 4, end - 1) if number else ():
                        divisor = self.value(at + 3, after)
                        begin = after + (texts[after] == ",")
                        begin += texts[begin : begin + 1] == ("then",)
                        for lead in (("the", "remainder", "is"), ("it", "leaves"), ("the", "rest", "is")):
                            if (
                                divisor
                                and self._starts(begin, end, lead)
                                and (rest := self._rest(begin + len(lead), end))
                            ):
                                return f"Eq(Mod({number}, {divisor}), {rest})"
        return None

    def _rest(self, start: int, end: int) -> str | None:
        """``a remainder of 3``, ``3 over``, ``no remainder``."""
        texts = self._texts[start:end]
        if texts in (("no", "remainder"), ("nothing",), ("nothing", "over"), ("no", "rest")):
            return "0"
        for lead in (("a", "remainder", "of"), ("remainder", "of"), ("the", "remainder"), ("remainder",), ("rest",),
                     ("a", "rest", "of"), ("residue",), ("a", "residue", "of"), ("a", "remainder"), ()):  # fmt: skip
            if texts[: len(lead)] == lead:
                stop = end - (texts[-1:] in (("over",), ("left",), ("remaining",)))
                stop = end - 2 if texts[-2:] == ("left", "over") else stop
                if found := self.value(start + len(lead), stop):
                    return found
        return None

    def _taken_away(self, start: int, end: int) -> str | None:
        """``subtracting A from B gives C``, ``adding A to B gives C``, ``if you subtract A from B you get C``."""
        signs = {"subtract": ("from", "-"), "subtracting": ("from", "-"), "add": ("to", "+"), "adding": ("to", "+"),
                 "multiply": ("by", "*"), "multiplying": ("by", "*"), "divide": ("by", "/"),
                 "dividing": ("by", "/")}  # fmt: skip
        at = start + (self._texts[start] in ("if", "when"))
        at += at < end and self._texts[at] in ("you", "we", "one", "i")
        if at >= end or self._texts[at] not in signs:
            return None
        link, sign = signs[self._texts[at]]
        for middle in range(at + 2, end - 2):
            if self._texts[middle] != link or not (first := self.value(at + 1, middle)):
                continue
            for after in range(middle + 2, end - 1):
                begin = after + (self._texts[after] == ",")
                begin += self._texts[begin : begin + 1] in (("you",), ("one",), ("we",), ("it",), ("this",))
                if self._texts[begin : begin + 1] in (("get",), ("gets",), ("gives",), ("yields",), ("makes",)):
                    second, third = self.value(middle + 1, after), self.value(begin + 1, end)
                    if second and third:
                        left, right = (second, first) if link == "from" else (first, second)
                        return f"Eq(({left}) {sign} ({right}), {third})"
        return None

    def _pairs(self, start: int, end: int) -> str | None:
        """``A differs from B by C``."""
        for at in range(start + 1, end - 3):
            if self._texts[at] in ("differs", "differ"):
                for by in range(at + 1, end - 1):
                    if self._texts[by] != "by" or not (gap := self.value(by + 1, end)):
                        continue
                    if self._texts[at + 1] == "from":
                        first, second = self.value(start, at), self.value(at + 2, by)
                        if first and second:
                            return f"Eq(Abs({first} - ({second})), {gap})"
                    elif by == at + 1 and (both := self._list(start, at)) and len(both) == 2:
                        return f"Eq(Abs({both[0]} - ({both[1]})), {gap})"
        return None

    def _several(self, start: int, end: int, *, asked: bool = False, denied: bool = False) -> str | None:
        """``A and B are coprime``, ``do A and B add up to C``, ``A, B and C share the factor 5``."""
        for at in range(start + 1, end):
            members = self._list(start, at)
            if members and (found := self._of_several(members, at, end, asked=asked)):
                return f"Not({found})" if denied else found
        return None

    def _of_several(self, members: list[str], start: int, end: int, *, asked: bool) -> str | None:
        texts = self._texts[start:end]
        together = ", ".join(members)
        denied = False
        if texts and (asked or texts[0] in ("are", "is", "be", "were") or texts[0] in lexicon.CONTRACTED):
            denied = texts[0] in lexicon.CONTRACTED
            start, texts = start + (not asked), texts[not asked :]
            if texts[:1] == ("not",):
                start, texts, denied = start + 1, texts[1:], True
            both = texts[:1] in (("both",), ("all",))
            start, texts = start + both, texts[both:]
            found = None
            if texts in (("coprime",), ("relatively", "prime"), ("mutually", "prime"), ("co-prime",)):
                found = f"coprime({together})"
            elif texts in (("equal",), ("the", "same"), ("identical",), ("equal", "to", "each", "other")):
                found = _all([f"Eq({members[0]}, {other})" for other in members[1:]])
            elif texts == ("twin", "primes"):
                found = f"And(isprime({members[0]}), isprime({members[-1]}), Eq(Abs({members[0]} - {members[-1]}), 2))"
            else:
                each = [self._property(member, start, end) for member in members]
                if all(each):
                    found = _all([str(one) for one in each])
            if found:
                return f"Not({found})" if denied else found
            return None
        if texts and texts[0] in ("have", "has", "share", "shares"):
            rest = texts[1:]
            if rest in (("no", "common", "factor"), ("no", "factor", "in", "common"), ("no", "common", "divisor"),
                        ("no", "common", "factors"), ("no", "common", "prime", "factor"),
                        ("no", "divisor", "in", "common")):  # fmt: skip
                return f"coprime({together})"
            if rest and rest[-1] == "1" and rest[:-1] in (
                ("a", "common", "factor", "greater", "than"), ("a", "common", "factor", "larger", "than"),
                ("a", "common", "divisor", "greater", "than"), ("a", "factor", "greater", "than"),
            ):  # fmt: skip
                return f"Not(coprime({together}))"
            if rest in (("a", "common", "factor"), ("a", "factor"), ("a", "common", "prime", "factor")):
                return f"Not(coprime({together}))"
            for lead, function in ((("the", "factor"), None), (("the", "common", "factor"), None),
                                   (("a", "factor", "of"), None), (("gcd",), "gcd"),
                                   (("greatest", "common", "divisor"), "gcd"), (("lcm",), "lcm"),
                                   (("least", "common", "multiple"), "lcm"), (("the", "sum"), "+"), (("sum",), "+"),
                                   (("product",), "*"), (("the", "product"), "*")):  # fmt: skip
                if rest[: len(lead)] == lead and (value := self.value(start + 1 + len(lead), end)):
                    if function is None:
                        return _all([f"Divides({value}, {member})" for member in members])
                    if function in ("+", "*"):
                        return f"Eq({f' {function} '.join(f'({member})' for member in members)}, {value})"
                    return f"Eq({function}({together}), {value})"
            return None
        for lead, sign in ((("add", "up", "to"), "+"), (("sum", "to"), "+"), (("sum", "up", "to"), "+"),
                           (("add", "to"), "+"), (("multiply", "to"), "*"), (("together", "make"), "+"),
                           (("together", "give"), "+"), (("together", "come", "to"), "+"), (("total",), "+"),
                           (("together", "are"), "+")):  # fmt: skip
            if texts[: len(lead)] == lead:
                return self._property(f" {sign} ".join(f"({member})" for member in members), start + len(lead), end)
        return None

    def _list(self, start: int, end: int) -> list[str] | None:
        """``A and B``, ``A, B and C``, ``the smeared digits``, ``both`` of those before; two at least."""
        if self._texts[start:end] in (("both",), ("they",), ("both", "numbers"), ("these", "numbers")) and self._listed:
            return self._listed
        found = self._members_said(start, end)
        if found:
            self._listed = found
        return found

    def _members_said(self, start: int, end: int) -> list[str] | None:
        if start < end and all(token.kind != "sign" for token in self._found[start:end]):
            members = self._names.group(self._found[start:end])
            if members:
                return members
        start += start < end and self._texts[start] == "both"
        cuts = [at for at in range(start + 1, end - 1) if self._texts[at] == "and" and not self._depth(start, at)]
        for last in cuts:
            right = self._noun(last + 1, end)
            if not right:
                continue
            left = self._noun(start, last)
            if left:
                return [left, right]
            commas = [at for at in range(start + 1, last) if self._texts[at] == ","]
            edges = [start, *(at + 1 for at in commas), last + 1]
            found = [self._noun(a, b - 1) for a, b in itertools.pairwise(edges) if a < b - 1]
            if commas and all(found):
                return [*map(str, found), right]
        return None

    # -- predicates ---------------------------------------------------------------------------------------------

    def _property(self, subject: str, start: int, end: int) -> str | None:
        """What is said of a subject after ``is``."""
        self._step()
        while start < end and self._texts[start] in lexicon.ADVERBS and self._texts[start : start + 2] != ("even",):
            if self._texts[start] == "even" and (
                start + 1 == end or self._texts[start + 1] in (",", "and", "or", "but")
            ):
                break
            start += 1
        while start < end and self._texts[end - 1] in (",", "too", "itself"):
            end -= 1
        if start >= end:
            return None
        if found := self._modular(subject, start, end):
            return found
        texts = self._texts[start:end]
        bound = {"more": "Ge", "greater": "Ge", "above": "Ge", "less": "Le", "fewer": "Le", "below": "Le"}
        if len(texts) > 2 and texts[-2] == "or" and texts[-1] in bound:
            least = self.value(start, end - 2) or self._counted_in(subject, start, end - 2)
            return f"{bound[texts[-1]]}({subject}, {least})" if least else None
        if texts[0] in ("a", "an") and len(texts) == 2 and texts[1].isdecimal():
            return f"Eq({subject}, {texts[1]})"  # "is the last digit a 7"
        if texts[0] == "not" and (found := self._property(subject, start + 1, end)):
            return f"Not({found})"
        if texts[0] in ("+", "*", "/", "^", "**", "\u00d7"):
            return None
        if len(texts) > 3 and texts[-2] == "of" and texts[-1] in lexicon.UNITS and texts[-3] in ("number", "multiple"):
            texts = texts[:-2]  # "a whole number of mm"
        kept = tuple(text for text in texts if text not in lexicon.ARTICLES)
        if simple := lexicon.SIMPLE.get(kept) or lexicon.SIMPLE.get(
            (*kept[:-1], *(word.removesuffix("s") for word in kept[-1:]))
        ):
            return simple.format(subject)
        if found := self._compared(subject, start, end):
            return found
        if found := self._related(subject, start, end):
            return found
        if found := self._one_of(subject, start, end):
            return found
        value = self.value(start, end) or self._counted_in(subject, start, end)
        if not value or value == subject or (value.startswith("{") and not self._is_set(subject)):
            return None
        return f"Eq({subject}, {value})"

    def _counted_in(self, subject: str, start: int, end: int) -> str | None:
        """``387 dancers``, said of the answer where dancers are what is counted."""
        nouns = {*self._names.asked, *self._names.answer_words}
        if subject != ANSWER or end - start < 2 or not naming.alike(naming.stem(self._texts[end - 1]), nouns):
            return None
        return self._numeral(start, end - 1)

    def _is_set(self, subject: str) -> bool:
        return self._names.values.get(subject, "").startswith("{")

    def _one_of(self, subject: str, start: int, end: int) -> str | None:
        """``703 or 704``, ``either even or 5``."""
        start += self._texts[start] == "either"
        cuts = [at for at in range(start + 1, end - 1) if self._texts[at] == "or" and not self._depth(start, at)]
        if not cuts or len(cuts) >= MOST_PARTS or self._texts[end - 1] == "not":
            return None
        edges = [start - 1, *cuts, end]
        found = [self._property(subject, a + 1, b) for a, b in itertools.pairwise(edges)]
        return f"Or({', '.join(map(str, found))})" if all(found) else None

    def _compared(self, subject: str, start: int, end: int) -> str | None:
        if self._texts[start] in lexicon.VAGUE and re.fullmatch(r"\d*\.\d+", "".join(self._texts[start + 1 : end])):
            told = number_text(self._texts[end - 1])
            places = len(self._texts[end - 1].split(".")[1])
            return f"Lt(Abs({subject} - {told}), Rational(1, {10**places}))"
        if self._texts[start] in lexicon.RELATIONS:
            other = self.value(start + 1, end)
            return f"{lexicon.RELATIONS[self._texts[start]]}({subject}, {other})" if other else None
        chain = [at for at in range(start, end) if self._texts[at] == "=" and not self._depth(start, at)]
        if chain:
            edges = [start, *(at + 1 for at in chain), end + 1]
            sides = [self.value(a, b - 1) for a, b in itertools.pairwise(edges)]
            if all(sides):
                chained = [subject, *map(str, sides)]
                return _all([f"Eq({a}, {b})" for a, b in itertools.pairwise(chained)])
        for relation, after in self._comparatives(start, end):
            if value := self.value(after, end) or self._counted_in(subject, after, end):
                return f"{relation}({subject}, {value})"
            if relation == "Eq" and (found := self._property(subject, after, end)):
                return found
        texts = self._texts[start:end]
        if texts[0] in ("between", "strictly"):
            begin = start + 1 + (texts[0] == "strictly")
            for at in range(begin + 1, end - 1):
                if self._texts[at] == "and" and (low := self.value(begin, at)):
                    stop = end - (self._texts[end - 1] in ("inclusive", "exclusive"))
                    stop -= self._texts[stop - 1] == ","
                    if high := self.value(at + 1, stop):
                        strict = texts[0] == "strictly" or self._texts[end - 1] == "exclusive"
                        first, second = ("Gt", "Lt") if strict else ("Ge", "Le")
                        return f"And({first}({subject}, {low}), {second}({subject}, {high}))"
        if texts[0] in lexicon.MORE and (by := self._more_by(subject, start, end)):
            return by
        for at in range(start + 1, end - 1):  # "3 more than B", "twice as large as B", "640 larger than B"
            word = self._texts[at]
            if word in lexicon.MORE and self._texts[at + 1] == "than":
                gap = self.value(start, at)
                multiple = self._starts(at + 2, end, ("a", "multiple", "of"))
                other = self.value(at + 5, end) if multiple else self.value(at + 2, end)
                if gap and other:
                    sign = "+" if lexicon.MORE[word] == "Gt" else "-"
                    if multiple:
                        return f"Eq(Mod({subject} - {'' if sign == '+' else '-'}({gap}), {other}), 0)"
                    return f"Eq({subject}, {other} {sign} ({gap}))"
            if word == "as" and self._texts[at + 1] in (
                "large",
                "big",
                "great",
                "many",
                "much",
                "long",
                "high",
                "often",
                "likely",
                "probable",
                "far",
                "heavy",
            ):
                rest = at + 2 + (self._texts[at + 2 : at + 3] == ("as",))
                other = self.value(rest, end)
                times = self._times(start, at)
                if times and other:
                    return f"Eq({subject}, {times}*({other}))"
        return None

    def _more_by(self, subject: str, start: int, end: int) -> str | None:
        """``larger than A by B``."""
        sign = "+" if lexicon.MORE[self._texts[start]] == "Gt" else "-"
        for by in range(start + 3, end - 1):
            if self._texts[by] == "by" and self._texts[start + 1] == "than":
                other, gap = self.value(start + 2, by), self.value(by + 1, end)
                if other and gap:
                    return f"Eq({subject}, {other} {sign} ({gap}))"
        return None

    def _times(self, start: int, end: int) -> str | None:
        texts = self._texts[start:end]
        if texts == ("twice",):
            return "2"
        if texts == ("half",):
            return "(1/2)"
        if not texts:
            return "1"
        return self.value(start, end - 1) if texts[-1] == "times" else None

    def _comparatives(self, start: int, end: int) -> Iterator[tuple[str, int]]:
        for words, relation in lexicon.COMPARATIVE:
            if self._starts(start, end, words):
                yield relation, start + len(words)

    def _related(self, subject: str, start: int, end: int) -> str | None:
        start += start < end and self._texts[start] in ("exactly", "evenly", "precisely")
        texts = self._texts[start:end]
        members = None
        if texts[:2] == ("one", "of"):
            members = self._members(start + 2, end)
        elif texts[:1] == ("in",) and texts[1:2] == ("{",):
            members = self._members(start + 1, end)
        if members:
            return f"Contains({subject}, {{{', '.join(members)}}})"
        for lead, form in lexicon.LEADS:
            if self._starts(start, end, lead) and (value := self.value(start + len(lead), end)):
                return form.format(subject, value)
        if texts[:2] == ("congruent", "to"):
            for at in range(start + 3, end - 1):
                if self._texts[at] in ("mod", "modulo"):
                    rest, modulus = self.value(start + 2, at), self.value(at + 1, end)
                    if rest and modulus:
                        return f"Eq(Mod({subject} - ({rest}), {modulus}), 0)"
        begin = start + (texts[:1] in (("a",), ("an",)))
        for at in range(begin + 1, end):  # "a four-digit number", "a prime greater than 5", "an even number below 9"
            head = lexicon.SIMPLE.get(self._texts[begin:at])
            if head and (rest := self._property(subject, at, end)):
                return f"And({head.format(subject)}, {rest})"
        for cut in range(start + 1, end - 1):
            if self._texts[cut] == "and" and self._starts(start, end, ("divisible", "by")):
                behind = cut + 1 + (self._texts[cut + 1] == "by")
                left, right = self.value(start + 2, cut), self.value(behind, end)
                if left and right:
                    return f"{BOTH}(Divides({left}, {subject}), Divides({right}, {subject}))"
            if self._texts[cut] == "and" or (self._texts[cut] == "but" and self._texts[cut + 1] == "not"):
                first, second = self._property(subject, start, cut), self._property(subject, cut + 1, end)
                if first and second:
                    return f"{BOTH}({first}, {second})"
        digit = re.fullmatch(r"(\w+)-digit", texts[1] if texts[:1] in (("a",), ("an",)) and len(texts) > 2 else "")
        if digit and texts[2:] in (("number",), ("integer",)):
            size = notation.UNITS.get(digit[1], digit[1])
            return f"Eq(digits({subject}), {size})" if str(size).isdecimal() else None
        if texts[:1] == ("twice",) and texts[1:] in (("a", "prime"), ("a", "prime", "number")):
            return f"And(Divides(2, {subject}), isprime(({subject})/2))"
        return self._powers(subject, start, end)

    def _powers(self, subject: str, start: int, end: int) -> str | None:
        """``a power of two times a power of three``, ``the product of powers of 2 and 3``."""
        texts, bases, at = self._texts[start:end], [], 0
        while texts[at : at + 3] == ("a", "power", "of") and at + 3 < len(texts) and texts[at + 3].isdecimal():
            bases.append(texts[at + 3])
            at += 4
            if at == len(texts):
                return (
                    f"madeof({subject}, {', '.join(bases)})" if len(bases) > 1 else f"ispowerof({subject}, {bases[0]})"
                )
            if texts[at] not in ("times", "*", "\u00d7"):
                return None
            at += 1
        return None

    def _members(self, start: int, end: int) -> list[str] | None:
        if self._texts[start] in ("{", "(") and self._texts[end - 1] in ("}", ")"):
            start, end = start + 1, end - 1
        edges = [start]
        for at in range(start, end):
            if self._texts[at] in (",", "and", "or") and not self._depth(start, at):
                edges.append(at + 1)
        edges.append(end + 1)
        found = [self.value(a, b - 1) for a, b in itertools.pairwise(edges) if a < b - 1]
        return [str(value) for value in found] if all(found) and 1 < len(found) <= MOST_PARTS else None

    def _verb(self, subject: str, start: int, end: int) -> str | None:
        """What a subject does: divides, exceeds, leaves, ends in, has."""
        self._step()
        texts = self._texts[start:end]
        if not texts:
            return None
        verb = texts[0]
        if verb in ("divide", "divides") and (value := self.value(start + 1, end)):
            return f"Divides({subject}, {value})"
        if verb in ("exceed", "exceeds"):
            if value := self.value(start + 1, end):
                return f"Gt({subject}, {value})"
            for at in range(start + 2, end - 1):
                if (
                    self._texts[at] == "by"
                    and (gap := self.value(at + 1, end))
                    and (other := self.value(start + 1, at))
                ):
                    return f"Eq({subject}, {other} + ({gap}))"
        if verb in ("equal", "equals", "make", "give", "total", "yield", "come"):
            begin = start + 1 + (texts[1:2] == ("to",))
            return self._property(subject, begin, end)
        if verb in ("lie", "lies", "stay", "stays", "remain", "remains"):
            return self._compared(subject, start + 1, end)
        if verb in ("leave", "leaves", "has", "have"):
            for at in range(start + 2, end - 1):
                for link in lexicon.DIVIDED:
                    if self._starts(at, end, link):
                        rest, modulus = self._rest(start + 1, at), self.value(at + len(link), end)
                        if rest and modulus and not self._says(rest):
                            return f"Eq(Mod({subject}, {modulus}), {rest})"
        if verb in ("end", "ends") and texts[1:2] in (("in",), ("with",)):
            begin = start + 2 + (self._texts[start + 2 : start + 4] in (("the", "digit"), ("the", "digits")) and 2)
            if begin + 1 == end and self._texts[begin].isdecimal():
                tail = self._texts[begin]
                return f"Eq(Mod({subject}, {10 ** len(tail)}), {int(tail)})"
        if verb in ("has", "have"):
            return self._has(subject, start + 1, end)
        if verb in ("go", "goes") and texts[1:2] == ("into",):
            stop = end - 2 if self._ends(start, end, ("without", "remainder")) else end
            if value := self.value(start + 2, stop):
                return f"Divides({subject}, {value})"
        for lead in (("the", "prime", "factor"), ("the", "prime"), ("the", "factor"), ("a", "factor")):
            factor = self.value(start + 1 + len(lead), end) if self._starts(start + 1, end, lead) else None
            if factor and verb in ("contains", "contain", "has", "have"):
                return f"Divides({factor}, {subject})"
        return None

    def _has(self, subject: str, start: int, end: int) -> str | None:
        texts = self._texts[start:end]
        if texts[:1] in (("exactly",), ("just",), ("only",)):
            start, texts = start + 1, texts[1:]
        if texts and texts[-1] in ("digits", "digit"):
            relation, begin = "Eq", start
            for relation_, after in self._comparatives(start, end):
                relation, begin = relation_, after
                break
            if value := self.value(begin, end - 1):
                return f"{relation}(digits({subject}), {value})"
        if texts and texts[-1] in ("divisors", "factors") and (value := self.value(start, end - 1)):
            return f"Eq(divisor_count({subject}), {value})"
        if texts[-2:] in (("prime", "factors"), ("prime", "divisors")):
            stop = end - 2 - (texts[-3:-2] in (("distinct",), ("different",)))
            if value := self.value(start, stop):
                return f"Eq(size(primes({subject})), {value})"
        for lead, form in (
            (("the", "digit", "sum"), "Eq(digit_sum({}), {})"), (("digit", "sum"), "Eq(digit_sum({}), {})"),
            (("a", "digit", "sum", "of"), "Eq(digit_sum({}), {})"), (("the", "factor"), "Divides({1}, {0})"),
            (("the", "prime", "factor"), "Divides({1}, {0})"), (("a", "factor", "of"), "Divides({1}, {0})"),
            (("the", "divisor"), "Divides({1}, {0})"), (("last", "digit"), "Eq(Mod({}, 10), {})"),
            (("the", "last", "digit"), "Eq(Mod({}, 10), {})"), (("denominator",), "Eq(denominator({}), {})"),
            (("the", "denominator"), "Eq(denominator({}), {})"), (("numerator",), "Eq(numerator({}), {})"),
            (("the", "numerator"), "Eq(numerator({}), {})"), (("length",), "Eq(Abs({}), {})"),
            (("the", "squared", "length"), "Eq(Abs({})**2, {})"), (("squared", "length"), "Eq(Abs({})**2, {})"),
            (("the", "length"), "Eq(Abs({}), {})"),
            (("absolute", "value"), "Eq(Abs({}), {})"),
        ):  # fmt: skip
            if form and self._starts(start, end, lead) and (value := self.value(start + len(lead), end)):
                return form.format(subject, value)
        for at in range(start + 1, min(start + 5, end)):  # "has the area 40", "has a height of 5 m"
            begin = at + (self._texts[at] == "of")
            if (value := self.value(begin, end)) and not value.startswith("Mod("):
                noun = [token for token in self._found[start:at] if token.text not in lexicon.ARTICLES]
                own = self._names.resolve([*noun, Token("word", "of"), Token("word", subject)]) if noun else None
                if own:
                    return f"Eq({own}, {value})"
        if texts in (("no", "common", "factor"), ("nothing",)):
            return None
        for none in (("no", "factor", "in", "common", "with"), ("no", "common", "factor", "with"),
                     ("no", "common", "divisor", "with")):  # fmt: skip
            if self._starts(start, end, none) and (value := self.value(start + len(none), end)):
                return f"coprime({subject}, {value})"
        common = ("a", "factor", "greater", "than", "1", "in", "common", "with")
        if self._starts(start, end, common) and (value := self.value(start + len(common), end)):
            return f"Not(coprime({subject}, {value}))"
        return None

    # -- sentences about the answer -----------------------------------------------------------------------------

    def _enough(self, start: int, end: int) -> str | None:
        """``12 hours are enough``, ``4034 would be too few``, where the least or the largest number is asked for."""
        least = self._names.optimum
        texts = self._texts
        if not least:
            return None
        start += texts[start] in ("is", "are", "would", "will", "do", "does", "can")
        for at in range(start + 1, end):
            for words, relation in lexicon.ENOUGH[least]:
                if not self._starts(at, end, words) or not self._about(at + len(words), end):
                    continue
                stop = at
                while stop > start and texts[stop - 1] in lexicon.BEFORE_ENOUGH:
                    stop -= 1
                denied = any(text in ("not", "isn't", "aren't") for text in texts[stop:at])
                if value := self._candidate(start, stop):
                    found = f"{relation}({ANSWER}, {value})"
                    return f"Not({found})" if denied else found
        return None

    def _about(self, start: int, end: int) -> bool:
        """Whether nothing follows, or an end in the problem's words: ``to exceed 96 coins``."""
        if start >= end:
            return True
        return self._texts[start] in ("to", "for") and self._known(naming.words(self._found[start:end]))

    def _candidate(self, start: int, end: int) -> str | None:
        """``12 hours``, ``a wire of 12 mm``, ``L = 12``: a number that could be the answer."""
        while start < end and self._texts[start] in ("after", "a", "an", "the", "length", "of", "already"):
            start += 1
        if end - start > 2 and self._texts[start + 1] == "=" and self._names.symbol(self._texts[start]) == ANSWER:
            return self._numeral(start + 2, end)
        for at in range(start, min(start + 4, end)):
            if self._texts[at] == "of":
                known = self._known(naming.words(self._found[start:at]))
                return self._with_unit(at + 1, end) or self._numeral(at + 1, end) if known else None
        if value := self._with_unit(start, end) or self._numeral(start, end):
            return value
        nouns = {*self._names.asked, *self._names.answer_words}
        if end - start >= 2 and naming.alike(naming.stem(self._texts[end - 1]), nouns):
            return self._numeral(start, end - 1)
        return None

    def _must(self, start: int, end: int) -> str | None:
        """``One must go more than 18 cm``, ``at least 12 coins are needed``, where the least number is asked for."""
        if self._names.optimum != "least":
            return None
        texts = self._texts
        for at in range(start + 1, end - 2):
            lead = next((words for words in lexicon.MUST if self._starts(at, end, words)), None)
            if (
                lead is None
                or texts[at + len(lead)] not in lexicon.GOING
                or not self._known(naming.words(self._found[start:at]))
            ):
                continue
            begin = at + len(lead) + 1
            for relation, after in self._comparatives(begin, end):
                value = self._with_unit(after, end) or self._numeral(after, end)
                if value and relation in ("Gt", "Ge"):
                    return f"{relation}({ANSWER}, {value})"
        return None

    def _owns(self, start: int, end: int) -> str | None:
        """``The polygon has the area 40``, ``the mast is 5 m high``, ``the eigenvalue 3 contributes 9``."""
        texts = self._texts
        for at in range(start + 1, end - 1):
            if texts[at] in ("has", "have"):
                for middle in range(at + 2, min(at + 5, end)):
                    begin = middle + (texts[middle] == "of")
                    noun = [token for token in self._found[at + 1 : middle] if token.text not in lexicon.ARTICLES]
                    if noun and all(token.kind == "word" and token.text not in lexicon.NO_END for token in noun) and (
                        found := self._owned(noun, (start, at), (begin, end))
                    ):  # fmt: skip
                        return found
            if texts[at] == "with" and texts[at + 1] in ("probability", "chance") and end - at > 2:
                begin = at + 2 + (texts[at + 2] == "of")
                if found := self._owned(self._found[at + 1 : at + 2], (start, at), (begin, end)):
                    return found
            if (
                texts[at] in ("occurs", "appears")
                and texts[end - 1] == "times"
                and (found := self._owned([Token("word", "multiplicity")], (start, at), (at + 1, end - 1)))
            ):
                return found
            if texts[at] in lexicon.NOUN_OF and (
                found := self._owned([Token("word", lexicon.NOUN_OF[texts[at]])], (start, at), (at + 1, end))
            ):
                return found
            if texts[at] in ("is", "are") and texts[end - 1] in lexicon.NOUN_OF and end - at > 2:
                noun = [Token("word", lexicon.NOUN_OF[texts[end - 1]])]
                if found := self._owned(noun, (start, at), (at + 1, end - 1)):
                    return found
        return None

    def _owned(self, noun: Sequence[Token], owner: tuple[int, int], said: tuple[int, int]) -> str | None:
        begin, end = said
        relation = "Eq"
        for relation_, after in self._comparatives(begin, end):
            relation, begin = relation_, after
            break
        value = self._with_unit(begin, end) or self._numeral(begin, end)
        if (
            value is None
            and end - begin > 1
            and len(self._texts[end - 1]) <= 2
            and self._texts[end - 1] in lexicon.UNITS
        ):
            value = self._numeral(begin, end - 1)
        stems = naming.words([*noun, Token("word", "of"), *self._found[owner[0] : owner[1]]])
        if naming.ambiguous(self._found[owner[0] : owner[1]]):
            return None
        if value is None or re.search(r"[a-z]|Mod", value.replace("sqrt", "")) or not self._known(stems):
            return None
        exact = naming.canonical(value) if relation == "Eq" else ""
        name = self._names.match(stems, exact)
        if name == ANSWER and noun[0].text in ("probability", "chance") and exact != self._names.values[ANSWER]:
            return None  # of another event, told by words of the question
        return f"{relation}({name}, {value})" if name else None

    def _place(self, start: int, end: int) -> str | None:
        """``The word is on line 12``, ``among the first 100``, ``in the second half``, where its place is asked for."""
        texts = self._texts
        if not self._names.places:
            return None
        start += texts[start] in ("is", "does", "the")
        for at in range(start + 1, end - 1):
            if texts[at] not in ("on", "at", "in", "among", "is"):
                continue
            stop = at
            while stop > start and texts[stop - 1] in ("is", "stands", "lies", "stand", "lie", "comes"):
                stop -= 1
            subject = naming.weighty(naming.words(self._found[start:stop]))
            if not subject or any(one.lstrip("#=").isdecimal() or one not in self._names.context for one in subject):
                continue
            rest = texts[at + 1 : end]
            rest = rest[1:] if rest[:1] == ("the",) else rest
            if len(rest) == 3 and naming.stem(rest[0]) in self._names.context:
                rest = rest[1:]  # "plate number 12"
            if len(rest) == 2 and naming.stem(rest[0]) in self._names.places and rest[1].isdecimal():
                return f"Eq({ANSWER}, {rest[1]})"
            if rest[:1] == ("first",) and len(rest) in (2, 3) and rest[1].isdecimal():
                return f"Le({ANSWER}, {rest[1]})"
            whole = next((name for name in ("all", "total") if name in self._names.values), None)
            if whole and rest[1:2] == ("half",) and rest[:1] in (("first",), ("second",), ("last",)):
                return f"{'Le' if rest[0] == 'first' else 'Gt'}({ANSWER}, {whole}/2)"
        return None

    def _after(self, start: int, end: int) -> str | None:
        """``After 9 hours there are 96 coins``: of a number that changes step by step, told by a fact."""
        texts = self._texts
        if not self._names.course:
            return None
        for at in range(start, end - 2):
            if texts[at] != "after":
                continue
            steps = "1" if texts[at + 1] == "one" else self._numeral(at + 1, at + 2)
            if not steps or not naming.alike(naming.stem(texts[at + 2]), self._names.asked):
                continue
            spans = [(start, at)] if at > start else [(at + 3, end)]
            if at > start and at + 3 != end:
                return None
            begin, stop = spans[0]
            for first in range(begin, stop):
                for last in range(stop, first, -1):
                    value = self._with_unit(first, last) or self._numeral(first, last)
                    if value and not re.search(r"[a-z]", value.replace("Rational", "")):
                        return self._stepped(steps, value, (begin, first), (last, stop))
        return None

    def _stepped(self, steps: str, value: str, before: tuple[int, int], after: tuple[int, int]) -> str | None:
        relation, stop = "Eq", before[1]
        for words, found in lexicon.COMPARATIVE:
            if stop - len(words) >= before[0] and self._texts[stop - len(words) : stop] == words:
                relation, stop = found, stop - len(words)
                break
        rest = [*self._found[before[0] : stop], *self._found[after[0] : after[1]]]
        said = naming.weighty(naming.words(rest))
        strange = [one for one in said if one not in self._names.question and not naming.alike(one, self._names.asked)]
        if any(len(one) == 1 or one[0] in "#=0123456789" or one in naming.DECISIVE_STEMS for one in strange):
            return None
        if len(strange) > 1 + len(said) // 3:
            return None
        return f"{relation}({self._names.course.replace(ANSWER, f'({steps})')}, {value})"

    # -- sentences about a number -------------------------------------------------------------------------------

    def _counted(self, start: int, end: int) -> str | None:
        """``There are at least 3000 beads in the jar``: one number, and words that describe it."""
        texts = self._texts[start:end]
        if start != self._first and texts[0] in ("of", "at", "in", "for", "by", "with", "from", "to", "none"):
            return None  # the rest of a sentence whose verb is in the part before
        if texts[0] in ("can", "could", "may", "might", "should", "must") or "possible to" in " ".join(texts):
            return None
        if any(token.kind == "sign" and token.text in "|<>=" for token in self._found[start:end]) and "=" not in texts:
            return None
        stops = [text for text in texts if text in (";", "?", ".", "if", "because")]
        if stops and not (stops == ["if"] and texts[0] == "if"):
            return None
        if any(text in lexicon.CONTRACTED or text in naming.ASKED for text in texts):
            return None
        if any(texts[at : at + 2] == ("multiple", "of") for at in range(len(texts))):
            return None  # said of something, not the name of it
        if any(self._found[at].text == "(" and self._found[at].glued and self._found[at - 1].kind == "word"
               for at in range(start + 1, end)):  # fmt: skip
            return None  # a function that is not known
        if any(
            text in lexicon.VAGUE and after.kind == "number"
            for text, after in zip(texts, self._found[start + 1 : end], strict=False)
        ):
            return None
        found, clear = [], []
        for begin, stop in self._number_spans(start, end):
            if reading := self._described(start, begin, stop, end):
                found.append(reading)
                if not self._labels(begin, stop, start, end):
                    clear.append(reading)
        if len(set(found)) != 1:
            found = clear if not all(map(self._meets, found)) else found[:1]
        return found[0] if len(set(found)) == 1 else None

    def _meets(self, reading: str) -> bool:
        """Whether a reading says of a description just what it describes."""
        said = re.fullmatch(r"Eq\(([\w/]+), (.+)\)", reading)
        return said is not None and self._names.values.get(said[1], said[1]) == naming.canonical(said[2])

    def _labels(self, begin: int, stop: int, start: int, end: int) -> bool:
        """Whether a number tells which one, as in ``letter 3``: behind a noun and not before one."""
        before = begin > start and bool(naming.weighty(naming.words(self._found[begin - 1 : begin])))
        return before and not (stop < end and naming.weighty(naming.words(self._found[stop : stop + 1])))

    def _number_spans(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Spans of plain numbers and arithmetic, the longest first; ``no`` counts as zero."""
        at = start
        while at < end:
            stop = at
            for after in range(min(end, at + 24), at, -1):
                last = self._texts[after - 1]
                if last not in (",", "and") and self._numeric(at, after):
                    stop = after
                    break
            if stop > at:
                yield at, stop
                at = stop
            else:
                if self._texts[at] in ("no", "none", "one", "neither"):
                    yield at, at + 1
                at += 1

    def _numeric(self, start: int, end: int) -> bool:
        chain = [at for at in range(start, end) if self._texts[at] == "="]
        edges = [start, *(at + 1 for at in chain), end + 1]
        return all(a < b - 1 and self._plain_number(a, b - 1) for a, b in itertools.pairwise(edges))

    def _plain_number(self, start: int, end: int) -> bool:
        if any(token.kind == "word" and token.text not in FUNCTIONS for token in self._found[start:end]):
            return False
        value = Arithmetic(self._found[start:end], self._names).read()
        return value is not None

    def _unbound(self, start: int, end: int) -> str | None:
        """``Without the cap of 7 there would be C(26, 3) = 2600 ways``, where one quantity leaves a condition out."""
        texts, name = self._texts, self._names.without()
        if texts[start] != "without" or not name or not self._names.asked:
            return None
        for at in range(start + 2, end - 2):
            lead = next((words for words in lexicon.THERE if self._starts(at, end, words)), None)
            if lead is None:
                continue
            begin, relation = at + len(lead), "Eq"
            for relation_, after in self._comparatives(begin, end):
                relation, begin = relation_, after
                break
            stop = end - 1 - (texts[end - 2] in ("possible", "different"))
            edges = [begin, *(k + 1 for k in range(begin, stop) if texts[k] == "="), stop + 1]
            sides = [self._numeral(a, b - 1) for a, b in itertools.pairwise(edges) if a < b - 1]
            if (
                sides
                and all(sides)
                and naming.alike(naming.stem(texts[end - 1]), {*self._names.asked, *self._names.answer_words})
            ):
                steps = [f"Eq({left}, {right})" for left, right in itertools.pairwise(sides)]
                return _all([*steps, f"{relation}({name}, {sides[-1]})"])
        return None

    def _portion(self, start: int, end: int) -> str | None:
        """``More than half of A are B``: B compared to a share of A."""
        relation, begin = "Eq", start
        for relation_, after in self._comparatives(start, end):
            relation, begin = relation_, after
            break
        texts = self._texts
        if not any(text.removesuffix("s") in PARTS for text in texts[begin : begin + 2]):
            return None
        for at in range(begin + 3, end - 1):
            if texts[at] not in lexicon.FINITE or not (share := self._share(begin, at)):
                continue
            noun = [token for token in self._found[at - 1 : at] if token.kind == "word"]
            name = self._named(at + 1, end) or self._names.resolve([*noun, *self._found[at + 1 : end]])
            if "/" in share and name:
                return f"{relation}({name}, {share})"
        return None

    def _described(self, start: int, begin: int, stop: int, end: int) -> str | None:
        relation, before, after = "Eq", begin, stop
        for words, found in lexicon.COMPARATIVE:
            if begin - len(words) >= start and self._texts[begin - len(words) : begin] == words:
                if self._texts[begin - len(words) - 1] not in ("add", "adds", "sum", "sums", "come", "comes"):
                    relation, before = found, begin - len(words)
                break
        if self._texts[after : after + 2] in (("or", "more"), ("or", "fewer"), ("or", "less")):
            relation, after = ("Ge" if self._texts[after + 1] == "more" else "Le"), after + 2
        after += after < end and self._texts[after] in lexicon.UNITS and len(self._texts[after]) <= 2
        follows = self._texts[after : after + 2]
        if follows[:1] in (("more",), ("fewer",), ("less",), ("larger",)) or follows in (
            ("times", "as"),
            ("times", "the"),
        ):
            return None
        rest = [*self._found[start:before], *self._found[after:end]]
        if naming.ambiguous(rest):
            return None
        counted = sorted(naming.weighty(naming.words(self._found[after : after + 2])) - naming.SOFT_STEMS)
        if any(token.kind == "sign" and token.text not in ",()" for token in rest):
            return None
        rest = [token for token in rest if token.kind in ("number", "word")]
        joined = any(token.text in ("and", "or") for token in rest)
        if joined and ("," in self._texts[start:end] or any(token.kind == "number" for token in rest)):
            return None  # of more than one thing
        first = self._texts[begin]
        steps: list[str] = []
        if first in ("no", "none", "neither", "one"):
            value, exact = ("1" if first == "one" else "0"), ("1" if first == "one" else "0")
            if first == "one" and relation == "Eq" and self._texts[before : before + 1] == ("one",):
                return None
        else:
            edges = [begin, *(at + 1 for at in range(begin, stop) if self._texts[at] == "="), stop + 1]
            sides = [Arithmetic(self._found[a : b - 1], self._names).read() for a, b in itertools.pairwise(edges)]
            if not all(sides):
                return None
            steps = [f"Eq({left}, {right})" for left, right in itertools.pairwise(sides)]
            value = str(sides[-1])
            exact = naming.canonical(value)
        stems = naming.words(rest)
        if not (self._known(stems) or (relation == "Eq" and exact and self._nearly_known(stems, exact))):
            return None
        if not naming.weighty(stems) - naming.SOFT_STEMS - lexicon.MEASURES and not self._names.has(exact):
            return None  # "the total is below 13 ohms" may be of anything
        # "no X" is easily of something else than a quantity that is not zero
        least = SURE if value == "0" or joined else naming.ENOUGH
        if such := self._such(rest, counted):
            return _all([*steps, f"{relation}({such}, {value})"])
        reading = self._names.match(stems, exact if relation == "Eq" else "", least=least, counted=counted)
        if reading is None:
            return None
        return _all([*steps, f"{relation}({reading}, {value})"])

    def _such(self, rest: Sequence[Token], counted: Sequence[str]) -> str | None:
        """The answer for ``such sequences``, where sequences are asked for."""
        if not any(token.text == "such" for token in rest) or not counted:
            return None
        said = naming.weighty(naming.words(rest)) - naming.SOFT_STEMS
        return ANSWER if said and said <= {*counted} and said <= self._names.asked else None

    def _known(self, stems: Sequence[str]) -> bool:
        """Whether all words with weight are words of the problem, or mean the same as one."""
        vocabulary = self._names.vocabulary
        return all(naming.alike(one, vocabulary) for one in naming.weighty(stems) - naming.SOFT_STEMS)

    def _nearly_known(self, stems: Sequence[str], value: str) -> bool:
        """Whether a number hardly met by chance stands among words of which at most a third are strange."""
        said = naming.weighty(stems) - naming.SOFT_STEMS
        strange = [one for one in said if not naming.alike(one, self._names.vocabulary)]
        return naming.rare(value) and value in self._names.values.values() and 2 * len(strange) <= len(said)

    # -- values -------------------------------------------------------------------------------------------------

    def value(self, start: int, end: int) -> str | None:
        """The expression that a span stands for; None where it is none."""
        if start >= end:
            return None
        key = (start, end)
        if key not in self._values:
            self._values[key] = None
            self._values[key] = self._value(start, end)
        return self._values[key]

    def _noun(self, start: int, end: int) -> str | None:
        """A value as the subject of a sentence; ``it`` is the subject before."""
        pronouns = (("it",), ("that", "number"), ("this", "number"), ("this",), ("the", "number"))
        if self._subject and self._texts[start:end] in pronouns:
            return self._subject
        return self.value(start, end)

    def _value(self, start: int, end: int) -> str | None:
        self._step()
        texts = self._texts[start:end]
        if texts[0] in ("?", ".", ",", ";", ":") or texts[-1] in (",", ".", "?", ";", ":"):
            return None
        if any(text in lexicon.RELATIONS or text in ("==", ";", "?") for text in texts) or texts.count("|") % 2:
            return None
        if name := self._names.formula(texts):
            return name
        if number := Arithmetic(self._found[start:end], self._names).read():
            return number
        if texts == ("one",):
            return "1"
        if number := self._with_unit(start, end):
            return number
        opened = texts.index("(") if texts[-1] == ")" and "(" in texts else 0
        if 0 < opened <= 3 and lexicon.POINTS.issuperset(texts[:opened]):  # "the vector (1, 2, 3)"
            return self._numeral(start + opened, end)
        if digits := self._last_digits(texts):
            return digits
        if (
            [text for text in texts if text not in ("the", "its")] in (["sum", "of", "digits"], ["digit", "sum"])
            and "its" in texts
            and "digit" not in self._names.vocabulary
        ):
            return f"digit_sum({ANSWER})"
        if found := self._of_modulus(start, end) or self._of_formula(start, end):
            return found
        if (
            texts[0] == "the"
            and end - start > 2
            and texts[1] in lexicon.RESULTS
            and (number := self._numeral(start + 2, end))
        ):
            return number
        if texts[0] in ("exactly", "precisely", "just", "only") and (found := self.value(start + 1, end)):
            return found
        if found := self._mixed(start, end):
            return found
        if found := self._function(start, end):
            return found
        last = self._texts[end - 1]
        if last in ("squared", "cubed", "!") and (inner := self.value(start, end - 1)):
            return {"squared": f"({inner})**2", "cubed": f"({inner})**3", "!": f"factorial({inner})"}[last]
        return self._named(start, end)

    def _last_digits(self, texts: Sequence[str]) -> str | None:
        """``the last two digits``, ``its tens digit``, where no digits of another number are spoken of."""
        kept = [text for text in texts if text not in ("the", "its", "shown", "only", "answer's")]
        if kept[-2:] == ["of", "answer"]:
            kept = [text for text in kept[:-2] if text != "of"]
        if len(kept) not in (2, 3) or kept[-1] not in ("digit", "digits"):
            return None
        most = self._names.digits
        if not most and "answer" not in " ".join(texts) and "its" not in texts and "digit" in self._names.vocabulary:
            return None
        value = self._names.values[ANSWER]
        most = most or (len(value) if value.isdecimal() else 0)
        if kept[0] in ("last", "final"):
            count = 1 if len(kept) == 2 else int(kept[1]) if kept[1].isdecimal() else 0
            return f"Mod({ANSWER}, {10**count})" if 0 < count <= most else None
        place = lexicon.DIGITS.get(kept[0], 0) if len(kept) == 2 else 0
        return f"digit({ANSWER}, {place})" if place and place <= most else None

    def _of_modulus(self, start: int, end: int) -> str | None:
        """``the order of 3 modulo 100``, ``the inverse of 9 mod 17``."""
        begin = start + (self._texts[start] == "the")
        begin += self._texts[begin : begin + 1] in (("multiplicative",), ("modular",))
        form = {"order": "n_order({}, {})", "inverse": "Mod(1/({}), {})"}.get(self._texts[begin]) if begin < end else ""
        if not form or not self._starts(begin + 1, end, ("of",)):
            return None
        bracket = self._texts[end - 1] == ")"
        for at in range(end - 2, begin + 2, -1):
            if self._texts[at] in ("mod", "modulo"):
                opened = bracket and self._texts[at - 1] == "("
                number, modulus = self.value(begin + 2, at - opened), self.value(at + 1, end - opened)
                return form.format(number, modulus) if number and modulus else None
        return None

    def _of_formula(self, start: int, end: int) -> str | None:
        """``the last two digits of 3^8``: of the whole formula, not of its first number."""
        begin = start + (self._texts[start] in lexicon.ARTICLES)
        for lead, form in lexicon.OF_ONE:
            if lead[-1] != "of" or not self._starts(begin, end, lead) or form.startswith(("Abs", "component")):
                continue
            inner = begin + len(lead)
            sums = any(self._texts[at] in ("+", "-") and not self._depth(inner, at) for at in range(inner + 1, end))
            number = None if sums and "digit" not in " ".join(lead) else self._numeral(inner, end)
            if number:
                return form.format(number)
        return None

    def _with_unit(self, start: int, end: int) -> str | None:
        """``13 m``, ``1/5 per second``, in a unit that the problem knows."""
        last = self._texts[end - 1]
        if last in ("long", "high", "apart", "away", "wide") and end - start > 2:
            return self._with_unit(start, end - 1)
        if last not in lexicon.UNITS:
            return None
        if naming.stem(last) not in self._names.vocabulary and self._names.problem.facts:
            return None  # of a problem without facts not all words are known
        stop = end - 1 - (end - start > 2 and self._texts[end - 2] == "per")
        return self._numeral(start, stop) if stop > start else None

    def _mixed(self, start: int, end: int) -> str | None:
        """Arithmetic of noun phrases: the last sign of the lowest rank first."""
        for rank in lexicon.RANKS:
            for at in range(end - 2, start, -1):
                for words, sign in rank:
                    if self._starts(at, end, words) and not self._depth(start, at):
                        left = self.value(start, at)
                        right = self.value(at + len(words), end) if left else None
                        if left == right and words == ("over",):
                            return None  # "the sum over the rotations"
                        if left and right:
                            if sign == "Mod":
                                return f"Mod({left}, {right})"
                            if sign == "binomial":
                                return f"binomial({left}, {right})"
                            return f"({left}) {sign} ({right})"
        if (
            self._texts[start] == "("
            and self._texts[end - 1] == ")"
            and not any(self._depth(start, at) == 0 for at in range(start + 1, end - 1))
        ):
            return self.value(start + 1, end - 1)
        return None

    def _function(self, start: int, end: int) -> str | None:
        """``the sum of A and B``, ``the remainder of A divided by B``, ``twice A``, ``half of A``."""
        begin = start + (self._texts[start] in lexicon.ARTICLES)
        texts = self._texts[begin:end]
        for lead, form in lexicon.OF_TWO:
            if not self._starts(begin, end, lead):
                continue
            inner = begin + len(lead)
            for at in range(inner + 1, end - 1):
                if self._texts[at] in ("and", "to", "by", "from", "with"):
                    left = self.value(inner, at)
                    right = self.value(at + 1, end) if left else None
                    if left and right:
                        return form.format(left, right)
            both = self._list(inner, end)
            if both and len(both) > 2 and form[2:5] in (") +", ") *"):
                return f" {form[4]} ".join(f"({one})" for one in both)
        if texts[:1] == ("squared",) and len(texts) > 1 and (whole := self.value(begin + 1, end)):
            return f"({whole})**2"
        for begins, form in lexicon.OF_ONE:
            if self._starts(begin, end, begins) and (inner_value := self.value(begin + len(begins), end)):
                if form == "Abs({})" and begins[0] != "absolute" and not self._names.is_vector(inner_value):
                    return None
                return form.format(inner_value)
        for lead in (("remainder", "of"), ("remainder", "when"), ("remainder", "if")):
            if not self._starts(begin, end, lead):
                continue
            for at in range(begin + 3, end - 1):
                for link in lexicon.DIVIDED:
                    skip = self._texts[at] in ("is", "are")
                    if self._starts(at + skip, end, link):
                        left, right = self.value(begin + 2, at), self.value(at + skip + len(link), end)
                        if left and right:
                            return f"Mod({left}, {right})"
        functions = {"divisors": "divisor_count", "factors": "divisor_count", "digits": "digits"}
        if texts[:2] == ("number", "of") and len(texts) > 4 and texts[2] in functions and texts[3] in ("of", "in"):
            inner_value = self.value(begin + 4, end)
            return f"{functions[texts[2]]}({inner_value})" if inner_value else None
        for lead in (("exponent", "of"), ("power", "of"), ("multiplicity", "of")):
            if not self._starts(begin, end, lead):
                continue
            for at in range(begin + 3, end - 1):
                if self._texts[at] == "in" and (prime := self._numeral(begin + 2, at)):
                    rest = at + 1
                    for words in (("the", "prime", "factorization", "of"), ("the", "factorization", "of")):
                        rest = rest + len(words) if self._starts(rest, end, words) else rest
                    if number := self.value(rest, end):
                        return f"multiplicity({prime}, {number})"
        return self._share(begin, end, several=begin == start)

    def _share(self, start: int, end: int, *, several: bool = True) -> str | None:
        """``one fifth of A``, ``two thirds``, ``a quarter of A``, ``half of A``, ``25 percent of A``."""
        texts = self._texts
        for at in range(start, min(start + 4, end)):
            word = texts[at] if texts[at] in PARTS else texts[at].removesuffix("s")
            many = texts[start:at]
            if word in PARTS and (at == end - 1 or texts[at + 1] == "of"):
                count = "1" if many in ((), ("one",), ("a",), ("an",)) else self._numeral(start, at)
                if count and at == end - 1:
                    return f"({count})/{PARTS[word]}" if many or word == "half" or not several else None
                if count and end - at == 4 and texts[at + 2] in ("a", "an") and texts[at + 3] in lexicon.UNITS:
                    return f"({count})/{PARTS[word]}"
                if count and (whole := self.value(at + 2, end) or self._so_many(at + 2, end)):
                    return f"{count}*({whole})/{PARTS[word]}"
            if word in ("percent", "%") and at < end - 1 and texts[at + 1] == "of":
                count, whole = self._numeral(start, at), self.value(at + 2, end)
                if count and whole:
                    return f"({count})*({whole})/100"
        return None

    def _so_many(self, start: int, end: int) -> str | None:
        """``all 6^5 passwords``, ``the 4^6 cords``: a number of what the problem counts."""
        start += self._texts[start : start + 1] == ("all",)
        start += self._texts[start : start + 1] == ("the",)
        if end - start < 2 or not naming.alike(naming.stem(self._texts[end - 1]), self._names.vocabulary):
            return None
        return self._numeral(start, end - 1)

    def _named(self, start: int, end: int) -> str | None:
        found = [token for token in self._found[start:end] if token.text not in ("(", ")")]
        if any(token.kind in ("sign", "stop") for token in found) or not found:
            return None
        texts = [token.text for token in found]
        if len(found) > 2 and texts[0] == "the" and found[1].kind == "number" and texts[2].endswith("s"):
            found = [found[0], *found[2:]]  # "the two drawers"
            texts = [token.text for token in found]
        if any(text in lexicon.NEVER or text in lexicon.NO_NAME for text in texts) or texts[-1] in lexicon.NO_END:
            return None
        if texts[0] in lexicon.NO_START or naming.ambiguous(found) or (texts[0] in ("a", "an") and "with" in texts):
            return None
        if texts[0] in ("a", "an") and len(texts) < 3:
            return None
        if found[0].kind == "number" or texts[0] in ("those", "that", "each", "every", "some"):
            return None
        apposed = self._apposed(start, end)
        if apposed:
            return apposed
        stems = naming.words(found)
        if len(naming.weighty(stems)) == 1 and (elliptic := self._elliptic(stems, start, end)):
            return elliptic
        name = self._names.resolve(found)
        if name is None and [one for one in texts if one not in lexicon.ARTICLES] in (["denominator"], ["numerator"]):
            return f"{texts[-1]}({ANSWER})"
        if name is None or (not self._known(stems) and name != ANSWER):
            return None
        return name

    def _apposed(self, start: int, end: int) -> str | None:
        """``the modulus 125``, ``the number 387``: a noun with its value behind it."""
        last = self._found[end - 1]
        if last.kind != "number" or end - start < 2:
            return None
        inner = [token for token in self._found[start : end - 1] if token.text not in lexicon.ARTICLES]
        if [token.text for token in inner] in (
            ["number"],
            ["value"],
            ["integer"],
            ["prime"],
            ["complete", "number"],
            [],
        ):
            return last.text
        name = self.value(start, end - 1)
        return name if name and self._names.values.get(name) == last.text else None

    def _elliptic(self, stems: Sequence[str], start: int, end: int) -> str | None:
        """``the second`` after ``the third smeared digit``: the second smeared digit."""
        ordinals = [at for at in range(start) if self._texts[at] in notation.ORDINALS]
        mine = next((self._texts[at] for at in range(start, end) if self._texts[at] in notation.ORDINALS), None)
        if mine is None or len(naming.weighty(stems)) != 1 or len(ordinals) != 1:
            return None
        place = ordinals[0]
        for stop in range(min(start, place + 5), place, -1):
            found = list(self._found[place:stop])
            if self._names.resolve(found):
                return self._names.resolve([Token("word", mine), *found[1:]])
        return None

    # -- helpers ------------------------------------------------------------------------------------------------

    def _step(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise _TiredError("too complicated")

    def _is(self, at: int, text: str) -> bool:
        return self._texts[at] == text

    def _starts(self, start: int, end: int, words: tuple[str, ...]) -> bool:
        return start + len(words) <= end and self._texts[start : start + len(words)] == words

    def _ends(self, start: int, end: int, words: tuple[str, ...]) -> bool:
        return end - len(words) > start and self._texts[end - len(words) : end] == words

    def _depth(self, start: int, at: int) -> int:
        texts = self._texts[start:at]
        return sum(text in "([{" for text in texts) - sum(text in ")]}" for text in texts)


def _each(relation: str) -> list[str]:
    """The parts of what is said of one subject, ``is even and prime``; elsewhere such a pair is a single claim."""
    if not relation.startswith(f"{BOTH}("):
        return [relation.replace(f"{BOTH}(", "And(")]
    tree = ast.parse(relation, mode="eval").body
    parts = tree.args if isinstance(tree, ast.Call) else []
    return [one for part in parts for one in _each(ast.unparse(part))]


def _turned(first: Sequence[Token], second: Sequence[Token]) -> list[Token] | None:
    """``at the fourth 36`` after ``at the third letter 144 are skipped``."""
    value = next((at for at, token in enumerate(first) if token.kind == "number"), 0)
    if not value or second[-1].kind != "number" or len(second) < 2 or second[0].text != first[0].text:
        return None
    said = list(second[:-1])
    if said[-1].text in notation.ORDINALS:
        said.append(first[value - 1])
    return [*said, second[-1], *first[value + 1 :]]


def _all(steps: Sequence[str]) -> str:
    return steps[0] if len(steps) == 1 else f"And({', '.join(steps)})"


def spelled(names: Names, found: Sequence[Token]) -> str | None:
    """Arithmetic in words, ``the square root of 46``, ``two thirds``; None where quantities are named."""
    value = _Reader(names, found).value(0, len(found))
    return value if value and not any(word in names.values for word in re.findall(r"[A-Za-z_]\w*", value)) else None
