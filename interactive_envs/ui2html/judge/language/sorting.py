"""The units of one clause, sorted from left to right."""

from __future__ import annotations

from collections.abc import Sequence

from interactive_envs.ui2html.judge.language.clauses import Clause, Phrase, Unread
from interactive_envs.ui2html.judge.language.units import Unit

_NTH = {"a second": 2, "a third": 3, "a fourth": 4, "a fifth": 5, "a sixth": 6}


_HAVING = frozenset(
    "have has include contain feature show need display contains having with lack miss missing get".split()
)


_PANELLED = frozenset(
    "image chart table list quote note form avatar profile about price search calendar total crumbs faq person".split()
)


_GROUPED = frozenset("section".split())


class Sorter:
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
        adjacent, self._adjacent = self._adjacent, False
        match unit.kind:
            case "skip":
                self._skip(unit)
            case "subject":
                self._subject(unit, adjacent)
            case "property":
                self._property(unit, adjacent)
            case "possessive":
                self._adjacent = True
            case "mine" | "target" | "too":
                self.clause.flags.add(unit.kind)
            case "word" | "ordinal" | "quote" | "value":
                self._pending.append(unit)
            case "number" | "length":
                self._measure(unit)
            case "verb":
                self._verb(unit)
            case "between":
                self._between()
            case "in" | "of" | "to":
                self._preposition(unit)
            case "instead":
                self._flush()
                self._stopped = True
            case kind if kind in _JOINTS:
                self._join(unit)

    def _join(self, unit: Unit) -> None:
        """What stood before such a unit is sorted first."""
        clause = self.clause
        self._flush()
        if unit.kind in _FLAGS:
            clause.flags.add(_FLAGS[unit.kind])
        self._link = _LINKS.get(unit.kind, self._link)
        match unit.kind:
            case "direction":
                self._turn(unit)
            case "place":
                self._pending.append(unit)
            case "others":
                self._pending.append(unit._replace(kind="word"))
            case "negation":
                clause.negations += 1
            case "of number":
                self._link = "of" if clause.main is not None else ""
            case "as" if "same" in clause.flags:
                self._link = "as"

    def _skip(self, unit: Unit) -> None:
        """A small word: it may point back, end what stands before it, or be an article."""
        if unit.text in ("it", "them", "that", "this") and self._link == "place":
            self.clause.flags.add("it")
        if unit.text in ("a", "an", "one", "the", "my", "its", "their", "any", "some"):
            self._article = unit.text
        if unit.text in ("its", "their") and self.clause.main is not None and not self._link:
            self._flush()
            self._link = "with"
        elif unit.text in ("the", "my", "its", "their") and any(p.kind == "value" for p in self._pending):
            self._flush()
        elif unit.text not in ("the", "a", "an", "my") and self._pending and self._pending[-1].kind == "word":
            # "it looks now": a run of own words ends at a small one, but not before "of the".
            self._flush()

    def _measure(self, unit: Unit) -> None:
        """A number or a length; after "to" it is where a change ends."""
        if self._link == "to":
            self.clause.flags.add("to")
        if unit.kind == "length":
            self.clause.lengths.append(unit.meaning)
        else:
            self._pending.append(unit)

    def _property(self, unit: Unit, adjacent: bool) -> None:
        clause = self.clause
        if unit.text == "wide" and not (clause.lengths or self._pending or clause.flags & {"same", "too"}):
            clause.directions.append(("width", 1))
            return
        if unit.meaning not in ("columns", "rows"):
            self._flush(keep_values=True)
        self._set_property(unit, adjacent)

    def _between(self) -> None:
        """The room between two things; of what is added or moved it says no more."""
        clause = self.clause
        if clause.main is not None and clause.verb in ("add", "remove", "have", "move"):
            self._stopped = True
            return
        self._flush()
        clause.flags.add("between")
        clause.aspect = clause.aspect or "gap"
        self._link = "in"

    def _preposition(self, unit: Unit) -> None:
        clause, last = self.clause, self._pending[-1].kind if self._pending else ""
        if unit.text == "of" and clause.main is None and last == "ordinal":
            return  # "the last of the switches"
        if unit.text == "of" and last == "number":
            clause.flags.add("subset")
        self._flush()
        if unit.kind == "to" and self._link == "from":
            clause.values, clause.numbers, clause.lengths = [], [], []
            clause.quotes = []
        self._link = "from" if unit.text == "from" else unit.kind

    def _turn(self, unit: Unit) -> None:
        """A direction: a property and a sign."""
        name, sign = unit.meaning.rsplit(" ", 1) if " " in unit.meaning else (unit.meaning, "")
        self._direct(unit, name, sign)

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


_LINKS = {"place": "place", "than": "than", "with": "with"}
"""What a unit of such a kind joins to what follows."""
_FLAGS = {"close": "close", "of number": "number", "others": "others", "than": "than"} | {
    kind: kind for kind in ("same", "unchanged", "not alone", "at least", "at most", "over", "under", "each", "one of")
}
"""What a unit of such a kind says of the whole clause."""
_JOINTS = _LINKS.keys() | _FLAGS.keys() | {"direction", "negation", "as"}


def _is_plural(unit: Unit) -> bool:
    last = unit.text.split()[-1]
    if last in ("grid", "row", "cards") and len(unit.text.split()) > 1:
        return True
    return (
        last.endswith("s") and not last.endswith("ss") and last not in ("copyright notice", "today's", "canvas", "faqs")
    )
