"""Questions as claims: the units of a question sorted into subject, property, direction, value and place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from interactive_envs.ui2html.judge.phrases import Unit, read_units

LONGEST = 320
"""Characters of a question."""
MOST_CLAUSES = 3
"""Claims in one question; more are a list of guesses."""
_LEAD = re.compile(
    r"^\W*(?:(?:when |if )?(?:compared?|comparing|in comparison|relative|in relation|with respect|in contrast)"
    r"(?: it)? (?:with|to|against) (?:the )?target(?: page| design| image| screenshot)?"
    r"|to (?:better |more closely |closely |exactly )?(?:match|resemble|be like) (?:the )?target(?: page| design)?"
    r"|(?:going|judging) by the target)\s*[,:;-]*\s*",
    re.IGNORECASE,
)
_TAIL = re.compile(
    r"[\s,]*\b(?:(?:when )?compared (?:with|to)|in comparison (?:with|to)|as in|as it is in|as they are in"
    r"|like in|like|just like"
    r"|(?:in order |so as )?to (?:better |more closely |closely |exactly )?(?:match|resemble)"
    r"|so (?:that )?(?:it|they) (?:matches|match)"
    r"|to be (?:closer to|more like|like)|to get closer to|than (?:it is |they are )?in|matching|relative to|as)"
    r" (?:the|that of the)"
    r" target(?:'s)?(?: page| design| one| version)?\s*(?=[?.!]*\s*$)",
    re.IGNORECASE,
)
_GERUND = r"(?:getting rid of|\w+ing) (?:the|my|a|an|all|some|more|each|its|another|it|one|two|three)\b"
_CLOSER = (
    r"(?:bring|take|get|move|make|put) (?:me|us|my \w+|the page|it|things) (?:any |a bit |a step )?(?:closer|nearer)"
    r"(?: to (?:the |what the )?(?:target|original|goal)(?: page| design| has)?)?"
)
_REWRITTEN = (
    (r"^\W*would it (?:look|be|come|get) (?:more like|closer to|nearer to|like) the target (?:if|when)(?: i\b)?",
     "should"),
    (r"^\W*would it (?:help|be (?:closer|better|right)) (?:with|having|to have)\b", "should i have"),
    (r"^\W*would it (?:help|be (?:closer|better|right))(?: if| when)? ?(?:i|to)?\b", "should i"),
    (r"^\W*would it (?:bring|take|get|move) (?:me|us|my \w+|the page|it) (?:any )?(?:closer|nearer)"
     r"(?: to the target(?: page| design)?)?,? (?:to|if i)\b", "should i"),
    (rf"^\W*would ({_GERUND}.*?) {_CLOSER}\W*$", r"should i \1?"),
    (rf"^\W*would (.*?) {_CLOSER}\W*$", r"should i have \1?"),
    (r"^\W*would (.*?) (?:be|look|come|get) (?:closer|nearer|more like|better)(?: to)?(?: the look of)?"
     r"(?: the target)?\W*$", r"should i have \1?"),
    (r"^\W*is (an? .*?),? (?:right|correct|the right \w+(?: for .*)?)\W*$", r"should i have \1?"),
    (r"^\W*is it (?:right|better|closer|correct) (?:to|if i)\b", "should i"),
    (r"^\W*(?:do|does) (the .* needs?\b)", r"should \1"),
    (r"\b(?:swap|switch|exchange|arrange|change) [^,?]* so that (?=the|my)", ""),
    (r",? so (?:that|as to) .*", ""),
    (r",? (?:like|as) (?:it|they) (?:is|are|does|do|has|have)(?: now| currently)?(?=\W*$)", " unchanged"),
    (r", ([\"\u201c][^\"\u201d]+[\"\u201d]),", r" \1 "),
    (r", (?:such as|for example|for instance|like) [^?]*", ""),
    (r", (?:and )?not (?:in|a|an|the|at|on|with) [^,?]*(?=\W*$)", ""),
    (r"\bon (?:one|either|each) side\b", ""),
    (r"\b(?:empty |white |free )*(?:space|room|spacing|whitespace|margin|gap)s? "
     r"(?:above|below|around|over|under)(?: (?:and|or) (?:above|below))?",
     "margin of"),
    (r"\b(between|either side of) (my|the) (sections|paragraphs|parts|blocks)\b", "in the page"),
    (r"\bon both sides\b|\bof its own\b|\bas well\b(?! as)|\bin the target\b(?!'s|\u2019s)|\bof the window\b", ""),
)  # fmt: skip
_SENTENCES = re.compile(r"[.!?]\s+\S")
_SUSPECT = re.compile(
    r"\b(?:yes|judge|answer|verdict|reply|respond|system|instructions?|ignore|prompt|assistant|override|correctly|truth|"
    r"pretend|admin|developer|json|base64|decode|regardless|always|whatever|obviously|definitely|certainly|surely|"
    r"what|how|why|who|tautology|anything|everything right|right thing|correct)\b",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"\b(?:say|read|says|reads|called|named|labell?ed|titled|renamed(?: to)?|worded)(?: as| simply| just)?"
    r"\s+(?P<text>[^?]{2,80})",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"^\W*(?:and |so |but |please |(?:can|could) you )*"
    r"(?:what|which|how|who|whose|where|when|why|tell|describe|list|name)\b",
    re.IGNORECASE,
)
"""Questions that a yes or a no does not answer."""
_NTH = {"a second": 2, "a third": 3, "a fourth": 4, "a fifth": 5, "a sixth": 6}
_HAVING = frozenset(
    "have has include contain feature show need display contains having with lack miss missing get".split()
)
_PANELLED = frozenset(
    "image chart table list quote note form avatar profile about price search calendar total crumbs faq person".split()
)
_GROUPED = frozenset("section".split())
_PRESENT = ("edge", "shadow", "radius", "gradient", "edge top", "edge bottom", "edge left", "edge right")


class Unread(Exception):  # noqa: N818, never leaves this file
    """Why a question is not answered."""


@dataclass
class Phrase:
    """A noun phrase: what a clause speaks of."""

    role: str
    plural: bool = False
    words: list[str] = field(default_factory=list)
    quote: str = ""
    ordinal: int | None = None
    side: str = ""
    number: float | None = None
    values: list[tuple[str, str]] = field(default_factory=list)
    within: Phrase | None = None
    article: str = ""

    def __str__(self) -> str:
        named = [*self.words, *([repr(self.quote)] if self.quote else []), *([self.side] if self.side else [])]
        place = f" in {self.within}" if self.within else ""
        which = (
            "" if self.ordinal is None else {-1: "last ", 1000: "middle "}.get(self.ordinal, f"#{self.ordinal + 1} ")
        )
        return f"{which}{' '.join([*named, self.role])}{place}"


@dataclass
class Clause:
    """The units of one claim, sorted by what they do in it."""

    verb: str = ""
    verb_text: str = ""
    main: Phrase | None = None
    reference: Phrase | None = None
    aspect: str = ""
    directions: list[tuple[str, int]] = field(default_factory=list)
    values: list[tuple[str, str]] = field(default_factory=list)
    places: list[tuple[str, str]] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    lengths: list[float] = field(default_factory=list)
    quotes: list[str] = field(default_factory=list)
    negations: int = 0
    flags: set[str] = field(default_factory=set)
    nth: int = 0
    """Of "a third card": 3."""

    @property
    def subject(self) -> Phrase:
        """What it speaks of, the page where it names nothing."""
        if self.main is None:
            self.main = Phrase("page")
        return self.main

    def says(self) -> bool:
        """Whether it says anything of its subject."""
        return bool(
            self.aspect or self.directions or self.values or self.places or self.numbers or self.lengths or self.quotes
            or self.flags & {"same", "unchanged"} or (self.main and self.main.values)
        )  # fmt: skip


def read_mode(question: str) -> tuple[str, str]:
    """How a question asks, and what is left of it: ``change``, ``target``, ``reverse`` or ``same``."""
    text = " ".join(question.split())
    if len(text) > LONGEST:
        raise Unread("too long")
    if not text.isprintable() or re.search(r"[<>{}\[\]|\\]", text):
        raise Unread("not words")
    text = _LEAD.sub("", text)
    if _OPEN.match(text):
        raise Unread("an open question")
    for pattern, by in _REWRITTEN:
        text = re.sub(pattern, by, text, flags=re.IGNORECASE)
    bare = re.sub(r"[\"\u201c'\u2018][^\"\u201d'\u2019]*[\"\u201d'\u2019]", "''", text)
    if _SENTENCES.search(bare):
        raise Unread("more than one sentence")
    if _SUSPECT.search(bare):
        raise Unread(f"speaks of {_SUSPECT.search(bare)[0].lower()!r}")  # type: ignore[index]
    kinds = [unit.kind for unit in read_units(text)]
    asks = "should" in kinds or re.match(r"\W*(?:do|am|can|could|would) i\b|\W*(?:does|do) my .* need", text.lower())
    if asks:
        return "change", _TAIL.sub("", text)
    compares = "direction" in kinds or re.search(r"\btoo\b", text.lower())
    too = re.match(r"\W*(?:are there|is there|have i|do i have) too (many|few|much|little)\b", text.lower())
    if too:
        more = "more" if too[1] in ("many", "much") else "fewer"
        return "reverse", re.sub(r"^.*?\btoo (?:many|few|much|little)\b", more, text, flags=re.IGNORECASE)
    own = re.match(
        r"\W*(?:is|are|does|do|has|have) (?:my|the (?:(?!target|than).){1,40}? (?:on|of|in|inside) my)\b", text.lower()
    )
    if own and re.search(r"\btoo\b", text.lower()):
        return "reverse", text
    if own:
        same = "same" in kinds or re.search(r"\b(?:match|same|identical|like)", text.lower())
        if not same and not compares:
            raise Unread("asks of the own page alone")
        return ("same" if same else "reverse"), text
    if "same" in kinds and re.search(r"\bmy\b|\bmine\b", text.lower()):
        return "same", text
    if compares and not re.search(r"\bthan the\b(?! target)", text.lower()):
        return "change", text
    if "target" in kinds or re.match(r"\W*(?:is|are|does|do|has|have|was|were)\b", text.lower()):
        return "target", text
    raise Unread("asks nothing of the page")


def read_clauses(text: str) -> tuple[list[Clause], str]:
    """The claims of a question, and whether all must hold (``and``) or one (``or``).

    Raises:
        Unread: it cannot be read.
    """
    units = [unit for unit in _joined_between(read_units(text)) if unit.kind not in ("stop", "should", "i", "there")]
    parts: list[list[Unit]] = [[]]
    joints: list[str] = []
    for at, unit in enumerate(units):
        if unit.text == "with" and _told(parts[-1]) and any(u.kind in ("subject", "value") for u in units[at:]):
            joints.append("with")
            parts.append([])
        if unit.kind in ("and", "or") and unit.text not in ("either",):
            joints.append(unit.kind)
            parts.append([])
        elif unit.kind == "comma":
            if parts[-1]:
                joints.append("comma")
                parts.append([])
        elif unit.text != "either":
            parts[-1].append(unit)
    if any(joint == "or" for joint in joints) and any(joint == "and" for joint in joints):
        raise Unread("and with or")
    word = "or" if "or" in joints else "and"
    read = [_Reader(part).clause for part in parts if any(unit.kind != "skip" for unit in part)]
    found = _shared(read)
    if not found:
        raise Unread("says nothing")
    if len(found) > MOST_CLAUSES or (word == "or" and len(found) > 2):
        raise Unread("a list of guesses")
    if word == "or":
        _check_alternatives(found)
    said = _SAID.search(text)
    if said and not any(c.quotes for c in found) and len(found) == 1 and found[0].verb == "text":
        found[0].quotes.append(re.sub(r"\s+instead\b.*|[.\"']+$", "", said["text"]).strip())
    return found, word


def _told(units: Sequence[Unit]) -> bool:
    """Whether units say something of a subject already, so that what comes "with" it is another claim."""
    at = next((at for at, unit in enumerate(units) if unit.kind == "subject"), len(units))
    return any(unit.kind in ("value", "direction", "place") for unit in units[at:])


def _joined_between(units: list[Unit]) -> list[Unit]:
    """Keep the "and" of "between X and Y" from parting clauses."""
    found, open_ = [], False
    for unit in units:
        open_ = open_ or unit.kind == "between"
        if unit.kind == "and" and open_:
            unit, open_ = Unit("with", None, unit.text), False
        found.append(unit)
    return found


def _check_alternatives(found: Sequence[Clause]) -> None:
    if len(found) < 2:
        raise Unread("an alternative to nothing")
    first, second = found
    if first.negations or second.negations:
        raise Unread("an alternative that is always true")
    if first.directions and second.directions and {d[1] for d in (*first.directions, *second.directions)} == {1, -1}:
        raise Unread("an alternative that is always true")
    if (
        {first.verb, second.verb} == {"keep", "change"}
        or {first.verb, second.verb} == {"add", "remove"}
        or "keep" in (first.verb, second.verb)
    ):
        raise Unread("an alternative that is always true")


def _shared(read: list[Clause]) -> list[Clause]:
    """Clauses that borrow from each other: "the header and footer darker", "larger and bold", "a form and a table"."""
    found: list[Clause] = []
    waiting: list[Clause] = []
    for clause in read:
        before = found[-1] if found else waiting[-1] if waiting else None
        if before is not None:
            if clause.main is None:
                clause.main = before.main
            elif (
                clause.verb_text == "with" and clause.main.within is None and before.main and before.main.role != "page"
            ) and not clause.places:
                clause.main.within = before.main
            if "it" in clause.flags and clause.places and clause.reference is None:
                clause.reference = before.main
            if not clause.verb:
                clause.verb, clause.verb_text = before.verb, before.verb_text
            clause.flags |= before.flags & {"each"}
        if not clause.says() and clause.verb not in ("add", "remove", "keep", "have", "swap"):
            if found and found[-1].says() and clause.main is not found[-1].main:
                found.append(replace(found[-1], main=clause.main))
                continue
            waiting.append(clause)
            continue
        if (
            waiting
            and not clause.directions
            and {name for name, _ in clause.values} == {"arrangement"}
            and waiting[-1].main
        ):
            place = "beside" if clause.values[0][1] == "row" else "below"
            found.append(Clause("move", "place", clause.main, waiting.pop().main, places=[(place, place)]))
            continue
        for early in waiting:
            if early.main is not None:
                found.append(replace(clause, main=early.main, verb=clause.verb or early.verb))
        waiting.clear()
        if not found or clause.says() or clause.main is not found[-1].main:
            found.append(clause)
    if waiting and found:
        raise Unread("a part that says nothing")
    if waiting:
        found = waiting
    for early, late in pairwise(found):
        if early.main is None:
            early.main = late.main
        if not early.says() and late.says() and early.verb in ("have", ""):
            early.values, early.directions, early.aspect = late.values, late.directions, late.aspect
    return found


class _Reader:
    """Sorts the units of a clause from left to right."""

    def __init__(self, units: Sequence[Unit]) -> None:
        self.clause = Clause()
        self._pending: list[Unit] = []
        self._last: Phrase | None = None
        self._recent: Phrase | None = None
        self._link = ""
        self._adjacent = False
        self._holder: Phrase | None = None
        self._stopped = False
        self._article = ""
        for unit in units:
            if not self._stopped:
                self._take(unit)
        self._flush()

    def _take(self, unit: Unit) -> None:
        clause = self.clause
        adjacent, self._adjacent = self._adjacent, False
        if unit.kind == "skip" and unit.text in ("it", "them", "that", "this") and self._link == "place":
            self.clause.flags.add("it")
        if unit.kind == "skip" and unit.text in ("a", "an", "one", "the", "my", "its", "their", "any", "some"):
            self._article = unit.text
        match unit.kind:
            case "skip" if unit.text in ("its", "their") and clause.main is not None and not self._link:
                self._flush()
                self._link = "with"
            case "skip" if unit.text in ("the", "my", "its", "their") and any(p.kind == "value" for p in self._pending):
                self._flush()
            case "skip":
                # "it looks now": a run of own words ends at a small one, but not before "of the".
                if unit.text not in ("the", "a", "an", "my") and self._pending and self._pending[-1].kind == "word":
                    self._flush()
            case "mine" | "target" | "too":
                clause.flags.add(unit.kind)
            case "possessive":
                self._adjacent = True
            case "subject":
                self._subject(unit, adjacent)
            case "word" | "ordinal":
                self._pending.append(unit)
            case "quote":
                self._pending.append(unit)
            case "number":
                if self._link == "to":
                    clause.flags.add("to")
                self._pending.append(unit)
            case "length":
                if self._link == "to":
                    clause.flags.add("to")
                clause.lengths.append(unit.meaning)
            case "value":
                self._pending.append(unit)
            case "property" if unit.text == "wide" and not (
                clause.lengths or self._pending or clause.flags & {"same", "too"}
            ):
                clause.directions.append(("width", 1))
            case "property":
                if unit.meaning not in ("columns", "rows"):
                    self._flush(keep_values=True)
                self._set_property(unit, adjacent)
            case "direction":
                self._flush()
                name, sign = unit.meaning.rsplit(" ", 1) if " " in unit.meaning else (unit.meaning, "")
                self._direct(unit, name, sign)
            case "place":
                self._flush()
                self._pending.append(unit)
                self._link = "place"
            case "verb":
                self._verb(unit)
            case "negation":
                self._flush()
                clause.negations += 1
            case "in" | "of" | "to":
                if unit.text == "of" and clause.main is None and self._pending and self._pending[-1].kind == "ordinal":
                    return  # "the last of the switches"
                if unit.text == "of" and self._pending and self._pending[-1].kind == "number":
                    clause.flags.add("subset")
                self._flush()
                if unit.kind == "to" and self._link == "from":
                    clause.values, clause.numbers, clause.lengths = [], [], []
                    clause.quotes = []
                self._link = "from" if unit.text == "from" else unit.kind
            case "close":
                self._flush()
                clause.flags.add("close")
            case "of number":
                self._flush()
                clause.flags.add("number")
                self._link = "of" if clause.main is not None else ""
            case "others":
                self._flush()
                self._pending.append(unit._replace(kind="word"))
                clause.flags.add("others")
            case "than":
                self._flush()
                clause.flags.add("than")
                self._link = "than"
            case "as":
                self._flush()
                self._link = "as" if "same" in clause.flags else self._link
            case "same" | "unchanged" | "not alone" | "at least" | "at most" | "over" | "under" | "each" | "one of":
                self._flush()
                clause.flags.add(unit.kind)
            case "between" if clause.main is not None and clause.verb in ("add", "remove", "have", "move"):
                self._stopped = True
            case "between":
                self._flush()
                clause.flags.add("between")
                clause.aspect = clause.aspect or "gap"
                self._link = "in"
            case "with":
                self._flush()
                self._link = "with"
            case "instead":
                self._flush()
                self._stopped = True

    def _direct(self, unit: Unit, name: str, sign: str) -> None:
        clause = self.clause
        clause.nth = _NTH.get(unit.text, clause.nth)
        if unit.meaning.startswith("towards"):
            clause.directions.append((unit.meaning, 1))
            return
        if unit.meaning in ("up", "down", "leftwards", "rightwards"):
            clause.directions.append(
                ("y" if unit.meaning in ("up", "down") else "x", 1 if unit.meaning in ("down", "rightwards") else -1)
            )
            return
        if unit.meaning in ("+", "-"):
            name, sign = "", unit.meaning
        clause.directions.append((name, 1 if sign == "+" else -1))

    def _verb(self, unit: Unit) -> None:
        clause = self.clause
        self._flush()
        strong = unit.meaning not in ("have", "set")
        if unit.meaning == "have" or (unit.meaning == "add" and unit.text in _HAVING):
            self._holder = self._last
            self._link = "with" if self._last is not None else ""
        elif unit.meaning == "have":
            self._link = ""
        if strong or not clause.verb:
            if not clause.verb or clause.verb in ("have", "set") or unit.meaning == "keep":
                clause.verb, clause.verb_text = unit.meaning, unit.text
        elif clause.verb_text in ("replace", "swap", "exchange", "switch", "turn") and unit.text == "with":
            clause.flags.add("replaced")
        if unit.text == "replace":
            clause.verb_text = "replace"

    def _subject(self, unit: Unit, adjacent: bool) -> None:
        clause = self.clause
        role = unit.meaning
        if role in _GROUPED and self._last is not None and adjacent and not self._pending:
            return  # "the quote section"
        link = self._link
        lettered = unit.text.split()[-1] in ("letters", "lettering", "font", "typeface", "type", "face")
        if role == "text" and lettered and self._last is not None and link in ("in", "with"):
            self._flush()
            return  # "in bold letters"
        if (
            role == "card"
            and adjacent
            and self._last is not None
            and self._last.role in _PANELLED
            and not self._pending
        ):
            return  # "the chart panel"
        if role == "list" and clause.main is None and not clause.verb and not self._pending:
            clause.verb, clause.verb_text = "have", "have"
            return  # "list fewer items"
        phrase = Phrase(role, unit.plural or _is_plural(unit), article=self._article)
        self._article = ""
        for pending in self._pending:
            self._modify(phrase, pending)
        self._pending.clear()
        if (
            role == "page"
            and self._last is not None
            and not clause.reference
            and link in ("in", "of", "", "to", "with")
        ) and not adjacent:
            self._link = ""
            return  # "on the page"
        self._place(phrase, link, adjacent)
        self._link = ""
        self._recent = phrase
        self._adjacent = True

    def _place(self, phrase: Phrase, link: str, adjacent: bool) -> None:
        clause, last = self.clause, self._last
        if "between" in clause.flags and link == "with" and clause.main is not None:
            clause.reference = phrase
            clause.flags.add("apart")
            return
        if adjacent and clause.reference is not None and clause.reference is self._recent:
            phrase.within, clause.reference = clause.reference, phrase  # "below each card's title"
            return
        if link in ("place", "than", "as"):
            if phrase.role != "page" or link != "place":
                clause.reference = phrase
            return
        if adjacent and last is not None and clause.main is last:
            phrase.within = last if last.role != "page" else None
            clause.main = self._last = phrase
        elif adjacent and last is not None and last.within is None and clause.main and clause.main.within is last:
            clause.main.within = phrase
            phrase.within = last
            self._last = phrase
        elif clause.main is None:
            clause.main = self._last = phrase
        elif link in ("in", "of", "to", "from"):
            self._innermost(clause.reference or clause.main).within = phrase
            self._last = phrase
        elif link == "with" and "replaced" in clause.flags:
            clause.main, clause.verb = phrase, "add"
            self._last = phrase
        elif link == "with" or (clause.verb == "have" and clause.verb_text in ("give", "given")):
            phrase.within = clause.main
            clause.main = self._last = phrase
        elif clause.main.role == "page" and not clause.says():
            clause.main = self._last = phrase
        else:
            raise Unread(f"two subjects: {clause.main}, {phrase}")

    def _innermost(self, phrase: Phrase) -> Phrase:
        while phrase.within is not None:
            phrase = phrase.within
        return phrase

    def _modify(self, phrase: Phrase, unit: Unit) -> None:
        match unit.kind:
            case "word":
                phrase.words.append(unit.text)
            case "ordinal":
                phrase.ordinal = unit.meaning
            case "number":
                phrase.number = unit.meaning
            case "quote":
                phrase.quote = unit.meaning
            case "value" if unit.meaning[0] == "highlight":
                phrase.words.append("highlighted")
            case "value":
                phrase.values.append(unit.meaning)
            case "place" if unit.text in (
                "left",
                "right",
                "top",
                "bottom",
                "upper",
                "lower",
                "leftmost",
                "rightmost",
                "left-hand",
                "right-hand",
            ):
                phrase.side = unit.meaning
            case "place":
                self.clause.places.append((unit.meaning, unit.text))

    def _set_property(self, unit: Unit, adjacent: bool) -> None:
        clause = self.clause
        name = unit.meaning
        counted = any(p.kind == "number" for p in self._pending) or clause.directions or clause.numbers
        own = (
            unit.text.endswith("s") and not counted and not (clause.verb == "add" or clause.flags & {"number", "same"})
        )
        if name in ("columns", "rows") and (
            clause.aspect or own or any(p.kind in ("word", "ordinal") for p in self._pending)
        ):
            self._pending = [p for p in self._pending if p.kind != "number"]
            self._subject(Unit("subject", "lane" if name == "columns" else "tablerow", unit.text, True), adjacent)
            return
        lone = unit.text in ("column", "row") and bool(self._pending) and self._pending[-1].kind == "place"
        if name in ("columns", "rows") and lone:
            raise Unread("which column")
        if clause.aspect in ("edge", "background", "ink", "accent") and name in ("colour", "width", "size"):
            name = {"edge colour": "edge colour", "edge width": "edge", "edge size": "edge"}.get(
                f"{clause.aspect} {name}", clause.aspect
            )
        if clause.aspect and clause.aspect != name and name not in ("edge colour",):
            if clause.aspect in ("colour", "size", "background", "gap", "spacing") or name in ("colour",):
                name = clause.aspect if name in ("colour", "size") else name
            else:
                raise Unread(f"two properties: {clause.aspect}, {name}")
        for pending in self._pending:
            if pending.kind == "value":
                clause.values.append(pending.meaning)
            elif pending.kind == "number":
                clause.numbers.append(pending.meaning)
        self._pending = [p for p in self._pending if p.kind not in ("value", "number")]
        clause.aspect = name
        self._link = "" if self._link == "with" else self._link

    def _flush(self, keep_values: bool = False) -> None:
        """What stood before nothing that it could describe stands for itself."""
        clause = self.clause
        words = [unit.text for unit in self._pending if unit.kind == "word"]
        rest: list[Unit] = []
        for unit in self._pending:
            match unit.kind:
                case "value" if keep_values:
                    rest.append(unit)
                case "number" if keep_values:
                    rest.append(unit)
                case "value" if not words:
                    clause.values.append(unit.meaning)
                case "number":
                    clause.numbers.append(unit.meaning)
                case "quote":
                    clause.quotes.append(unit.meaning)
                case "place":
                    clause.places.append((unit.meaning, unit.text))
        ordinals = [unit for unit in self._pending if unit.kind == "ordinal"]
        before, self._pending = self._pending, rest
        if words:
            phrase = Phrase("?", words[-1].endswith("s"), words)
            phrase.values = [unit.meaning for unit in before if unit.kind == "value"]
            for unit in ordinals:
                phrase.ordinal = unit.meaning
            link, self._link = self._link, ""
            self._place(phrase, link, adjacent=False)
        elif ordinals and self._last is None:
            clause.places.append(("top", "first")) if ordinals[0].meaning == 0 else clause.places.append(
                ("bottom", "last")
            )
        elif ordinals:
            clause.places.append(("top" if ordinals[0].meaning == 0 else "bottom", "ordinal"))


def _is_plural(unit: Unit) -> bool:
    last = unit.text.split()[-1]
    if last in ("grid", "row", "cards") and len(unit.text.split()) > 1:
        return True
    return (
        last.endswith("s") and not last.endswith("ss") and last not in ("copyright notice", "today's", "canvas", "faqs")
    )


def settle(clause: Clause) -> None:
    """Bring what can be said in several ways to one."""
    phrase = clause.main
    if phrase is None:
        return
    if "too" in clause.flags and not clause.directions:
        for name, kind in clause.values[:1]:
            if name == "radius":
                clause.values, clause.directions = [], [("radius", -1 if kind == "none" else 1)]
            elif name == "lightness":
                clause.values, clause.directions = [], [("lightness", -1 if kind == "dark" else 1)]
            elif name == "weight":
                clause.values, clause.directions = [], [("thick", 1)]
        if clause.aspect in ("width", "height"):
            clause.directions, clause.aspect = [(clause.aspect, 1)], ""
    if (
        clause.aspect in ("rows", "columns")
        and clause.verb in ("add", "remove")
        and not (clause.numbers or clause.directions)
    ):
        clause.directions.append(("", 1))
    if clause.aspect == "colour" and clause.main and clause.main.role == "page" and "accent" in clause.flags:
        clause.aspect = "accent"
    if len(clause.values) > 1 and any(name == "colour" for name, _ in clause.values):
        clause.values = [pair for pair in clause.values if pair not in (("fill", "filled"), ("shadow", "hard"))]
    if (
        (
            clause.reference is not None
            and phrase.within is not None
            and clause.reference.role in ("title", "name", "heading", "cardtitle", "text")
        )
        and clause.reference.within is None
        and phrase.within.role not in ("page", "main")
    ):
        clause.reference.within = phrase.within
        clause.reference.role = "cardtitle"
    if phrase.role == "heading" and not (phrase.plural or phrase.words or phrase.quote or phrase.within):
        phrase.role = "title"
    for value in list(clause.values):
        if value[0] == "size":
            clause.values.remove(value)
            clause.directions.append(("size", 1 if value[1] == "large" else -1))
    for value in list(phrase.values):
        if (
            value[0] == "size"
            and clause.says()
            and (
                len(phrase.values) > 1
                or clause.values
                or clause.aspect
                or clause.places
                or clause.quotes
                or clause.directions
            )
        ):
            phrase.values.remove(value)
        elif value[0] == "size" and clause.verb not in ("add", "remove"):
            phrase.values.remove(value)
            clause.directions.append(("size", 1 if value[1] == "large" else -1))
    if clause.aspect == "theme" and not clause.values:
        clause.aspect = "background"
    if clause.aspect == "theme":
        clause.aspect = ""
    if clause.aspect == "alignment" and clause.places:
        clause.values += [("alignment", place) for place, _ in clause.places if place in ("left", "right")]
        clause.places.clear()
    if clause.verb_text in ("align", "aligned") and clause.places and clause.reference is None:
        sides = [place for place, _ in clause.places if place in ("left", "right")]
        if sides:
            clause.values.append(("alignment", sides[0]))
            clause.places.clear()
    if clause.aspect == "columns" and phrase.number is not None:
        clause.numbers.append(phrase.number)
        phrase.number = None
    if phrase.within is not None and phrase.role == "text" and phrase.within.role == "page":
        phrase.within = None
    if phrase.role == "text" and phrase.within is not None and clause.verb == "change" and not clause.says():
        clause.aspect, clause.main = "content", phrase.within
        phrase = phrase.within
        if phrase.role == "heading" and not phrase.plural:
            phrase.role = "title"
    if clause.aspect == "shadow" and any(name in ("colour", "lightness") for name, _ in clause.values):
        clause.values = [pair for pair in clause.values if pair[0] not in ("colour", "lightness")]
    if clause.aspect == "edge" and clause.values and all(name == "lightness" for name, _ in clause.values):
        clause.values = [("edge", "some")]
    if "close" in clause.flags:
        for pair in [pair for pair in clause.values if pair in (("colour", "black"), ("colour", "white"))]:
            clause.values.remove(pair)
            clause.directions.append(("lightness", -1 if pair[1] == "black" else 1))
    if clause.aspect == "edge" and any(name == "colour" for name, _ in (*clause.values, *phrase.values)):
        clause.aspect = "edge colour"
    # "a page without borders on cards" and the like: none of a property that is there or not.
    bare = clause.aspect in _PRESENT and not (clause.values or clause.directions or clause.lengths or clause.numbers)
    if bare and clause.verb in ("add", "have", "set", "remove", ""):
        clause.values.append((clause.aspect, "none" if clause.verb == "remove" else "some"))
        clause.verb = "set"
