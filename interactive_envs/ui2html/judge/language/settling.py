"""What can be said in several ways, brought to one: each rule changes a clause that it fits and leaves all others."""

from __future__ import annotations

from collections.abc import Callable

from interactive_envs.ui2html.judge.language.clauses import Clause

_PRESENT = ("edge", "shadow", "radius", "gradient", "edge top", "edge bottom", "edge left", "edge right")
_HEADINGS = ("title", "name", "heading", "cardtitle", "text")

Rule = Callable[[Clause], None]


def settle(clause: Clause) -> None:
    """Apply every rule in order, in place; a clause that speaks of nothing stays as it is."""
    if clause.main is None:
        return
    for rule in RULES:
        rule(clause)


def read_too_as_direction(clause: Clause) -> None:
    """Read "too round", "too dark", "too bold" and "too wide" as more of that."""
    if "too" not in clause.flags or clause.directions:
        return
    for name, kind in clause.values[:1]:
        if name == "radius":
            clause.values, clause.directions = [], [("radius", -1 if kind == "none" else 1)]
        elif name == "lightness":
            clause.values, clause.directions = [], [("lightness", -1 if kind == "dark" else 1)]
        elif name == "weight":
            clause.values, clause.directions = [], [("thick", 1)]
    if clause.aspect in ("width", "height"):
        clause.directions, clause.aspect = [(clause.aspect, 1)], ""


def count_added_lines(clause: Clause) -> None:
    """Read "add a column" as more columns."""
    counted = clause.aspect in ("rows", "columns") and clause.verb in ("add", "remove")
    if counted and not (clause.numbers or clause.directions):
        clause.directions.append(("", 1))


def read_accent_of_page(clause: Clause) -> None:
    """Read the accent colour of the page as its accent."""
    if clause.aspect == "colour" and clause.subject.role == "page" and "accent" in clause.flags:
        clause.aspect = "accent"


def drop_filling_of_colours(clause: Clause) -> None:
    """Read "solid blue" as blue."""
    if len(clause.values) > 1 and any(name == "colour" for name, _ in clause.values):
        clause.values = [pair for pair in clause.values if pair not in (("fill", "filled"), ("shadow", "hard"))]


def share_place_with_reference(clause: Clause) -> None:
    """Take "the price in the card above the title" to mean the title of that card."""
    reference, within = clause.reference, clause.subject.within
    if reference is None or within is None or reference.role not in _HEADINGS:
        return
    if reference.within is None and within.role not in ("page", "main"):
        reference.within = within
        reference.role = "cardtitle"


def read_heading_as_title(clause: Clause) -> None:
    """Take "the heading", without any more words, for the main one."""
    phrase = clause.subject
    if phrase.role == "heading" and not (phrase.plural or phrase.words or phrase.quote or phrase.within):
        phrase.role = "title"


def read_large_as_larger(clause: Clause) -> None:
    """Read "large" and "small", of what is there, as larger and smaller."""
    for value in list(clause.values):
        if value[0] == "size":
            clause.values.remove(value)
            clause.directions.append(("size", 1 if value[1] == "large" else -1))


def read_large_parts(clause: Clause) -> None:
    """Read "a large card" as a larger one, unless it is added or has another claim."""
    phrase = clause.subject
    for value in list(phrase.values):
        if value[0] != "size":
            continue
        other = len(phrase.values) > 1 or clause.values or clause.aspect or clause.places or clause.quotes
        if clause.says() and (other or clause.directions):
            phrase.values.remove(value)
        elif clause.verb not in ("add", "remove"):
            phrase.values.remove(value)
            clause.directions.append(("size", 1 if value[1] == "large" else -1))


def read_theme_as_background(clause: Clause) -> None:
    """Read the theme as the background; "a dark theme" says so by its value."""
    if clause.aspect == "theme":
        clause.aspect = "" if clause.values else "background"


def read_places_as_alignment(clause: Clause) -> None:
    """Read "aligned to the left" as an alignment, not as a place."""
    if clause.aspect == "alignment" and clause.places:
        clause.values += [("alignment", place) for place, _ in clause.places if place in ("left", "right")]
        clause.places.clear()
    if clause.verb_text in ("align", "aligned") and clause.places and clause.reference is None:
        sides = [place for place, _ in clause.places if place in ("left", "right")]
        if sides:
            clause.values.append(("alignment", sides[0]))
            clause.places.clear()


def move_number_of_columns(clause: Clause) -> None:
    """Take the number of "three columns of cards" for that of the columns."""
    phrase = clause.subject
    if clause.aspect == "columns" and phrase.number is not None:
        clause.numbers.append(phrase.number)
        phrase.number = None


def drop_page_around_text(clause: Clause) -> None:
    """Read "the text of the page" as the text."""
    phrase = clause.subject
    if phrase.within is not None and phrase.role == "text" and phrase.within.role == "page":
        phrase.within = None


def read_text_as_content(clause: Clause) -> None:
    """Read "change the text of the button" as a change of what it says."""
    phrase = clause.subject
    if phrase.role == "text" and phrase.within is not None and clause.verb == "change" and not clause.says():
        clause.aspect, clause.main = "content", phrase.within
        if clause.main.role == "heading" and not clause.main.plural:
            clause.main.role = "title"


def drop_colour_of_shadow(clause: Clause) -> None:
    """Read "a dark shadow" as a shadow."""
    if clause.aspect == "shadow" and any(name in ("colour", "lightness") for name, _ in clause.values):
        clause.values = [pair for pair in clause.values if pair[0] not in ("colour", "lightness")]


def drop_lightness_of_edge(clause: Clause) -> None:
    """Read "a light border" as a border."""
    if clause.aspect == "edge" and clause.values and all(name == "lightness" for name, _ in clause.values):
        clause.values = [("edge", "some")]


def read_closer_as_direction(clause: Clause) -> None:
    """Read "closer to black" as darker."""
    if "close" in clause.flags:
        for pair in [pair for pair in clause.values if pair in (("colour", "black"), ("colour", "white"))]:
            clause.values.remove(pair)
            clause.directions.append(("lightness", -1 if pair[1] == "black" else 1))


def read_colour_of_edge(clause: Clause) -> None:
    """Read the colour of "a red border" as that of the border."""
    named = any(name == "colour" for name, _ in (*clause.values, *clause.subject.values))
    if clause.aspect == "edge" and named:
        clause.aspect = "edge colour"


def read_bare_as_present(clause: Clause) -> None:
    """Read "cards without borders" as none of a property that is there or not."""
    bare = clause.aspect in _PRESENT and not (clause.values or clause.directions or clause.lengths or clause.numbers)
    if bare and clause.verb in ("add", "have", "set", "remove", ""):
        clause.values.append((clause.aspect, "none" if clause.verb == "remove" else "some"))
        clause.verb = "set"


RULES: tuple[Rule, ...] = (
    read_too_as_direction,
    count_added_lines,
    read_accent_of_page,
    drop_filling_of_colours,
    share_place_with_reference,
    read_heading_as_title,
    read_large_as_larger,
    read_large_parts,
    read_theme_as_background,
    read_places_as_alignment,
    move_number_of_columns,
    drop_page_around_text,
    read_text_as_content,
    drop_colour_of_shadow,
    drop_lightness_of_edge,
    read_closer_as_direction,
    read_colour_of_edge,
    read_bare_as_present,
)
"""In the order in which they apply: each finds the clause as those before it left it."""
