"""Mathematical prose as tokens: Unicode, LaTeX, thousands separators and spelled numbers brought into one form."""

from __future__ import annotations

import ast
import re
import unicodedata
from fractions import Fraction
from typing import NamedTuple

from interactive_envs.mathematics.judge import tables

LONGEST = 1200
"""Characters that are read; a longer text is no claim."""
MOST_TOKENS = 90
DEEPEST = 12
"""Parentheses within each other."""

_TABLES = tables.load("notation")

UNITS = {word: value for value, word in enumerate(_TABLES["units"].split())}
TENS = {word: 10 * value for value, word in enumerate(_TABLES["tens"].split(), start=2)}
SCALES: dict[str, int] = _TABLES["scales"]
ORDINALS = {word: str(value) for value, word in enumerate(_TABLES["ordinals"].split(), start=1)}
PARTS: dict[str, int] = _TABLES["parts"]
"""Parts of a whole, and how many make one."""
FUNCTIONS: dict[str, str] = _TABLES["functions"]
"""Names of functions in formulas."""

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ", "0123456789+-n")
_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_SIGNS: dict[str, str] = _TABLES["signs"]
_LATEX: dict[str, str] = _TABLES["latex"]


class UnreadableError(ValueError):
    """A text that is not understood; the message says why."""


class TooLargeError(UnreadableError):
    """Numbers that would take too long to compute."""


class Token(NamedTuple):
    """A piece of a text.

    Attributes:
        kind: ``number``, ``word``, ``sign`` or ``stop``.
        text: a number in digits, a word in small letters, a sign.
        glued: whether it follows the token before it without a space.
    """

    kind: str
    text: str
    glued: bool = False


def plain(text: str) -> str:
    """Return a text in ASCII: signs, LaTeX, powers and thousands separators in one notation.

    Raises:
        UnreadableError: characters that belong to no mathematical English.
    """
    if len(text) > LONGEST:
        raise UnreadableError(f"longer than {LONGEST} characters")
    text = re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ]+", lambda found: f"^({found[0].translate(_SUPERSCRIPTS)})", text)
    text = re.sub(r"(\d+) ?([½¼¾⅓⅔])", lambda found: f"({found[1]}+{_SIGNS[found[2]]})", text)
    text = text.translate(_SUBSCRIPTS)
    text = "".join(_SIGNS.get(character, character) for character in text)
    text = unicodedata.normalize("NFC", text)
    text = re.sub(
        r"(?i)\bhalf a (million|thousand)\b", lambda f: "500000" if f[1].lower() == "million" else "500", text
    )
    strange = next((one for one in text if not (one.isascii() or one in "éèüöäßáí±\u00d7")), None)
    if strange is not None:
        raise UnreadableError(f"a strange character, U+{ord(strange):04X}")
    return _separators(_latex(text))


def tokens(text: str) -> tuple[Token, ...]:
    """Return the tokens of a text.

    Raises:
        UnreadableError: strange characters, too many tokens, too deep parentheses.
    """
    text = plain(text)
    found, end = [], 0
    for match in _TOKEN.finditer(text):
        between = text[end : match.start()]
        if between.strip():
            raise UnreadableError(f"unreadable: {between.strip()[:20]}")
        kind = match.lastgroup or ""
        found.append(Token(kind, match[0].lower() if kind == "word" else match[0], match.start() == end and end > 0))
        end = match.end()
    if text[end:].strip():
        raise UnreadableError(f"unreadable: {text[end:].strip()[:20]}")
    if len(found) > MOST_TOKENS:
        raise UnreadableError(f"more than {MOST_TOKENS} words and signs")
    depth = deepest = 0
    for token in found:
        depth += (token.text in "([{") - (token.text in ")]}") if token.kind == "sign" else 0
        deepest = max(depth, deepest)
    if deepest > DEEPEST:
        raise UnreadableError(f"more than {DEEPEST} parentheses within each other")
    return tuple(_spelled(found))


_TOKEN = re.compile(
    r"""(?P<number>\d+(?:\.\d+)?|\.\d+)
    |(?P<word>[a-zA-Zéèüöäßáí]+(?:_[a-zA-Z0-9]+)+|[a-zA-Zéèüöäßáí]+(?:['-](?=[a-zA-Z])[a-zA-Zéèüöäßáí]+)*(?:(?<=[a-z])\d+)?)
    |(?P<sign>\*\*|<=|>=|!=|==|\.\.\.|[-+*/^!()\[\]{},=<>|%±\u00d7])
    |(?P<stop>[.;:?"'$])""",
    re.VERBOSE,
)


def _latex(text: str) -> str:
    """LaTeX commands and braces as plain signs."""
    text = re.sub(r"\\[()\[\],;!: ]|\$", " ", text)
    text = re.sub(r"(?<![\w)])\*\*([^*]+)\*\*(?![\w(])", r"\1", text)  # bold, not a power
    text = re.sub(r"\\(?:text|mathrm|operatorname|mathbf|boxed)\s*\{([^{}]*)\}", r" \1 ", text)
    text = re.sub(r"\\sqrt\s*\[(\d)\]\s*\{([^{}]*)\}", r"((\2)^(1/\1))", text)
    text = re.sub(r"\\pmod\s*\{([^{}]*)\}", r" (mod \1)", text)
    text = re.sub(r"([_^])\{(\w)\}", r"\1\2", text)
    text = re.sub(r"_\{(\w+)\}", r"_\1", text)
    text = re.sub(r"(\d*\.\d*)(?:\\overline\s*\{(\d+)\}|\((\d+)\))", _repeating, text)
    text = re.sub(r"(?<![\w.])(\d+)\s*\\[dt]?frac\s*\{(\d+)\}\s*\{(\d+)\}", r"(\1+\2/\3)", text)
    text = re.sub(r"(?<![\w.])(\d+(?:\.\d+)?)[eE]([+-]?\d{1,3})\b", r"(\1*10^(\2))", text)
    text = re.sub(r"\\([a-zA-Z]+)", lambda found: _LATEX.get(found[1], found[0]), text)
    for _ in range(6):  # from the inside out
        text, count = re.subn(r"\\(frac|binom)\s*\{([^{}]*)\}\s*\{([^{}]*)\}", _two, text)
        text, more = re.subn(r"(sqrt\s*|\^)\{([^{}]*)\}", r"\1(\2)", text)
        if not count + more:
            break
    text = re.sub(r"\\(frac|binom)\s*\{?(\d+)\}?\s*\{(\d+)\}", _two, text)
    text = re.sub(r"\\(frac|binom)\s*(\d)\s*(\d)", _two, text)
    return re.sub(r"\\([{}%])", r"\1", text)


def _repeating(found: re.Match[str]) -> str:
    """0.1(6) as a fraction."""
    before, period = found[1], found[2] or found[3]
    places = len(before.partition(".")[2])
    whole, longer = int(before.replace(".", "") or "0"), int(before.replace(".", "") + period)
    return f"({longer - whole}/{10 ** (places + len(period)) - 10**places})"


def _two(found: re.Match[str]) -> str:
    if found[1] == "frac":
        return f"(({found[2]})/({found[3]}))"
    return f" binomial({found[2]}, {found[3]})"


def _separators(text: str) -> str:
    """5,000 and 5 000 as 5000, but not in sets and in what a function is given."""
    return re.sub(r"(?<![\d.,])\d{1,3}(?:(?:,\d{3})+|(?: \d{3})+)(?![\d,]*\d)", _joined, text)


def _joined(found: re.Match[str]) -> str:
    depth = 0
    for at in range(found.start() - 1, -1, -1):
        character = found.string[at]
        depth += (character in ")]}") - (character in "([{")
        if depth < 0:
            listed = character in "[{" or (at > 0 and found.string[at - 1].isalpha())
            return found[0] if listed else re.sub("[, ]", "", found[0])
    return re.sub("[, ]", "", found[0])


def _spelled(found: list[Token]) -> list[Token]:
    """Spelled numbers as digits; a lone ``one`` stays a word, as it often is none."""
    flat: list[Token] = []
    for token in found:
        pieces = token.text.split("-")
        if token.kind == "word" and len(pieces) > 1 and all(map(_counts, pieces)):
            flat.extend(Token("word", piece, index > 0) for index, piece in enumerate(pieces))
        else:
            flat.append(token)
    result, place = [], 0
    while place < len(flat):
        value, after = _number(flat, place)
        if after == place or (after == place + 1 and flat[place].text == "one"):
            result.append(flat[place])
            place += 1
        else:
            result.append(Token("number", str(value), flat[place].glued))
            place = after
    return result


def _counts(word: str) -> bool:
    return word in UNITS or word in TENS or word in SCALES or word == "hundred"


def _number(found: list[Token], place: int) -> tuple[int, int]:
    """Return the value of the number spelled at a place, and where it ends; the place itself where there is none."""
    total, current, last, at = 0, 0, "", place
    while at < len(found):
        word = found[at].text if found[at].kind == "word" else ""
        if word == "and" and last in ("hundred", *SCALES) and at + 1 < len(found) and _small(found[at + 1].text):
            at += 1
            continue
        if word in UNITS and (last in ("", "hundred", *SCALES) or (last in TENS and 0 < UNITS[word] < 10)):
            current += UNITS[word]
        elif word in TENS and last in ("", "hundred", *SCALES):
            current += TENS[word]
        elif word == "hundred" and last in UNITS:
            current *= 100
        elif word in SCALES and last and last not in SCALES:
            total, current = total + current * SCALES[word], 0
        else:
            break
        last, at = word, at + 1
    return total + current, at


def _small(word: str) -> bool:
    return word in UNITS or word in TENS


def is_rare(value: str) -> bool:
    """Return whether a number is hardly met by chance: a fraction, or of two digits."""
    return "/" in value or len(value.lstrip("-")) > 1


def is_telling(value: str) -> bool:
    """Return whether a number is not met by chance: a fraction of such, or of three digits."""
    return max(len(piece.lstrip("-")) for piece in value.split("/")) > 2 - ("/" in value)


def canonical(text: str) -> str:
    """Return a rational number in lowest terms, ``-3/7``; any other text as it is."""
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
