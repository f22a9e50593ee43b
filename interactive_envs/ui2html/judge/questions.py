"""Answers questions about a page and its target from the two trees and pictures, without a model.

A question is cut into units and clauses (:mod:`.language`), and a clause read as a claim: what is spoken of
(:mod:`.page`), which property (:mod:`.look`), and a direction, a value, or that it shall stay. *Should I
do X?* is answered yes if the target has X, or more of it, and the page has not, by a margin that can be seen: then
doing it brings the page closer. *Does the target have X?* asks of the target alone. What a clause says beyond the units
that are known is searched for as words on the pages; if it is on neither, the question is unread. So is one whose
answer would be no only because a part was not found: the judge abstains, and the player is told so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from interactive_envs.ui2html.judge.claims import (
    decide_apart,
    decide_count,
    decide_direction,
    decide_kept,
    decide_place,
    decide_presence,
    decide_relation,
    decide_some,
    decide_text,
    decide_value,
)
from interactive_envs.ui2html.judge.language.clauses import Clause, Unread
from interactive_envs.ui2html.judge.language.modes import read_mode
from interactive_envs.ui2html.judge.language.reading import read_clauses
from interactive_envs.ui2html.judge.language.settling import settle
from interactive_envs.ui2html.judge.page.finding import Pages, find
from interactive_envs.ui2html.judge.page.view import View
from interactive_envs.ui2html.judge.screens import decide_picture
from interactive_envs.ui2html.rendering.browser import Render

Decider = Callable[[Clause, str, bool, Pages], tuple[bool, str]]
"""Whether a claim holds under a mode and a negation, and how it was read."""


class Answered(NamedTuple):
    """What the judge says of a question.

    Attributes:
        label: ``yes`` or ``no``.
        abstained: whether the question could not be read; the label is then no.
        detail: how it was read, or why not.
    """

    label: str
    abstained: bool
    detail: str


def answer(question: str, target: Render, page: Render) -> Answered:
    """Answer one question about a page and its target.

    Args:
        question: the player's words.
        target: the target's picture, with its tree or, of a screenshot, with an empty one.
        page: the player's page.
    """
    if not target.tree:
        page = page._replace(tree=())
    pages = Pages(View(target), View(page))
    try:
        mode, text = read_mode(question)
        clauses, joined = read_clauses(text)
        results = [_decide(clause, mode, pages) for clause in clauses]
        _refuse_mixed(results, joined)
    except Unread as why:
        return Answered("no", True, f"unread: {why}")
    truth = any(result for result, _ in results) if joined == "or" else all(result for result, _ in results)
    details = f"; {joined} ".join(detail for _, detail in results)
    return Answered("yes" if truth else "no", False, f"read: {details} -> {'yes' if truth else 'no'}")


def _decide(clause: Clause, mode: str, pages: Pages) -> tuple[bool, str]:
    """Whether a claim holds, and how it was read."""
    if not pages.target.nodes:
        return decide_picture(clause, mode, pages)
    if clause.verb == "swap" and clause.verb_text not in ("switch",):
        raise Unread("an exchange")
    _prepare(clause, pages)
    if "apart" in clause.flags:
        return decide_apart(clause, mode, pages)
    if clause.verb == "keep" or "unchanged" in clause.flags or mode == "same":
        truth, detail = decide_kept(clause, mode, pages)
        if truth and "differs in" not in detail:
            raise Unread("that it is there says not that it shall stay as it is")
        return truth, detail
    decider = _decider(clause, mode)
    truth, detail = decider(clause, mode, clause.negations % 2 == 1, pages)
    if not truth:
        _refuse_doubtful(clause, decider, pages)
    return truth, detail


def _refuse_mixed(results: Sequence[tuple[bool, str]], joined: str) -> None:
    """Refuse to say no to several claims of which some hold: which one was meant?

    Raises:
        Unread: it is so.
    """
    truths = {truth for truth, _ in results}
    if joined != "or" and len(truths) > 1:
        raise Unread("some of it is so, some is not")


def _refuse_doubtful(clause: Clause, decider: Decider, pages: Pages) -> None:
    """Refuse to say no where that may come of a part that was not recognised.

    A thing that neither page has is missing for certain only where its kind alone is asked for; what lies within
    another thing, or goes by words of its own, may have been looked for in vain.

    Raises:
        Unread: it is so.
    """
    phrase = clause.subject
    if phrase.role == "page":
        return
    there, here = find(replace(phrase, values=[], number=None), pages, lenient=True)
    found = [bool(part.found) for part in (there, here)]
    presence = decider is decide_presence and clause.verb != "remove"
    if phrase.within is not None and phrase.within.role != "page":
        raise Unread(f"no part for certain: {phrase}")
    if not any(found) and (phrase.words or phrase.quote or not presence):
        raise Unread(f"on neither page: {phrase}")
    if not all(found) and decider in (decide_direction, decide_value, decide_place, decide_relation):
        raise Unread(f"on one page only: {phrase}")


def _prepare(clause: Clause, pages: Pages) -> None:
    """Settle what the clause says and what it says it of."""
    kept_less = clause.directions or (clause.negations and clause.verb_text in ("leave", "left", "leaving"))
    if clause.verb == "keep" and kept_less:
        clause.verb = "set"  # "leave more room", "leave the cards without a border"
    phrase = clause.subject
    if clause.quotes and (clause.places or clause.reference) and not phrase.quote:
        phrase.quote = clause.quotes.pop()
    settle(clause)
    if clause.subject.role == "page" and _boxed(clause):
        clause.subject.role = "card" if pages.target.find("card") or pages.page.find("card") else "button"


def _decider(clause: Clause, mode: str) -> Decider:
    """What decides such a claim.

    Raises:
        Unread: nothing does.
    """
    some = clause.flags & {"subset", "one of"} and clause.verb not in ("add", "remove")
    if some and not clause.subject.within:
        return decide_some
    if clause.directions and "to" in clause.flags and (clause.numbers or clause.lengths):
        clause.directions, clause.verb = [], "set"  # "larger, to 44px"
    decider = _by_reference(clause) or _by_value(clause) or _by_part(clause, mode)
    if decider is None:
        raise Unread("cannot read what is asked")
    return decider


def _by_reference(clause: Clause) -> Decider | None:
    """Claims that compare or place one thing by another."""
    if clause.reference is None:
        return None
    compared = clause.directions and clause.flags & {"than", "others"}
    return decide_place if clause.places and not compared else decide_relation


def _by_value(clause: Clause) -> Decider | None:
    """Claims about more, less or a value of a property, what something says, where it is, and how many there are."""
    phrase = clause.subject
    if clause.directions and not clause.quotes:
        return decide_direction
    if clause.quotes and clause.verb not in ("remove", "move") and not (clause.places or clause.values):
        return decide_text
    if clause.quotes:
        phrase.quote = phrase.quote or clause.quotes[0]
    own = clause.values or clause.lengths or (clause.aspect and clause.aspect != "position")
    part = clause.verb in ("add", "remove") and not clause.aspect and not clause.lengths and phrase.role != "page"
    if own and not part:
        return decide_place if clause.places and clause.verb in ("add", "move") else decide_value
    if clause.places:
        return decide_place
    if phrase.number is not None or clause.numbers:
        return decide_count
    return None


def _by_part(clause: Clause, mode: str) -> Decider | None:
    """Claims that something is there, or is of a colour that stands before its name."""
    phrase = clause.subject
    coloured = (phrase.within is None or phrase.role == "text") and phrase.role != "section"
    if phrase.values and clause.verb in ("have", "set", "") and coloured:
        clause.values, phrase.values = phrase.values, []
        return decide_value
    if clause.verb in ("add", "remove", "have") or mode == "target":
        return decide_presence
    if clause.verb == "move" and phrase.within is not None:
        clause.verb = "have"
        return decide_presence
    if clause.verb not in ("set", ""):
        return None
    inside = phrase.within is not None and phrase.within.role != "page"
    existing = mode == "change" and "be" in clause.verb_text.split() and phrase.role != "page"
    return decide_presence if inside or existing else None


def _boxed(clause: Clause) -> bool:
    """Whether a claim about the page means the boxes on it."""
    named = {clause.aspect, *(name for name, _ in clause.values), *(name for name, _ in clause.directions)}
    return bool(named & {"edge", "edge colour", "radius", "shadow", "thick"})
