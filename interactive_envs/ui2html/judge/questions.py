"""Answers questions about a page and its target from the two trees and pictures, without a model.

A question is cut into units (:mod:`.phrases`), the units into clauses, and a clause read as a claim: what is spoken of
(:mod:`.subjects`), which property (:mod:`.properties`), and a direction, a value, or that it shall stay. *Should I
do X?* is answered yes if the target has X, or more of it, and the page has not, by a margin that can be seen: then
doing it brings the page closer. *Does the target have X?* asks of the target alone. What a clause says beyond the units
that are known is searched for as words on the pages; if it is on neither, the question is unread, and the answer is no.
"""

from __future__ import annotations

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
from interactive_envs.ui2html.judge.language.clauses import Clause, Phrase, Unread
from interactive_envs.ui2html.judge.language.modes import read_mode
from interactive_envs.ui2html.judge.language.reading import read_clauses
from interactive_envs.ui2html.judge.language.settling import settle
from interactive_envs.ui2html.judge.page.finding import Pages
from interactive_envs.ui2html.judge.page.view import View
from interactive_envs.ui2html.judge.screens import decide_picture
from interactive_envs.ui2html.rendering.browser import Render


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
    if clause.main is None:
        clause.main = Phrase("page")
    if clause.main is None:
        clause.main = Phrase("page")
    if clause.verb == "keep" and (
        clause.directions or (clause.negations and clause.verb_text in ("leave", "left", "leaving"))
    ):
        clause.verb = "set"  # "leave more room", "leave the cards without a border"
    phrase = clause.main
    if clause.quotes and (clause.places or clause.reference) and not phrase.quote:
        phrase.quote = clause.quotes.pop()
    settle(clause)
    phrase = clause.subject
    if phrase.role == "page" and _boxed(clause):
        phrase.role = "card" if pages.target.find("card") or pages.page.find("card") else "button"
    if "apart" in clause.flags:
        return decide_apart(clause, mode, pages)
    if clause.verb == "keep" or "unchanged" in clause.flags or mode == "same":
        return decide_kept(clause, mode, pages)
    negated = clause.negations % 2 == 1
    if clause.flags & {"subset", "one of"} and clause.verb not in ("add", "remove") and not phrase.within:
        return decide_some(clause, mode, negated, pages)
    if clause.directions and "to" in clause.flags and (clause.numbers or clause.lengths):
        clause.directions, clause.verb = [], "set"
    if clause.reference is not None and clause.directions and clause.flags & {"than", "others"}:
        return decide_relation(clause, mode, negated, pages)
    if clause.reference is not None and clause.places:
        return decide_place(clause, mode, negated, pages)
    if clause.reference is not None:
        return decide_relation(clause, mode, negated, pages)
    if clause.directions and not clause.quotes:
        return decide_direction(clause, mode, negated, pages)
    if clause.quotes and clause.verb not in ("remove", "move") and not (clause.places or clause.values):
        return decide_text(clause, mode, negated, pages)
    if clause.quotes:
        phrase.quote = phrase.quote or clause.quotes[0]
    own = clause.values or clause.lengths or (clause.aspect and clause.aspect != "position")
    part = clause.verb in ("add", "remove") and not clause.aspect and not clause.lengths and phrase.role != "page"
    if own and not part:
        if clause.places and clause.verb in ("add", "move"):
            return decide_place(clause, mode, negated, pages)
        return decide_value(clause, mode, negated, pages)
    if clause.places:
        return decide_place(clause, mode, negated, pages)
    if phrase.number is not None or clause.numbers:
        return decide_count(clause, mode, negated, pages)
    coloured = phrase.within is None or phrase.role == "text"
    if phrase.values and clause.verb in ("have", "set", "") and coloured and phrase.role not in ("section",):
        clause.values, phrase.values = phrase.values, []
        return decide_value(clause, mode, negated, pages)
    if clause.verb in ("add", "remove", "have") or mode == "target":
        return decide_presence(clause, mode, negated, pages)
    if clause.verb == "move" and phrase.within is not None:
        return decide_presence(replace(clause, verb="have"), mode, negated, pages)
    if clause.verb in ("set", "") and phrase.within is not None and phrase.within.role not in ("page",):
        return decide_presence(clause, mode, negated, pages)
    if clause.verb in ("set", "") and mode == "change" and "be" in clause.verb_text.split() and phrase.role != "page":
        return decide_presence(clause, mode, negated, pages)
    raise Unread("cannot read what is asked")


def _boxed(clause: Clause) -> bool:
    """Whether a claim about the page means the boxes on it."""
    named = {clause.aspect, *(name for name, _ in clause.values), *(name for name, _ in clause.directions)}
    return bool(named & {"edge", "edge colour", "radius", "shadow", "thick"})
