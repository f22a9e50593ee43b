"""Whether parts of a page have a value of a property, and which property a word means of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from interactive_envs.ui2html.judge.language.clauses import Clause, Phrase, Unread
from interactive_envs.ui2html.judge.look.colours import DARK, LIGHT, is_colour
from interactive_envs.ui2html.judge.look.measures import BOLD, differs, shown
from interactive_envs.ui2html.judge.look.part import MEASURES, Part
from interactive_envs.ui2html.judge.look.sizes import declared, paddings
from interactive_envs.ui2html.judge.page.view import View, textual
from interactive_envs.ui2html.rendering.colour import Colour

NUMERIC = frozenset(
    "width height size weight radius edge shadow padding gap margin spacing opacity columns rows length "
    "contrast count".split()
) | {"font size", "line height", "letter spacing", "edge top", "edge bottom", "edge left", "edge right"}
_TINTED = frozenset(["background", "ink", "colour", "edge colour", "accent"])


def apart(name: str, there: Part, here: Part) -> bool:
    """Whether two parts look different in a property."""
    target, page = MEASURES[name](there), MEASURES[name](here)
    if target is None or page is None:
        return (target is None) != (page is None)
    return differs(name, target, page)


def measured(clause: Clause, phrase: Phrase) -> str:
    """The property that a clause names, as it is measured of its subject."""
    name = clause.aspect or "colour"
    if name == "size" and textual(phrase.role):
        return "font size"
    if name == "theme":
        return "background"
    if name == "case":
        return "case"
    return name


def meant(clause: Clause, values: Sequence[tuple[str, str]]) -> tuple[str, str]:
    """The property and the value that the values of a clause mean together."""
    shades = [value for name, value in values if name == "lightness"]
    colours = [value for name, value in values if name == "colour"]
    if len(colours) > 1 and colours[0].endswith("ish"):
        colours = colours[1:]  # "greyish blue"
    others = [(name, value) for name, value in values if name not in ("lightness", "colour")]
    if len(set(others)) + len(colours) > 1:
        raise Unread(f"several values: {', '.join(value for _, value in values)}")
    if others:
        name, value = others[0]
        return name, value
    base = clause.aspect if clause.aspect in _TINTED else "colour"
    if clause.aspect and clause.aspect not in _TINTED and clause.aspect not in ("theme", "edge", "position"):
        raise Unread(f"{clause.aspect} {' '.join(colours + shades)}")
    if colours:
        return base, " ".join([*shades[:1], *colours])
    return ("lightness" if base == "colour" else f"{base} lightness"), shades[0]


def holds(part: Part, name: str, value: str) -> bool:
    """Whether parts have a value; where there are none, they have none of it."""
    if not part.found:
        return value == "none"
    return matches(part, name, value)


def matches(part: Part, name: str, value: str) -> bool:
    """Whether parts have a value of a property."""
    if name in _TINTED:
        return _is_tinted(part, name, value)
    if name.endswith("lightness"):
        light = MEASURES[name](part)
        return isinstance(light, float) and (light < DARK if value == "dark" else light > LIGHT)
    match name, value:
        case "weight", _:
            weight = MEASURES["weight"](part)
            return isinstance(weight, float) and (weight >= BOLD) == (value == "bold")
        case "radius", "pill" | "circle":
            return _is_round(part, square=value == "circle")
        case "radius", _:
            return (number(part, "radius") > 2) == (value == "some")
        case "edge", _:
            return _is_edged(part, value)
        case (("edge top" | "edge bottom" | "edge left" | "edge right"), _):
            return (number(part, name) > 0) == (value == "some")
        case "shadow", "hard":
            return MEASURES["shadow kind"](part) == "hard"
        case "shadow", _:
            return (number(part, "shadow") > 0.05) == (value == "some")
        case "width", "full":
            return _full(part)
        case "saturation", _:
            return (number(part, "saturation") > 30) == (value == "vivid")
        case "transparency", _:
            return MEASURES["fill"](part) == "plain"
        case (("sticky" | "highlight"), _):
            raise Unread(f"cannot see {name}")
        case "state", _:
            if part.role not in ("toggle", "checkbox", "radio"):
                raise Unread(f"whether {part.role} is {value}")
            return bool(part.found) and MEASURES["state"](part) == value
    return MEASURES[name](part) == value


def _is_tinted(part: Part, name: str, value: str) -> bool:
    """Whether a colour word describes a colour of parts."""
    colour = MEASURES[name](part)
    shade, _, plain_name = value.rpartition(" ") if not value.startswith("rgb") else ("", "", value)
    if not isinstance(colour, Colour):
        return False
    own = declared(part) if name == "ink" else None
    return is_colour(colour, plain_name, shade) or (own is not None and is_colour(own[1], plain_name, shade))


def _is_round(part: Part, *, square: bool) -> bool:
    """Whether most parts are rounded off, and all of them square where that is asked."""
    rounds = [_roundness(part.view, i) for i in part.found]
    boxes = [part.view.nodes[i].box for i in part.found]
    fits = not square or all(abs(box.width - box.height) <= 3 for box in boxes)
    return sum(r >= 0.45 for r in rounds) * 2 > len(rounds) and fits


def _is_edged(part: Part, value: str) -> bool:
    """Whether parts have a border, one in a style, or one at a side."""
    if value in ("some", "none"):
        return (number(part, "edge") > 0) == (value == "some")
    if value in ("dashed", "dotted", "solid"):
        return MEASURES["edge style"](part) == value
    return number(part, f"edge {value}") > 0


def _roundness(view: View, index: int) -> float:
    node = view.nodes[index]
    return max(node.radius) / max(1.0, min(node.box.width, node.box.height))


def number(part: Part, name: str) -> float:
    """A numeric property; 0 where there is nothing to measure."""
    value = MEASURES[name](part)
    return value if isinstance(value, float | int) else 0.0


def _full(part: Part) -> bool:
    view = part.view
    for index in part.found:
        box = view.nodes[index].box
        if box.width >= 0.97 * view.width:
            continue
        room = next((view.nodes[a] for a in view.above(index) if view.nodes[a].box.width > box.width + 1), None)
        inner = _inner(room) if room is not None else view.width
        if part.role in ("page", "main", "header", "footer", "hero", "notice") or box.width < 0.97 * inner:
            return False
    return bool(part.found)


def _inner(node: object) -> float:
    """The width inside an element's padding and border."""
    style, box = node.style, node.box  # type: ignore[attr-defined]
    used = sum(float(style.get(f"padding-{side}", "0px").removesuffix("px") or 0) for side in ("left", "right"))
    return float(box.width - used - node.borders[1].width - node.borders[3].width)  # type: ignore[attr-defined]


def seen(name: str, part: Part) -> str:
    """What parts have of a property, for the log."""
    measure = MEASURES.get(name)
    value = measure(part) if measure is not None and part.found else None
    return f"{shown(value)}" + (f" of {len(part.found)}" if len(part.found) != 1 else "")


def alike(name: str, part: Part) -> bool:
    """Whether several parts all have the same of a property."""
    values = [MEASURES[name](part._replace(found=(i,))) for i in part.found]
    first = next((value for value in values if value is not None), None)
    return len(values) > 1 and first is not None and not any(v is None or differs(name, first, v) for v in values)


def columned(part: Part, name: str) -> Part:
    """Of a page, "three columns" are those of its cards if it has any, else those of its layout."""
    for role in ("card", "feature", "plan", "gallery", "lane"):
        found = part.view.find(role)
        if len(found) > 1:
            return Part(part.view, role, found)
    return part


def comes_near(name: str, part: Part, wanted: float) -> bool:
    """Whether a numeric property has a value, nearly."""
    if not part.found:
        return False
    value = number(part, name)
    if wanted < 0:  # a share
        room = part.view.width if name in ("width", "x") else part.view.height
        return abs(value / room + wanted) < 0.03
    if name == "padding":
        return any(abs(padding - wanted) <= max(1.0, 0.04 * wanted) for padding in paddings(part))
    own = declared(part) if name == "font size" else None
    if own is not None and abs(own[0] - wanted) <= 0.75:
        return True
    slack = {"columns": 0.4, "rows": 0.4, "count": 0.4, "font size": 0.75, "weight": 50}.get(
        name, max(2.0, 0.04 * wanted)
    )
    return abs(value - wanted) <= slack


def graded(clause: Clause, values: Sequence[tuple[str, str]], sign: int) -> tuple[str, int]:
    """The property and sign of "more bold" or "less dark"."""
    name, value = values[0]
    match name, value:
        case "lightness", "dark":
            return "lightness", -sign
        case "lightness", _:
            return "lightness", sign
        case "weight", "bold":
            return "weight", sign
        case "radius", "some" | "pill":
            return "radius", sign
        case "saturation", "vivid":
            return "saturation", sign
        case "saturation", _:
            return "saturation", -sign
    return "", sign


def directed(clause: Clause, phrase: Phrase, direction: str) -> str:
    """The measured property that a direction means; ``value`` for that of a value, empty for a number of parts."""
    name = clause.aspect
    if name == "edge colour" and direction == "thick":
        return "edge"
    if direction in ("lightness", "saturation") or direction.startswith("towards"):
        name = "edge colour" if name == "edge" and direction == "lightness" else name
        base = name if name in _TINTED and name != "colour" else ""
        return f"{base} {direction}".strip()
    if direction in ("x", "y", "opacity", "shadow", "radius", "contrast"):
        return direction
    if name in ("position", "alignment", "order", "content", "family", "decoration", "case", "theme"):
        raise Unread(f"{direction or 'more'} {name}")
    if name in _TINTED:
        raise Unread(f"{direction or 'more'} {name}")
    if name == "size" and textual(phrase.role):
        return "font size"
    if name in ("saturation", "lightness"):
        return name
    if name and name in NUMERIC:
        return name
    if name:
        raise Unread(f"{direction or 'more'} {name}")
    if direction == "":
        if clause.values:
            return "value"
        return ""
    text = textual(phrase.role)
    match direction:
        case "size":
            return "font size" if text or phrase.role == "text" else "size"
        case "thick":
            return "weight" if text else "height" if phrase.role == "divider" else "edge"
        case "height" if phrase.role in ("subtitle", "text", "title", "label", "quote", "copyright", "brand"):
            return "length"
        case "length" if phrase.role == "page":
            return "height"
    return direction


def compared(clause: Clause, phrase: Phrase) -> tuple[str, int]:
    """The measured property in which a part is to exceed another, and the sign; empty for a number of parts."""
    direction, sign = clause.directions[0]
    name = directed(clause, phrase, direction)
    return graded(clause, clause.values, sign) if name == "value" else (name, sign)


LIMITS = ("at least", "at most", "over", "under")
"""Flags that make a number a bound."""


def within(value: float, wanted: float, flags: Collection[str]) -> bool | None:
    """Whether a number keeps the bound that a clause sets; None where it sets none."""
    if "at least" in flags:
        return value >= wanted
    if "at most" in flags:
        return value <= wanted
    if "over" in flags:
        return value > wanted
    return value < wanted if "under" in flags else None


def those_with(part: Part, name: str, value: str) -> Part:
    """Those of the parts that have a value."""
    return part._replace(found=tuple(i for i in part.found if matches(part._replace(found=(i,)), name, value)))
