"""Questions as claims: the units of a question sorted into subject, property, direction, value and place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from interactive_envs.ui2html.judge.language.clauses import Clause, Unread
from interactive_envs.ui2html.judge.language.sorting import Sorter
from interactive_envs.ui2html.judge.language.units import Unit, read_units

MOST_CLAUSES = 3
"""Claims in one question; more are a list of guesses."""


_TEXT = re.compile(
    r"\b(?:say|read|says|reads|called|named|labell?ed|titled|renamed(?: to)?|worded)(?: as| simply| just)?"
    r"\s+(?P<text>[^?]{2,80})",
    re.IGNORECASE,
)


def read_clauses(text: str) -> tuple[list[Clause], str]:
    """The claims of a question, and whether all must hold (``and``) or one (``or``).

    Raises:
        Unread: it cannot be read.
    """
    units = [unit for unit in _joined_between(read_units(text)) if unit.kind not in ("stop", "should", "i", "there")]
    parts: list[list[Unit]] = [[]]
    joints: list[str] = []
    for at, unit in enumerate(units):
        if unit.text == "with" and _is_complete(parts[-1]) and any(u.kind in ("subject", "value") for u in units[at:]):
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
    read = [Sorter(part).clause for part in parts if any(unit.kind != "skip" for unit in part)]
    found = _shared(read)
    if not found:
        raise Unread("says nothing")
    if len(found) > MOST_CLAUSES or (word == "or" and len(found) > 2):
        raise Unread("a list of guesses")
    if word == "or":
        _check_alternatives(found)
    quoted = _TEXT.search(text)
    if quoted and not any(c.quotes for c in found) and len(found) == 1 and found[0].verb == "text":
        found[0].quotes.append(re.sub(r"\s+instead\b.*|[.\"']+$", "", quoted["text"]).strip())
    return found, word


def _is_complete(units: Sequence[Unit]) -> bool:
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
