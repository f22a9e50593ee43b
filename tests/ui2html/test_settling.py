"""Each rule that brings what can be said in several ways to one: what it changes, and what it leaves."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest

from interactive_envs.ui2html.judge.language import settling
from interactive_envs.ui2html.judge.language.clauses import Clause, Phrase
from interactive_envs.ui2html.judge.language.settling import RULES, settle


def clause(role: str = "card", **said: object) -> Clause:
    return Clause(main=Phrase(role), **said)  # type: ignore[arg-type]


CHANGED: list[tuple[Callable[[Clause], None], Clause, Clause]] = [
    (
        settling.read_too_as_direction,
        clause(flags={"too"}, values=[("lightness", "dark")]),
        clause(flags={"too"}, directions=[("lightness", -1)]),
    ),
    (
        settling.read_too_as_direction,
        clause(flags={"too"}, values=[("radius", "some")]),
        clause(flags={"too"}, directions=[("radius", 1)]),
    ),
    (
        settling.read_too_as_direction,
        clause(flags={"too"}, values=[("weight", "bold")]),
        clause(flags={"too"}, directions=[("thick", 1)]),
    ),
    (
        settling.read_too_as_direction,
        clause(flags={"too"}, aspect="width"),
        clause(flags={"too"}, directions=[("width", 1)]),
    ),
    (
        settling.count_added_lines,
        clause(verb="remove", aspect="columns"),
        clause(verb="remove", aspect="columns", directions=[("", 1)]),
    ),
    (
        settling.read_accent_of_page,
        clause("page", aspect="colour", flags={"accent"}),
        clause("page", aspect="accent", flags={"accent"}),
    ),
    (
        settling.drop_filling_of_colours,
        clause(values=[("fill", "filled"), ("colour", "blue")]),
        clause(values=[("colour", "blue")]),
    ),
    (
        settling.share_place_with_reference,
        Clause(main=Phrase("price", within=Phrase("card")), reference=Phrase("title")),
        Clause(main=Phrase("price", within=Phrase("card")), reference=Phrase("cardtitle", within=Phrase("card"))),
    ),
    (settling.read_heading_as_title, clause("heading"), clause("title")),
    (
        settling.read_large_as_larger,
        clause(values=[("size", "small"), ("colour", "blue")]),
        clause(values=[("colour", "blue")], directions=[("size", -1)]),
    ),
    (
        settling.read_large_parts,
        Clause(main=Phrase("card", values=[("size", "large")])),
        Clause(main=Phrase("card"), directions=[("size", 1)]),
    ),
    (
        settling.read_large_parts,
        Clause(main=Phrase("card", values=[("size", "large")]), values=[("colour", "blue")]),
        Clause(main=Phrase("card"), values=[("colour", "blue")]),
    ),
    (settling.read_theme_as_background, clause("page", aspect="theme"), clause("page", aspect="background")),
    (
        settling.read_theme_as_background,
        clause("page", aspect="theme", values=[("lightness", "dark")]),
        clause("page", values=[("lightness", "dark")]),
    ),
    (
        settling.read_places_as_alignment,
        clause(aspect="alignment", places=[("left", "left")]),
        clause(aspect="alignment", values=[("alignment", "left")]),
    ),
    (
        settling.read_places_as_alignment,
        clause(verb_text="aligned", places=[("right", "right")]),
        clause(verb_text="aligned", values=[("alignment", "right")]),
    ),
    (
        settling.move_number_of_columns,
        Clause(main=Phrase("card", number=3.0), aspect="columns"),
        clause(aspect="columns", numbers=[3.0]),
    ),
    (
        settling.drop_page_around_text,
        Clause(main=Phrase("text", within=Phrase("page"))),
        clause("text"),
    ),
    (
        settling.read_text_as_content,
        Clause(main=Phrase("text", within=Phrase("heading")), verb="change"),
        clause("title", aspect="content", verb="change"),
    ),
    (
        settling.drop_colour_of_shadow,
        clause(aspect="shadow", values=[("lightness", "dark"), ("shadow", "hard")]),
        clause(aspect="shadow", values=[("shadow", "hard")]),
    ),
    (
        settling.drop_lightness_of_edge,
        clause(aspect="edge", values=[("lightness", "light")]),
        clause(aspect="edge", values=[("edge", "some")]),
    ),
    (
        settling.read_closer_as_direction,
        clause(flags={"close"}, values=[("colour", "black")]),
        clause(flags={"close"}, directions=[("lightness", -1)]),
    ),
    (
        settling.read_colour_of_edge,
        clause(aspect="edge", values=[("colour", "red")]),
        clause(aspect="edge colour", values=[("colour", "red")]),
    ),
    (
        settling.read_bare_as_present,
        clause(aspect="shadow", verb="remove"),
        clause(aspect="shadow", verb="set", values=[("shadow", "none")]),
    ),
]
LEFT = [
    (settling.read_too_as_direction, clause(values=[("lightness", "dark")])),
    (settling.count_added_lines, clause(verb="add", aspect="columns", numbers=[2.0])),
    (settling.read_accent_of_page, clause("card", aspect="colour", flags={"accent"})),
    (settling.drop_filling_of_colours, clause(values=[("fill", "filled")])),
    (settling.share_place_with_reference, Clause(main=Phrase("price"), reference=Phrase("title"))),
    (settling.read_heading_as_title, Clause(main=Phrase("heading", plural=True))),
    (settling.read_large_as_larger, clause(values=[("weight", "bold")])),
    (settling.read_large_parts, Clause(main=Phrase("card", values=[("size", "large")]), verb="add")),
    (settling.read_theme_as_background, clause("page", aspect="colour")),
    (settling.read_places_as_alignment, clause(aspect="position", places=[("left", "left")])),
    (settling.move_number_of_columns, Clause(main=Phrase("card", number=3.0))),
    (settling.drop_page_around_text, Clause(main=Phrase("text", within=Phrase("card")))),
    (settling.read_text_as_content, Clause(main=Phrase("text", within=Phrase("card")), verb="set")),
    (settling.drop_colour_of_shadow, clause(aspect="edge", values=[("lightness", "dark")])),
    (settling.drop_lightness_of_edge, clause(aspect="edge", values=[("colour", "red")])),
    (settling.read_closer_as_direction, clause(values=[("colour", "black")])),
    (settling.read_colour_of_edge, clause(aspect="shadow", values=[("colour", "red")])),
    (settling.read_bare_as_present, clause(aspect="shadow", verb="set", directions=[("shadow", 1)])),
]


@pytest.mark.parametrize(("rule", "said", "settled"), CHANGED)
def test_a_rule_changes_what_it_fits(rule: Callable[[Clause], None], said: Clause, settled: Clause) -> None:
    found = copy.deepcopy(said)
    rule(found)
    assert found == settled


@pytest.mark.parametrize(("rule", "said"), LEFT)
def test_a_rule_leaves_what_it_does_not_fit(rule: Callable[[Clause], None], said: Clause) -> None:
    found = copy.deepcopy(said)
    rule(found)
    assert found == said


def test_every_rule_has_both() -> None:
    assert set(RULES) == {rule for rule, *_ in CHANGED} == {rule for rule, _ in LEFT}


def test_rules_apply_in_order_and_nothing_is_settled_of_nothing() -> None:
    found = clause("heading", verb="remove", aspect="edge")
    settle(found)
    assert found == clause("title", verb="set", aspect="edge", values=[("edge", "none")])
    nothing = Clause(verb="remove", aspect="edge")
    settle(nothing)
    assert nothing == Clause(verb="remove", aspect="edge")
