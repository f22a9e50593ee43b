"""A page under construction: its HTML, its style sheet and the facts that are true of both.

Facts take their values from the declared style, so the page and the facts about it cannot differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from html import escape

from interactive_envs.ui2html.targets.styles import Look
from interactive_envs.ui2html.targets.words import Copy, Draw

Value = str | int | bool | tuple[str, ...]


@dataclass(frozen=True)
class TargetFact:
    """One truth about a page.

    ============  ==========================  ==================================================
    kind          value                       what it says of the subject
    ============  ==========================  ==================================================
    section       bool                        it is on the page, or it is not
    count         int                         how many there are
    order         texts or subjects           from the top down, or from the left
    text          str                         what it reads
    colour        ``#rrggbb``                 its text colour
    background    ``#rrggbb``                 its own background
    alignment     left, center, right         of its text
    size          int                         font size in px; box width where property is width
    weight        int                         font weight
    font          serif, sans-serif, ...      generic family
    border        ``2px solid #...``, none    on all four sides
    radius        int                         of its corners in px
    spacing       int                         padding at the top, or gap between its children
    columns       int                         of a grid
    ============  ==========================  ==================================================

    Attributes:
        subject: a phrase like ``the sign-in button``.
        aliases: other names, without article.
        importance: 1 to 3.
        path: a CSS selector; the fact is true of every element it selects.
        property: the CSS property that measures it, empty where none does.
    """

    kind: str
    subject: str
    aliases: tuple[str, ...]
    value: Value
    importance: int
    path: str
    property: str = ""


_MEASURED = {
    "color": ("colour", 2),
    "background": ("background", 2),
    "text-align": ("alignment", 2),
    "font-size": ("size", 1),
    "width": ("size", 1),
    "font-weight": ("weight", 1),
    "font-family": ("font", 2),
    "border": ("border", 1),
    "border-radius": ("radius", 1),
    "padding": ("spacing", 1),
    "gap": ("spacing", 1),
    "grid-template-columns": ("columns", 2),
}
_HEX = re.compile(r"#[0-9a-f]{6}")
_PIXELS = re.compile(r"(\d+)px")
_COMMON = (
    ("a sidebar", ("side column", "side panel"), "<aside", "aside"),
    ("a navigation bar", ("navigation", "menu bar", "nav"), "<nav", "nav"),
    ("a table", ("tabular list",), "<table", "table"),
    ("a form", ("input form",), "<form", "form"),
    ("a footer", ("page footer", "bottom line"), "<footer", "footer"),
    ("a header", ("page header", "top bar"), "<header", "header"),
    ("a notice strip", ("announcement", "banner strip"), 'class="notice"', ".notice"),
    ("a search field", ("search box", "search bar"), 'type="search"', "input[type=search]"),
    ("breadcrumbs", ("breadcrumb trail",), 'class="crumbs"', ".crumbs"),
)


@dataclass
class Page:
    """The page being built; archetypes add parts to it.

    Attributes:
        level: difficulty, 1 to 5.
        quirks: irregularities this page shall have.
        purpose: what the page is for, the start of the request.
    """

    look: Look
    draw: Draw
    copy: Copy
    level: int
    quirks: frozenset[str]
    purpose: str = ""
    title: str = ""
    parts: list[str] = field(default_factory=list)
    facts: list[TargetFact] = field(default_factory=list)
    measured: list[tuple[str, str, tuple[str, ...], str, int, frozenset[str]]] = field(default_factory=list)
    rules: dict[str, dict[str, str]] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)

    def css(self, selector: str, body: str) -> None:
        """Declare a style; a later call adds to an earlier one."""
        rule = self.rules.setdefault(selector, {})
        for declaration in filter(str.strip, body.split(";")):
            name, _, value = declaration.partition(":")
            rule[name.strip()] = value.strip()

    def fact(
        self, kind: str, subject: str, value: Value, path: str, *aliases: str, importance: int = 2, measure: str = ""
    ) -> None:
        """Add one fact; the first one about the same subject stays."""
        bare = re.sub(r"^(the|a|an) ", "", subject)
        fact = TargetFact(kind, subject, tuple(dict.fromkeys((bare, *aliases))), value, importance, path, measure)
        if all((f.kind, f.subject, f.property) != (kind, subject, measure) for f in self.facts):
            self.facts.append(fact)

    def tell(self, selector: str, subject: str, *aliases: str, path: str = "", more: int = 0, only: str = "") -> None:
        """Say all that is declared of a selector once the page is finished.

        Args:
            selector: one given to :meth:`css`.
            subject: what it is called.
            aliases: what else it is called.
            path: where it is true, if not of all that the selector selects.
            more: added to the importance.
            only: the properties meant, all without it.
        """
        self.measured.append((selector, subject, aliases, path or selector, more, frozenset(only.split() or _MEASURED)))

    def _resolve(self) -> None:
        # Done last, for a style may be added to afterwards.
        for selector, subject, aliases, path, more, only in self.measured:
            for name, value in self.rules[selector].items():
                read = _read(name, value) if name in only else None
                if read is not None:
                    kind, importance = _MEASURED[name]
                    importance = min(3, importance + more)
                    measure = "padding-top" if name == "padding" else name
                    self.fact(kind, subject, read, path, *aliases, importance=importance, measure=measure)

    def text(self, path: str, subject: str, value: str, *aliases: str, importance: int = 2) -> None:
        """Say what something reads."""
        self.fact("text", subject, value, path, *aliases, importance=importance)

    def count(self, path: str, subject: str, value: int, *aliases: str, importance: int = 2) -> None:
        """Say how many there are."""
        self.fact("count", subject, value, path, *aliases, importance=importance)

    def sequence(self, path: str, subject: str, texts: Sequence[str], *aliases: str) -> None:
        """Say what the items of a list read, in order."""
        self.fact("order", subject, tuple(texts), path, *aliases)

    def part(self, subject: str, path: str, html: str, *aliases: str, importance: int = 3) -> None:
        """Add a part below those there are."""
        self.parts.append(html)
        self.has(subject, path, *aliases, importance=importance)
        self.order.append(subject)

    def has(self, subject: str, path: str, *aliases: str, importance: int = 2) -> None:
        """Say that something is on the page."""
        self.fact("section", subject, True, path, *aliases, importance=importance)

    def finish(self) -> None:
        """Say what holds for the page as a whole."""
        self.tell("body", "the page", "whole page", "body", more=1, only="background color font-family font-size")
        self._resolve()
        self.fact("order", "the page", tuple(self.order), "body", "sections", "parts", importance=3)
        body = "".join(self.parts)
        known = {word for f in self.facts if f.kind == "section" for word in f.path.split()}
        for subject, aliases, marker, path in _COMMON:
            if path not in known:
                self.fact("section", subject, marker in body, path, *aliases, importance=1)

    def html(self) -> str:
        """The whole file."""
        sheet = "\n".join(
            f"{selector} {{ {'; '.join(f'{name}: {value}' for name, value in rule.items())} }}"
            for selector, rule in self.rules.items()
        )
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(self.title)}</title>\n'
            f"<style>\n{sheet}\n</style>\n</head>\n<body>\n{chr(10).join(self.parts)}\n</body>\n</html>\n"
        )


def _read(name: str, value: str) -> Value | None:
    """The value of a fact from a declaration; None where it says nothing measurable."""
    if name in ("color", "background"):
        return value if _HEX.fullmatch(value) else None
    if name in ("text-align", "border", "font-family"):
        return value
    if name == "font-weight":
        return int(value)
    if name == "grid-template-columns":
        repeat = re.match(r"repeat\((\d+)", value)
        return int(repeat[1]) if repeat else len(value.split())
    if value == "0":
        return 0
    pixels = _PIXELS.match(value)
    return int(pixels[1]) if pixels else None


def tag(name: str, content: str | Iterable[str] = "", cls: str = "", **attributes: str) -> str:
    """An element around HTML; the class first, underscores of attributes as hyphens."""
    inside = content if isinstance(content, str) else "".join(content)
    named = ({"class": cls} if cls else {}) | {key.rstrip("_").replace("_", "-"): v for key, v in attributes.items()}
    written = "".join(f' {key}="{escape(value)}"' for key, value in named.items())
    return f"<{name}{written}>" + ("" if name in ("input", "hr", "br") else f"{inside}</{name}>")


def say(name: str, text: str, cls: str = "", **attributes: str) -> str:
    """An element around plain text."""
    return tag(name, escape(text), cls, **attributes)
