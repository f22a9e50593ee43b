"""The formal claims: a small language over a problem's named numbers, decided exactly by fractions.

::

    message  := name "= ?" | claim
    claim    := claim "or" claim | claim "and" claim | "not" claim | "(" claim ")" | relation
    relation := sum (("=" | "!=" | "<" | "<=" | ">" | ">=" | "divides") sum)+
    sum      := product (("+" | "-") product)*
    product  := power (("*" | "/" | "mod") power)*
    power    := ["-"] atom ["^" power]
    atom     := number | name | function "(" sum ("," sum)* ")" | "(" sum ")"
    function := "gcd" | "lcm" | "min" | "max" | "abs" | "floor"
    name     := word ["(" arguments ")"], as the problem writes it: ``n``, ``f(3)``, ``A(2,1)``, ``P(red | bag 1)``

Capital and small letters, spaces, and ``[ ]`` for ``( )`` after a word make no difference. A chain ``0 < a < b`` holds
where each of its parts does. Everything else is a sentence, for a judge to read.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

from interactive_envs.mathematics.generators.base import ANSWER, Hidden, Problem, identifier
from interactive_envs.parsing import Illegal, Unreadable

LONGEST = 1_000
"""Characters of a message that is read."""
LARGEST = 50_000
"""Bits of a number that is computed."""
UNDEFINED = "undefined"
"""The reply to a formula without a value: it divides by zero, takes ``mod`` of a fraction, or has huge numbers."""
DEEPEST = 40
"""Brackets and signs within each other."""

_RELATIONS: Mapping[str, Callable[[Fraction, Fraction], bool]] = {
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "divides": lambda a, b: a != 0 and (b / a).denominator == 1,
}
_SPELLINGS = {"==": "=", "≤": "<=", "≥": ">=", "≠": "!=", "<>": "!=", "**": "^", "·": "*", "×": "*", "−": "-"}  # noqa: RUF001
_KEYWORDS = frozenset({"mod", "and", "or", "not", "divides"})
_WHOLE: Mapping[str, Callable[..., int]] = {"gcd": math.gcd, "lcm": math.lcm}
_ANY: Mapping[str, Callable[..., Fraction]] = {
    "min": lambda *numbers: min(numbers),
    "max": lambda *numbers: max(numbers),
    "abs": lambda number: abs(number),
    "floor": lambda number: Fraction(math.floor(number)),
}
_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?)|(?P<word>[A-Za-z_]\w*)|(?P<sign>\*\*|==|<=|>=|!=|<>|[-+*/^()\[\],=<>≤≥≠·×−?|]))"  # noqa: RUF001
)
_NAME = re.compile(r"[A-Za-z_]\w*(?:\([^()]*\))?")
_SUBSCRIPT = re.compile(r"(?<=\w)_\{(\s*\w+(?:\s*,\s*\w+)*\s*)\}")
_OPENING = re.compile(r"(?:is it true that|it is true that|is|claim:?|i claim(?: that)?)\s+(?=\S)", re.IGNORECASE)
_ASKING = re.compile(
    r"(?:(?:what is|what's|give|tell me|show)\s+)?(?:the\s+)?(?:value of\s+)?(?P<name>[^=?]+?)\s*(?:=\s*\?+|\?)?\.?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Formal:
    """A message that was read.

    Attributes:
        kind: ``value`` (of a hidden number), ``claim``, or ``answer`` where it is about the answer.
        reply: ``f(3) = 17``, ``yes``, ``no`` or ``undefined``.
        hidden: the number that is asked for.
    """

    kind: Literal["value", "claim", "answer"]
    reply: str
    hidden: Hidden | None = None


@dataclass(frozen=True)
class Names:
    """What the words of formal claims stand for in a problem.

    Attributes:
        values: of the numbers that may be named, by their key (see :func:`key`).
        answers: keys of the answer.
        answer: its value, None where it is no fraction.
        hidden: the hidden numbers by key.
        shown: the names that the player is told, in order.
    """

    values: Mapping[str, Fraction]
    answers: frozenset[str]
    answer: Fraction | None = None
    hidden: Mapping[str, Hidden] = field(default_factory=dict)
    shown: tuple[str, ...] = ()


class _FormulaError(ValueError):
    """What is wrong with a formula, in a sentence for the player."""


class _UndefinedError(ValueError):
    """It has no value, or one that is too large."""


class _UnknownNameError(_FormulaError):
    """It names a number that the problem does not have."""


def key(name: str) -> str:
    """Return a name without spaces, in small letters, with round brackets."""
    return re.sub(r"\s", "", name).replace("[", "(").replace("]", ")").casefold()


def _shorter(names: Iterable[str]) -> dict[str, str]:
    """Return ``a12`` and ``a_12`` for ``a(1,2)``, where no other name is written so."""
    found: dict[str, set[str]] = {}
    for name in names:
        head, bracket, inside = name.partition("(")
        if bracket:
            for between in ("", "_"):
                found.setdefault(head + between + re.sub(r"\W", "", inside), set()).add(name)
    return {short: full.pop() for short, full in found.items() if len(full) == 1 and short not in names}


def names_of(problem: Problem) -> Names:
    """Return the names of a problem's numbers; the answer's own are apart."""
    hidden = {key(each.name): each for each in problem.hidden}
    hidden |= {short: hidden[full] for short, full in _shorter(hidden).items()}
    values: dict[str, Fraction] = {}
    answers, answer = {ANSWER}, _fraction(problem.answer)
    for quantity in problem.quantities:
        keys = {key(name) for name in (quantity.name, *quantity.phrases) if _NAME.fullmatch(name)}
        if quantity.name == ANSWER:
            answers |= keys
            continue
        value = _fraction(quantity.value)
        if value is not None:
            values |= dict.fromkeys(keys - values.keys(), value)
    answers |= _shorter(answers - hidden.keys()).keys() - values.keys()
    values |= {one: Fraction(each.value) for one, each in hidden.items()}
    told = [quantity.name for quantity in problem.quantities if quantity.told and key(quantity.name) in values]
    shown = (*(each.name for each in problem.hidden), *told)
    return Names(values, frozenset(answers - hidden.keys()), answer, hidden, shown)


def spelled(problem: Problem, text: str) -> str:
    """Return a sentence with one-word names of numbers, ``f_3`` for ``f(3)``, as the reader of words wants."""
    named = {name: quantity.name for quantity in problem.quantities for name in quantity.phrases if "(" in name}
    named |= {each.name: identifier(each.name) for each in problem.hidden}
    for name, word in named.items():
        if _NAME.fullmatch(name):
            begin, _, inside = name.rstrip(")").partition("(")
            places = r"\s*".join(map(re.escape, re.findall(r"\w+|[^\w\s]", inside)))
            found = rf"(?<!\w){re.escape(begin)}\s?[(\[]\s*{places}\s*[)\]]"
            text = re.sub(found, word, text, flags=re.IGNORECASE)
    return text


def read(problem: Problem, text: str) -> Formal | Unreadable | None:
    """Return what a formal message says of a problem, or why it is none; None for a sentence in words."""
    if len(text) > LONGEST:
        return None
    names = names_of(problem)
    text = _SUBSCRIPT.sub(lambda found: "_" + re.sub(r"\W+", "_", found[1].strip()), text.strip())
    asked = _ASKING.fullmatch(text) if problem.hidden else None
    if asked and (key(asked["name"]) in names.values or key(asked["name"]) in names.answers):
        return _ask(names, key(asked["name"]))
    body = _OPENING.sub("", text.rstrip(" .?"), count=1)
    tokens = _tokens(body)
    if tokens is None or not _is_formal(tokens):
        return None
    if tokens[-1][1] in _RELATIONS and text.endswith("?"):  # f(1) + f(2) = ?
        askable = listed(_askable(names))
        return Illegal(
            f"Only a single hidden number can be asked for: {askable}."
            if askable
            else "No value can be asked for here; make a claim."
        )
    parser = _Parser(names, tokens)
    try:
        truth = parser.message()
    except _UnknownNameError as error:
        return Unreadable(str(error)) if problem.hidden else None
    except _FormulaError as error:
        return Unreadable(str(error))
    except (_UndefinedError, ZeroDivisionError):
        # no reason: it may depend on hidden numbers, and a message that is no claim may be free
        return Formal("answer" if parser.about_answer else "claim", UNDEFINED)
    if parser.about_answer:
        return Formal("answer", "yes" if truth else "no")
    if not parser.named:
        return None
    return Formal("claim", "yes" if truth else "no")


def listed(names: Iterable[str], most: int = 24) -> str:
    """Return names as a list, cut where there are many."""
    found = list(names)
    return ", ".join([*found[:most], *(["…"] if len(found) > most else [])])


def _askable(names: Names) -> list[str]:
    return list(dict.fromkeys(each.name for each in names.hidden.values() if each.askable))


def _ask(names: Names, name: str) -> Formal | Unreadable:
    if name in names.answers:
        return Formal("answer", "")
    hidden = names.hidden.get(name)
    if hidden is None:
        return Illegal(f"Only the value of a hidden number can be asked for: {listed(_askable(names)) or 'none'}.")
    if not hidden.askable:
        middle = (hidden.low + hidden.high + 1) // 2
        return Illegal(
            f"The value of {hidden.name} cannot be asked for. Test claims about it, such as {hidden.name} < {middle}."
        )
    return Formal("value", f"{hidden.name} = {hidden.value}", hidden)


def _fraction(text: str) -> Fraction | None:
    """Return a rational value, None for a root, a set or a point."""
    found = re.fullmatch(r"(?:Rational\()?(-?\d+)(?:(?:, ?|/)(\d+))?\)?", text)
    return Fraction(int(found[1]), int(found[2] or 1)) if found else None


def _tokens(text: str) -> list[tuple[str, str]] | None:
    """Return kinds and texts of the tokens; None where something else stands in between."""
    found, at = [], 0
    text = text.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            return None
        kind = str(match.lastgroup)
        found.append((kind, _SPELLINGS.get(match[kind], match[kind])))
        at = match.end()
    return found


def _is_formal(tokens: list[tuple[str, str]]) -> bool:
    """Return whether tokens are a formula, right or wrong: a relation, and no two words in a row but in brackets."""
    if not any(text in _RELATIONS or text.casefold() == "divides" for _, text in tokens):
        return False
    depth, before = 0, ""
    for (kind, text), (_, after) in zip(tokens, [*tokens[1:], ("", "")], strict=True):
        depth += (text in ("(", "[")) - (text in (")", "]"))
        operand = kind != "sign" and text.casefold() not in _KEYWORDS
        if before and operand and not depth and not (before == "number" and after in ("(", "[")):
            return False
        before = kind if operand else ""
    return True


class _Parser:
    """Reads a formula and computes it on the way.

    Attributes:
        named: whether it names a number of the problem.
        about_answer: whether it names the answer.
    """

    def __init__(self, names: Names, tokens: list[tuple[str, str]]) -> None:
        self._names, self._tokens, self._at, self._depth = names, tokens, 0, 0
        self.named = self.about_answer = False

    def message(self) -> bool:
        """Read it all."""
        truth = self._either()
        if self._at < len(self._tokens):
            raise _FormulaError(f"The formula cannot be read from {self._rest()!r} on.")
        return truth

    # Claims.

    def _either(self) -> bool:
        found = self._all()
        while self._take("or"):
            found = self._all() or found
        return found

    def _all(self) -> bool:
        found = self._single()
        while self._take("and") or self._take(","):
            found = self._single() and found
        return found

    def _single(self) -> bool:
        self._go_down()
        try:
            if self._take("not"):
                return not self._single()
            begin, seen = self._at, (self.named, self.about_answer)
            if self._take("("):  # a claim in brackets, or a sum that begins with some
                try:
                    found = self._either()
                    if self._take(")") and self._peek() in (None, "and", "or", ",", ")"):
                        return found
                except _UnknownNameError:
                    raise
                except _FormulaError:
                    pass
                self._at = begin
                self.named, self.about_answer = seen
            return self._relation()
        finally:
            self._depth -= 1

    def _relation(self) -> bool:
        left, truth, count = self._sum(), True, 0
        while (sign := self._peek()) in _RELATIONS:
            self._at += 1
            begin = self._at
            right = self._sum()
            if sign == "=" and self._has_open_mod(begin):
                raise _FormulaError("Write a remainder on the left: n mod 4 = 1.")
            truth = _RELATIONS[str(sign)](left, right) and truth
            left, count = right, count + 1
        if not count and self._peek() not in (None, "and", "or", ",", ")"):
            raise _FormulaError(f"The formula cannot be read from {self._rest()!r} on.")
        if not count:
            raise _FormulaError("A formal claim has a relation: =, !=, <, <=, > or >=.")
        return truth

    def _has_open_mod(self, begin: int) -> bool:
        depth = 0
        for _, text in self._tokens[begin : self._at]:
            depth += (text in ("(", "[")) - (text in (")", "]"))
            if text.casefold() == "mod" and not depth:
                return True
        return False

    # Numbers.

    def _sum(self) -> Fraction:
        found = self._product()
        while sign := self._take("+", "-"):
            other = self._product()
            found = _checked(found + other if sign == "+" else found - other)
        return found

    def _product(self) -> Fraction:
        begin = self._at
        found = self._power()
        if self._at == begin + 1 and self._is_applied() and self._tokens[begin][0] == "number":  # 2 f(3)
            found = _checked(found * self._power())
        while sign := self._take("*", "/", "mod"):
            other = self._power()
            if sign == "*":
                found = _checked(found * other)
            elif sign == "/":
                found = _checked(found / other)
            elif found.denominator != 1 or other.denominator != 1 or other <= 0:
                raise _UndefinedError("mod of other numbers")
            else:
                found = found % other
        return found

    def _is_applied(self) -> bool:
        """Return whether a name with a bracket comes next."""
        coming = self._tokens[self._at : self._at + 2]
        return (
            len(coming) == 2 and coming[0][0] == "word" and coming[1][1] in ("(", "[") and self._peek() not in _KEYWORDS
        )

    def _power(self) -> Fraction:
        self._go_down()
        try:
            if self._take("-"):
                return -self._power()
            found = self._atom()
            if self._take("^"):
                found = _raised(found, self._power())
            return found
        finally:
            self._depth -= 1

    def _atom(self) -> Fraction:
        if self._at >= len(self._tokens):
            raise _FormulaError("The formula ends too early.")
        kind, text = self._tokens[self._at]
        if kind == "number":
            self._at += 1
            return Fraction(text)
        if kind == "word" and text.casefold() not in _KEYWORDS:
            return self._named_or_computed(text)
        if self._take("("):
            found = self._sum()
            self._close()
            return found
        raise _FormulaError(f"The formula cannot be read from {self._rest()!r} on.")

    def _named_or_computed(self, word: str) -> Fraction:
        self._at += 1
        name = key(word)
        if self._peek() in ("(", "["):
            applied = key(word + self._bracket())
            if applied in self._names.values or applied in self._names.answers or name not in {*_WHOLE, *_ANY}:
                self._at += self._length_of_bracket()
                return self._value(applied, word + applied[len(name) :])
            self._at += 1
            numbers = [self._sum()]
            while self._take(","):
                numbers.append(self._sum())
            self._close()
            return _computed(name, numbers)
        return self._value(name, word)

    def _value(self, name: str, written: str) -> Fraction:
        if name in self._names.values:
            self.named = True
            return self._names.values[name]
        if name in self._names.answers:
            self.about_answer = True
            if self._names.answer is None:
                raise _UndefinedError("no fraction")
            return self._names.answer
        known = f" The names are: {listed(self._names.shown)}." if self._names.shown else ""
        raise _UnknownNameError(f"The problem has no number named {written}.{known}")

    def _bracket(self) -> str:
        return " ".join(text for _, text in self._tokens[self._at : self._at + self._length_of_bracket()])

    def _length_of_bracket(self) -> int:
        depth = 0
        for size, (_, text) in enumerate(self._tokens[self._at :], 1):
            depth += (text in ("(", "[")) - (text in (")", "]"))
            if not depth:
                return size
        raise _FormulaError("A bracket is not closed.")

    def _close(self) -> None:
        if not self._take(")"):
            raise _FormulaError("A bracket is not closed.")

    # Tokens.

    def _peek(self) -> str | None:
        return self._tokens[self._at][1].casefold() if self._at < len(self._tokens) else None

    def _take(self, *texts: str) -> str:
        found = self._peek()
        if found is None or found not in texts:
            return ""
        self._at += 1
        return found

    def _rest(self) -> str:
        return " ".join(text for _, text in self._tokens[self._at :])[:40]

    def _go_down(self) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise _FormulaError("The formula has too many brackets.")


def _checked(number: Fraction) -> Fraction:
    if number.numerator.bit_length() + number.denominator.bit_length() > LARGEST:
        raise _UndefinedError("too large")
    return number


def _raised(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1:
        raise _UndefinedError("a root")
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(base) not in (0, 1) and size * abs(exponent) > LARGEST:
        raise _UndefinedError("too large")
    return _checked(base ** int(exponent))


def _computed(name: str, numbers: list[Fraction]) -> Fraction:
    try:
        if name in _WHOLE:
            if any(number.denominator != 1 for number in numbers):
                raise _UndefinedError(f"{name} of fractions")
            return _checked(Fraction(_WHOLE[name](*map(int, numbers))))
        return _ANY[name](*numbers)
    except TypeError as error:
        raise _FormulaError(f"{name} has another number of arguments.") from error
