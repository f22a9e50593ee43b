"""Claims about a target of which there is only a picture: colours of the page and its edges, and the length."""

from __future__ import annotations

from dataclasses import replace

from interactive_envs.ui2html.judge.claims import answer_of
from interactive_envs.ui2html.judge.language.clauses import Clause, Phrase, Unread
from interactive_envs.ui2html.judge.language.settling import settle
from interactive_envs.ui2html.judge.look.colours import DARK, LIGHT, chroma, distance, is_colour, lab
from interactive_envs.ui2html.judge.look.measures import COLOUR_MARGIN, margin, shown
from interactive_envs.ui2html.judge.look.part import MEASURES, Part, Value
from interactive_envs.ui2html.judge.page.finding import Pages
from interactive_envs.ui2html.judge.page.view import BANDS, View
from interactive_envs.ui2html.judge.values import meant
from interactive_envs.ui2html.rendering.colour import Colour
from interactive_envs.ui2html.rendering.tree import Box


def decide_picture(clause: Clause, mode: str, pages: Pages) -> tuple[bool, str]:
    """What pixels can decide: colours of the page and of its edges, dark or light, and the length."""
    settle(replace(clause, main=clause.main or Phrase("page")))
    phrase = clause.main or Phrase("page")
    clause.main = phrase
    if clause.aspect == "theme":
        clause.aspect = ""
    negated = clause.negations % 2 == 1
    role = {"navbar": "header", "text": "?"}.get(phrase.role, phrase.role)
    if (
        role not in ("page", "header", "sidebar", "footer")
        or phrase.within
        or phrase.words
        or clause.reference
        or clause.places
    ):
        raise Unread(f"a screenshot does not tell of {phrase}")
    kept = clause.verb == "keep" or "unchanged" in clause.flags or mode == "same"
    values = clause.values + phrase.values
    if values:
        name, value = meant(clause, values)
        target, page = (_pixel_value(view, role, name, value) for view in (pages.target, pages.page))
        result = target and page if kept else answer_of(clause, mode, target, page, False)
        return result != negated, f"{phrase}.{name} {value} by pixels; target {target}, page {page}"
    if clause.directions:
        direction, sign = clause.directions[0]
        if role == "page" and direction in ("height", "length", "size") and clause.aspect in ("", "height", "length"):
            pair = pages.target.height, pages.page.height
            name = "height"
        elif direction in ("lightness", "saturation") and clause.aspect in ("", "background", "colour", "accent"):
            name = direction
            at = 0 if direction == "lightness" else 1
            both = [_pixel_colour(view, role, clause.aspect) for view in (pages.target, pages.page)]
            pair = tuple((lab(c)[0], chroma(c))[at] for c in both)  # type: ignore[assignment]
        else:
            raise Unread(f"a screenshot does not tell of {direction or 'more'} {clause.aspect}")
        gap = (pair[0] - pair[1]) * sign * (-1 if mode == "reverse" else 1)
        result = gap > margin(name, max(map(abs, pair)))
        return result != negated, f"{phrase}.{name} by pixels; target {pair[0]:.4g}, page {pair[1]:.4g}"
    if clause.aspect in ("background", "colour", "accent") and (kept or clause.verb == "change"):
        both = [_pixel_colour(view, role, clause.aspect) for view in (pages.target, pages.page)]
        apart = distance(both[0], both[1]) > COLOUR_MARGIN
        return (
            apart != kept
        ) != negated, f"{phrase}.{clause.aspect} by pixels; target {shown(both[0])}, page {shown(both[1])}"
    raise Unread(f"a screenshot does not tell of {phrase}")


def _pixel_colour(view: View, role: str, name: str) -> Colour:
    if name == "accent":
        accent: Value | None = MEASURES["accent"](Part(view, "page", ()))
        if not isinstance(accent, Colour):
            raise Unread("no accent colour")
        return accent
    if role == "page":
        return view.dominant(Box(0, 0, view.width, view.height))
    if role == "footer":
        return view.dominant(Box(0, view.height - 40, view.width, 40))
    return view.dominant(BANDS[role])


def _pixel_value(view: View, role: str, name: str, value: str) -> bool:
    if name in ("colour", "background", "accent"):
        shade, _, word = value.rpartition(" ") if not value.startswith("rgb") else ("", "", value)
        return is_colour(_pixel_colour(view, role, name), word, shade)
    if name in ("lightness", "background lightness"):
        light = lab(_pixel_colour(view, role, ""))[0]
        return light < DARK if value == "dark" else light > LIGHT
    raise Unread(f"a screenshot does not tell of {name}")
