"""What can be said in several ways, brought to one."""

from __future__ import annotations

from interactive_envs.ui2html.judge.language.clauses import Clause

_PRESENT = ("edge", "shadow", "radius", "gradient", "edge top", "edge bottom", "edge left", "edge right")


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
