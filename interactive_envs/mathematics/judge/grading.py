"""Whether a final answer is the right one, by symbols alone."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from interactive_envs.mathematics.generators.base import ANSWER
from interactive_envs.mathematics.judge import arithmetic, deciding, lexicon, notation, reading
from interactive_envs.mathematics.judge.claims import ClaimJudge
from interactive_envs.mathematics.judge.notation import TooLargeError, UnreadableError
from interactive_envs.mathematics.judge.words import (
    AFTER_NOUN,
    ARITHMETIC,
    DECISIVE_STEMS,
    DENIAL_STEMS,
    FUNCTIONS,
    OTHER_UNITS,
    SHORT_UNITS,
    SMALL_STEMS,
    SOFT_STEMS,
    stem,
    stems_of,
)

LONGEST = 600
"""Characters of an answer; a longer one commits to nothing that can be read."""

_HEDGES = re.compile(
    r"""\b(?:about|roughly|approximately|approx|around|nearly|almost|maybe|perhaps|probably|possibly|either|between|not
    |at\ least|at\ most|more\ than|less\ than|fewer\ than|or|unless|guess|unsure|depends|don't|cannot\ tell|no\ idea)\b
    |[?<>~]|±|≈|≤|≥|!=|≠|\.\.\.|…""",
    re.IGNORECASE | re.VERBOSE,
)
_OR = re.compile(r"\b(?:or|either|and)\b", re.IGNORECASE)
_ROUNDED = re.compile(
    r"""^(?P<exact>[^≈~]*[^\s≈~(,\\])\s*,?\s*\(?\s*(?:(?:which|that)\ is\s+)?
    (?:≈|\\approx(?![a-z])|~|\b(?:approximately|approx\.?|about|roughly)\b)
    \s*\$?\s*(?P<decimal>-?\d+\.\d+)\$?(?P<unit>\s*(?:[a-zA-Z]+|°|%|\\%|\\text\s*\{\s*[a-zA-Z]+\s*\}))?\s*\)?\s*\$?\s*\.?\s*$""",
    re.VERBOSE,
)
"""An exact value with its decimal behind it."""
_BECAUSE = re.compile(
    r"^(?P<head>.*?\S)(?:\s*,?\s+(?:because|since)|\s*,\s*as)\s+(?P<why>.*\d.*)$", re.IGNORECASE | re.DOTALL
)
_CODE = re.compile(r"\b(?:print|import|eval|exec|lambda|def|return|while|for \w+ in)\b|[;`]|\w\.\w+\(|__")
_LEADS = re.compile(
    r"""^(?:(?:so|therefore|thus|hence|finally|then|in\ total|altogether
    |answer\ :|final\ answer\ :|solution\ :)\s*,?\s*)*
    (?:(?:it|that|this)'s\s(?:exactly\s)?
      |(?:we|i)\ (?:get|obtain|find|have|conclude\ that\ it\ is)\s
      |(?:it|that|this)\ (?:is|equals|makes|must\ be|takes|needs)\s(?:exactly\s)?
      |after\s(?:exactly\s)?
      |there\ (?:are|is|must\ be)\s(?:exactly\s)?
      |(?:my|the|our)\ (?:(?:final|correct|exact|right|wanted|required|requested|desired)\ )*
       (?:answer|result|solution|number|value|total|quantity)\ (?:(?:that\ is\ )?asked\ for\ |wanted\ |sought\ )?
       (?:is|equals|comes\ to|comes\ out\ as|must\ be|=|:)\s*(?:equal\ to\ |exactly\ )?
      |(?:answer|result|solution|final\ answer)\s*(?:is|:|=)\s*)?""",
    re.IGNORECASE | re.VERBOSE,
)
_TAILS = re.compile(
    r"""(?:,?\s(?:thank\ you|thanks|in\ the\ end|in\ total|altogether|in\ all|in\ decimal
    |in\ lowest\ terms|as\ a\ fraction|long|high|away|exactly|please|indeed)
    |,\s(?:because|since|as)\s[^\d]*|\s*\(?exact\)?)\s*[.!]?$""",
    re.IGNORECASE | re.VERBOSE,
)


@dataclass(frozen=True)
class Grade:
    """What is known of a final answer.

    Attributes:
        right: None where symbols cannot decide.
        detail: how it was read.
    """

    right: bool | None
    detail: str


def grade(judge: ClaimJudge, text: str) -> Grade:
    """Grade a final answer to a judge's problem; whatever the text is."""
    if len(text) > LONGEST:
        return Grade(None, f"longer than {LONGEST} characters")
    boxed = re.findall(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}", text)
    if len(boxed) == 1:
        text = boxed[0]
    if not judge.names.problem.facts:
        text = _in_own_unit(judge, text)
    try:
        if (found := _rounded(judge, text) or _reasoned(judge, text)) is not None:
            return found
        if _CODE.search(text) or _HEDGES.search(_OR.sub(" ", text) if _is_set(judge) else text):
            return Grade(False, "does not commit to one value")
        return _grade(judge, text)
    except TooLargeError as error:
        return Grade(None, str(error))
    except UnreadableError as error:
        if not re.search(r"\d|\\?pi\b|π|sqrt|√", text) and not _spelled(text):
            return Grade(False, "names no value")
        return Grade(None, str(error))


def _rounded(judge: ClaimJudge, text: str) -> Grade | None:
    """Of ``21/37 ≈ 0.568``: an exact value and its own rounded decimal; None where it has no such form."""
    form = _ROUNDED.match(text.strip())
    if form is None or not re.search(r"\d|pi\b|π", form["exact"]):
        return None
    exact = grade(judge, form["exact"].strip().removesuffix("$").removesuffix("\\"))
    if exact.right is not True:
        return Grade(False if exact.right is False else None, exact.detail)
    number, places = arithmetic.number_text(form["decimal"].lstrip("-")), len(form["decimal"].partition(".")[2])
    number = f"(-{number})" if form["decimal"].startswith("-") else number
    scale = "/100" if (form["unit"] or "").strip() in ("%", "\\%") else ""
    near = f"Le(Abs({ANSWER} - {number}{scale}), Rational(1, {2 * 10**places}){scale})"
    right = deciding.decide(near, judge.values)
    return Grade(right, f"{exact.detail} ; {deciding.tidy(near)}")


def _reasoned(judge: ClaimJudge, text: str) -> Grade | None:
    """Of ``387, because 387 = 77*5+2``: a value and a reason with numbers; None where it has no such form."""
    form = _BECAUSE.match(text)
    if form is None:
        return None
    head = grade(judge, form["head"])
    if not head.right:
        return head
    try:
        parts = reading.read(judge.names, form["why"])
        holds = all(deciding.decide(part.relation, judge.values) for part in parts)
    except UnreadableError as error:
        return Grade(None, f"{head.detail} ; the reason: {error}"[:200])
    return Grade(holds, f"{head.detail} ; the reason is {'true' if holds else 'false'}")


def _grade(judge: ClaimJudge, text: str) -> Grade:
    text = notation.plain(text).strip().strip("\"'").strip()
    text = re.sub(r"^(?:Pr?|E)\s*[(\[][A-Za-z]{0,9}[)\]]\s*=", "", text)
    text = re.sub(r"\b(\d+) and (\d+/\d+)\b", r"\1 \2", text)
    halves = re.split(r",? (?:so|hence|that is|i\.e\.),? ", text)
    if len(halves) == 2 and not _LEADS.fullmatch(halves[0]):
        grades = [_one(judge, half) for half in halves]
        if all(one.right is not None for one in grades):
            return Grade(all(one.right for one in grades), " ; ".join(one.detail for one in grades))
    return _one(judge, text)


def _one(judge: ClaimJudge, text: str) -> Grade:
    short = text
    for _ in range(3):
        short = _TAILS.sub("", re.sub(r"(?<![\d)])!+$|\.+$", "", short.strip()).strip())
    short = short[_LEADS.match(short).end() :] if _LEADS.match(short) else short  # type: ignore[union-attr]
    found = [token for token in notation.tokens(short) if token.text not in ("$", '"', "'")]
    if len(found) > 1 and found[0].text == "exactly":
        found = found[1:]
    while found and found[-1].kind == "stop":
        found.pop()
    if not found:
        return Grade(False, "names no value")
    sides = _sides(found)
    if sides:
        grades = [deciding.decide(f"Eq({ANSWER}, {side})", judge.values) for side in sides]
        return Grade(all(grades), f"read: {' = '.join(map(deciding.tidy, sides))}")
    if _is_set(judge) and (members := _listed(judge, found)):
        claim = f"Eq({ANSWER}, {members})"
        return Grade(deciding.decide(claim, judge.values), f"read: {deciding.tidy(claim)}")
    value, unit = _value(found)
    goes_on = any(token.text in ARITHMETIC for token in unit)
    if goes_on and (in_words := reading.read_arithmetic(judge.names, found)):
        value, unit = in_words, ()
    if _several(found) and not _is_set(judge):
        return Grade(False, "more than one value")
    if value is None:
        return _by_claim(judge, text)
    if unit and not _fits(judge, unit):
        if any(word.kind != "word" for word in unit):
            return _by_claim(judge, text)
        return Grade(False, f"of something else: {' '.join(word.text for word in unit)}")
    claim = f"Eq({ANSWER}, {value})"
    return Grade(deciding.decide(claim, judge.values), f"read: {deciding.tidy(claim)}")


def _value(found: Sequence[notation.Token]) -> tuple[str | None, Sequence[notation.Token]]:
    """Return the value that tokens begin with, and what follows it; ``x =`` and ``= answer`` aside."""
    texts = [token.text for token in found]
    if texts[0] == "=":
        found = found[1:]
    elif len(texts) > 2 and texts[1] == "=" and found[0].kind == "word" and (len(texts[0]) == 1 or texts[0] == ANSWER):
        found = found[2:]
    elif len(texts) > 2 and texts[-2:] == ["=", ANSWER]:
        found = found[:-2]
    if len(found) > 1 and found[0].kind == "word" and found[1].kind == "number" and found[0].text not in FUNCTIONS:
        found = [*found[1:], found[0]]  # line 689
    for end in range(len(found), 0, -1):
        if value := arithmetic.expression(found[:end]):
            return value, found[end:]
    return None, found


def _sides(found: Sequence[notation.Token]) -> list[str]:
    """Return the values of ``8192 = 2^13``; none where it is no equation of numbers."""
    cuts = [at for at, token in enumerate(found) if token.text == "="]
    edges = [-1, *cuts, len(found)]
    sides = [arithmetic.expression(found[a + 1 : b]) for a, b in itertools.pairwise(edges)]
    return [side for side in sides if side] if cuts and all(sides) else []


def _several(found: Sequence[notation.Token]) -> bool:
    """Return whether there are values one after the other."""
    texts = [token.text for token in found]
    if texts[0] in "[(" and texts[-1] in ")]":
        found = found[1:-1]
    cuts = [at for at, token in enumerate(found) if token.text in (",", "and", "&")]
    edges = [-1, *cuts, len(found)]
    spans = [found[a + 1 : b] for a, b in itertools.pairwise(edges)]
    return bool(cuts) and all(span and arithmetic.expression(span) for span in spans)


def _listed(judge: ClaimJudge, found: Sequence[notation.Token]) -> str | None:
    """``0, 1``, ``0 and 1`` or ``x = 0 or x = 1`` as the set, or as the tuple, that is asked for."""
    left, right = ("{", "}") if judge.names.values[ANSWER].startswith("{") else ("(", ")")
    texts = [token.text for token in found]
    if texts[0] in ("either", "both"):
        found = found[1:]
    if len(texts) > 2 and texts[1] in ("=", "in") and found[0].kind == "word" and found[2].text in ("{", "("):
        return None
    members: list[str] = []
    for span in _spans(found, (",", "and", "or", "&")):
        if len(span) > 2 and span[1].text == "=" and span[0].kind == "word":
            span = span[2:]
        value = arithmetic.expression(span)
        if value is None:
            return None
        members.append(value)
    whole = members[0].startswith(("{", "(")) and "," in members[0]
    if whole and len(members) == 1:
        return None
    if left == "(" and len(members) < 2:
        return None
    return f"{left}{', '.join(members)}{right}"


def _spans(found: Sequence[notation.Token], cuts: Sequence[str]) -> list[Sequence[notation.Token]]:
    """Return the tokens between those that cut, outside of brackets; empty ones left out."""
    result: list[Sequence[notation.Token]] = []
    depth = begin = 0
    for at, token in enumerate(found):
        if token.kind == "sign" and len(token.text) == 1:
            depth += (token.text in "([{") - (token.text in ")]}")
        if token.text in cuts and not depth:
            result.append(found[begin:at])
            begin = at + 1
    return [span for span in (*result, found[begin:]) if span]


_ANSWER_UNIT = re.compile(
    r"""\s*(?:\\text\s*\{|\\mathrm\s*\{)?\s*\b(?:(?:square|cubic|sq\.?)\s+)?(?P<unit>[a-zA-Z]+)\s*\}?
    (?:\^\{?[23]\}?|[²³])?\s*$""",
    re.VERBOSE,
)
_LEAD = re.compile(r"^\s*(?:[a-zA-Z]|answer|\([a-z](?:, ?[a-z])*\))\s*=\s*", re.IGNORECASE)


def read_answer(text: str) -> str:
    """Return a data set's answer as exact text that :func:`base.parse` reads.

    Args:
        text: a number or an expression, a set or a tuple, perhaps in LaTeX, with ``x =`` before it, a unit behind.

    Raises:
        ValueError: it is none, or too large to compute.
    """
    if len(text) > LONGEST:
        raise ValueError(f"longer than {LONGEST} characters")
    if "_" in text:
        raise ValueError("a number in another base, or a symbol with an index")
    boxed = re.findall(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}", text)
    short = (boxed[0] if len(boxed) == 1 else text).strip().strip("$").strip().removesuffix(".")
    short = _LEAD.sub("", re.sub(r"^\\?\$", "", short))
    for candidate in (short, _without_unit(short)):
        for form in (_from_prose, str):
            try:
                found = form(candidate)
                if _is_value(deciding.evaluate(found, {})):
                    return deciding.tidy(found)
            except TooLargeError:
                raise
            except (UnreadableError, ArithmeticError, TypeError, AttributeError):
                continue
    raise ValueError("neither a number nor an expression, a set or a tuple of such")


def _is_value(found: Any) -> bool:
    """Return whether it is a finite number, or a set or tuple of such."""
    import sympy

    if isinstance(found, sympy.FiniteSet | sympy.Tuple):
        return len(found) > 0 and all(map(_is_value, found))
    return isinstance(found, sympy.Expr) and bool(found.is_number) and found.is_finite is not False


def _in_own_unit(judge: ClaimJudge, text: str) -> str:
    """Without the unit behind it, where the problem, a user's own, names this unit or none at all."""
    short = text.strip().removesuffix(".").strip("$")
    unit = _ANSWER_UNIT.search(short)
    known = lexicon.UNITS | SHORT_UNITS.keys()
    named = set(re.findall(r"[a-z]+", judge.names.problem.text.lower())) & known
    own = SHORT_UNITS.get(unit["unit"], unit["unit"]) if unit else "degree"
    if named and own not in {SHORT_UNITS.get(one, one) for one in named}:
        return text
    return _without_unit(short)


def _without_unit(text: str) -> str:
    unit = _ANSWER_UNIT.search(text)
    known = unit is not None and unit["unit"].lower() in lexicon.UNITS | OTHER_UNITS | SHORT_UNITS.keys()
    return text[: unit.start()] if unit and known else re.sub(r"\s*(?:\^\s*)?(?:°|\{?\\circ\}?)$", "", text)


def _from_prose(text: str) -> str:
    found = [token for token in notation.tokens(re.sub(r"\\([{}])", r"\1", text)) if token.kind != "stop"]
    if not found:
        raise UnreadableError("nothing is said")
    whole = arithmetic.expression(found)
    if whole is not None:
        return whole
    members = []
    for span in _spans(found, (",", "and", "or")):
        begin = 2 if len(span) > 2 and span[1].text == "=" and span[0].kind == "word" else 0
        members.append(arithmetic.expression(span[begin:]))
    if len(members) < 2 or None in members:
        raise UnreadableError("no expression")
    return f"{{{', '.join(map(str, members))}}}"


def _fits(judge: ClaimJudge, unit: Sequence[notation.Token]) -> bool:
    """Return whether what stands behind the value is what the problem asks for."""
    texts = [token.text for token in unit if token.text not in ("the", "of", "a")]
    if len(texts) > 6 or any(token.kind != "word" for token in unit):
        return False
    nouns, units = _asked(judge.names.problem.text)
    if len(texts) == 1 and SHORT_UNITS.get(texts[0], texts[0]) in units:
        return True
    stems = [stem(word) for word in texts]
    heads = [noun[0] for noun in nouns if noun]
    if len(stems) > 1 and stems[0] in judge.names.asked and _repeats(judge, stems[1:]):
        return True
    return 0 < len(stems) < 5 and any(
        stems[-1] in noun and (stems[-1] == head or head in stems) and all(one in noun for one in stems)
        for noun, head in zip([noun for noun in nouns if noun], heads, strict=True)
    )


def _asked(text: str) -> tuple[list[list[str]], set[str]]:
    """Return the nouns that questions count, as stems with the counted one first, and the units that they name."""
    nouns: list[list[str]] = []
    units: set[str] = set()
    for question in re.findall(r"[^.?!]*\?", text) or [text]:
        for match in re.finditer(r"(?i)(?:how many|number of|(?:on|in) which)((?: [a-z-]+){1,4})", question):
            stems = []
            for word in match[1].split():
                if word in AFTER_NOUN:
                    break
                stems.append(stem(word))
            nouns.append(stems[::-1] if stems else [])
        for match in re.finditer(r"(?i)\b(?:in|how many|how many more|number of) ([a-z]+)\b", question):
            if match[1] in SHORT_UNITS:
                units.add(SHORT_UNITS[match[1]])
    named = set(re.findall(r"\bin ([a-z]+)\b", text)) & lexicon.UNITS
    units.update(SHORT_UNITS.get(word, word) for word in named)
    return nouns, units


def _repeats(judge: ClaimJudge, stems: Sequence[str]) -> bool:
    """Return whether words only say again what is asked, its negations with it."""
    question = judge.names.question
    small = {"there", "be", "exactly"} | SMALL_STEMS
    denied = {one for one in question if one in DENIAL_STEMS}
    return denied <= set(stems) and all(one in question or one in small for one in stems)


def _by_claim(judge: ClaimJudge, text: str) -> Grade:
    """``The shortest way is 5 m``: read as a claim that equates what is asked with a value."""
    if (value := _in_passing(judge, text)) is not None:
        claim = f"Eq({ANSWER}, {value})"
        return Grade(deciding.decide(claim, judge.values), f"read: {deciding.tidy(claim)}")
    parts = reading.read(judge.names, text)
    if len(parts) != 1 or not parts[0].relation.startswith(f"Eq({ANSWER}, "):
        raise UnreadableError("not understood as an answer")
    claim = parts[0].relation
    if any(name in judge.names.values for name in re.findall(r"[A-Za-z_]\w*", claim[len(f"Eq({ANSWER}, ") :])):
        raise UnreadableError("an answer by other quantities' names")
    return Grade(deciding.decide(claim, judge.values), f"read: {deciding.tidy(claim)}")


def _in_passing(judge: ClaimJudge, text: str) -> str | None:
    """Return the only value in a sentence of the problem's own words that names no quantity but the answer."""
    found = [token for token in notation.tokens(text) if token.kind != "stop"]
    spans = [
        (start, stop)
        for start in range(len(found))
        for stop in range(len(found), start, -1)
        if found[start].kind != "word" or found[start].text in FUNCTIONS
        if arithmetic.expression(found[start:stop])
    ]
    if not spans:
        return None
    start, stop = spans[0]
    value = arithmetic.expression(found[start:stop])
    unit = (
        stop < len(found) and SHORT_UNITS.get(found[stop].text, found[stop].text) in _asked(judge.names.problem.text)[1]
    )
    rest = [*found[:start], *found[stop + unit :]]
    if any(token.kind != "word" for token in rest) or not unit:
        return None
    stems = stems_of(rest)
    known = judge.names.context | SMALL_STEMS | SOFT_STEMS | {"happen"}
    if not all(one in known for one in stems) or {one for one in stems if one in DENIAL_STEMS}:
        return None
    strange = [one for one in stems if one in DECISIVE_STEMS and one not in judge.names.question]
    named = judge.names.match(stems)
    return value if not strange and named in (None, ANSWER) else None


def _spelled(text: str) -> bool:
    try:
        return any(token.kind == "number" for token in notation.tokens(text))
    except UnreadableError:
        return False


def _is_set(judge: ClaimJudge) -> bool:
    return judge.names.values[ANSWER].startswith(("{", "("))
