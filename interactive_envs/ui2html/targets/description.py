"""A request for a page that nobody described: what its tree and its picture show, in a few sentences."""

from __future__ import annotations

import io
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from html.parser import HTMLParser

from interactive_envs.errors import MissingExtraError
from interactive_envs.ui2html.judge.look.colours import DARK, LIGHT, lab
from interactive_envs.ui2html.rendering.browser import WIDTH, Render
from interactive_envs.ui2html.rendering.colour import Colour
from interactive_envs.ui2html.rendering.tree import Node
from interactive_envs.ui2html.targets.styles import colour_name

LONGEST_HEADING = 60
"""Characters of a page's heading that a request quotes."""
SMALLEST_PICTURE = 48
"""Pixels of both sides of a picture or drawing that a request names; smaller ones are icons."""
WIDEST_SIDEBAR = 0.5 * WIDTH
"""Pixels that an ``<aside>`` may be wide to stand at a side of something."""

_PARTS = {
    "header": "a header",
    "nav": "a navigation bar",
    "aside": "a sidebar",
    "form": "a form",
    "table": "a table",
    "img": "a picture",
    "svg": "a drawing",
    "ul": "a list",
    "ol": "a list",
    "dl": "a list",
    "blockquote": "a quotation",
    "footer": "a footer",
}
"""Kinds of parts by tag, in the words of a request."""
_ROLES = {"banner": "header", "navigation": "nav", "complementary": "aside", "form": "form", "contentinfo": "footer"}
_COUNTED = {"button": "button", "input": "input field", "textarea": "input field", "img": "picture", "h2": "heading"}
"""What a request may count, by tag: one such thing in the words of a request."""
_LAID_OUT = frozenset(["table", "form", "nav", "header", "footer", "main", "section", "h1", "h2", "h3", "ul", "ol"])
"""What a table that holds it only arranges."""
_FAMILIES = {"monospace": "monospaced", "sans-serif": "sans-serif", "system-ui": "sans-serif", "serif": "serif"}
_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()


def of_page(html: str, page: Render, omission: int) -> str:
    """The request for a page: its heading, its parts, and as much of the rest as the level tells.

    Args:
        html: the page.
        page: how it is drawn.
        omission: 1 names the main parts, some counts and the overall look; 2 the main parts and whether it is dark,
            light or of a colour between; 3 two parts.
    """
    shown = [node for node in page.tree if _is_shown(node)]
    heading = _heading(html, shown)
    sentences = [f"I need a web page headed \u201c{heading}\u201d." if heading else "I need a web page."]
    parts = _parts(shown)
    if omission == 3:
        # The frame of every page goes without saying.
        parts = [part for part in parts if part not in ("a header", "a footer")]
    parts = parts[: {1: 7, 2: 5, 3: 2}[omission]]
    if parts:
        sentences.append(f"It should have {_listed(parts)}.")
    colours = _colours(page)
    if omission == 2:
        sentences.append(f"The overall look is {_shade(_ground(colours))}.")
    if omission == 1:
        family = _family(shown)
        face = f" with a {family} typeface" if family else ""
        sentences.append(f"The page is {_name(_ground(colours))}{face}.")
        counts = _counts(shown)
        if counts:
            sentences.append(f"There {'is' if counts[0].startswith('one ') else 'are'} {_listed(counts)}.")
    return " ".join(sentences)


def of_picture(picture: Render, omission: int) -> str:
    """The request for a screenshot: its size, at level 2 whether it is dark or light, at level 1 also its colours."""
    colours = _colours(picture)
    sentences = ["I have a screenshot of a web page and need it as HTML."]
    sentences.append(f"It is {picture.width} pixels wide and {picture.height} tall.")
    if omission <= 2:
        sentences.append(f"The overall look is {_shade(_ground(colours))}.")
    if omission == 1:
        names: Counter[str] = Counter()
        for colour, count in colours.items():
            names[_name(colour)] += count
        sentences.append(f"Most of it is {_listed([name for name, _ in names.most_common(3)])}.")
    return " ".join(sentences)


def _is_shown(node: Node) -> bool:
    least = SMALLEST_PICTURE if node.tag in ("img", "svg") else 1
    return min(node.visible.width, node.visible.height) >= least


def _heading(html: str, shown: Sequence[Node]) -> str:
    """The text of the first main heading, else of the largest letters; '' where there is no text."""
    texts = [node for node in shown if node.text]
    if not texts:
        return ""
    first = next((place for place, node in enumerate(shown) if node.tag == "h1"), None)
    text = _in_order(_text_within(shown, first), html) if first is not None else ""
    text = text or max(texts, key=lambda node: node.size).text
    if len(text) <= LONGEST_HEADING:
        return text
    return text[:LONGEST_HEADING].rsplit(" ", 1)[0] + " \u2026"


def _text_within(shown: Sequence[Node], place: int) -> str:
    """The texts of the node at a place and of those below it."""
    return " ".join(node.text for node in (shown[place], *_below(shown, place)) if node.text)


def _below(shown: Sequence[Node], place: int) -> list[Node]:
    depth = shown[place].depth
    return list(itertools.takewhile(lambda node: node.depth > depth, itertools.islice(shown, place + 1, None)))


def _in_order(text: str, html: str) -> str:
    """The words of a heading in the order of the page: the tree has those of ``<em>`` and the like after the others."""
    words = sorted(text.casefold().split())
    reader = _Headings()
    reader.feed(html)
    return next((one for one in reader.texts if sorted(one.casefold().split()) == words), text)


class _Headings(HTMLParser):
    """Collects the texts of the main headings."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "h1":
            self.texts.append("")
            self._open = True

    def handle_endtag(self, tag: str) -> None:
        self._open = self._open and tag != "h1"

    def handle_data(self, data: str) -> None:
        if self._open:
            self.texts[-1] = " ".join(f"{self.texts[-1]} {data}".split())


def _parts(shown: Sequence[Node]) -> list[str]:
    """Kinds of parts in the order of the page, each once; lists inside a navigation bar or a footer are no parts."""
    found: dict[str, None] = {}
    inside = None
    for place, node in enumerate(shown):
        if inside is not None and node.depth > inside:
            continue
        inside = None
        tag = _ROLES.get(dict(node.attributes).get("role", ""), node.tag)
        if tag in ("nav", "footer"):
            inside = node.depth
        arranges = (tag == "aside" and node.visible.width > WIDEST_SIDEBAR) or (
            tag == "table" and not _holds_data(node, _below(shown, place))
        )
        if tag in _PARTS and not arranges:
            found[_PARTS[tag]] = None
    return list(found)


def _holds_data(table: Node, below: Sequence[Node]) -> bool:
    """Whether a table has headings of its own, or else at least two rows and columns that arrange nothing."""
    if dict(table.attributes).get("role") in ("presentation", "none"):
        return False
    tags = Counter(node.tag for node in below)
    if _LAID_OUT.intersection(tags):
        return False
    return bool(tags["th"] or tags["caption"]) or (tags["tr"] > 1 and tags["td"] >= 2 * tags["tr"])


def _counts(shown: Sequence[Node]) -> list[str]:
    """The two most frequent of the things that a request counts."""
    things = Counter(_COUNTED[node.tag] for node in shown if node.tag in _COUNTED)
    return [_counted(thing, count) for thing, count in things.most_common(2)]


def _counted(thing: str, count: int) -> str:
    number = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    return f"{number} {thing}{'' if count == 1 else 's'}"


def _family(shown: Sequence[Node]) -> str:
    """The kind of typeface that most letters have, '' where the page names none."""
    letters: Counter[str] = Counter()
    for node in shown:
        if node.text:
            letters[next(_families(node.font), "")] += len(node.text)
    return letters.most_common(1)[0][0] if letters else ""


def _families(font: str) -> Iterator[str]:
    for name in font.lower().split(","):
        if name.strip() in _FAMILIES:
            yield _FAMILIES[name.strip()]


def _colours(picture: Render) -> Counter[tuple[int, int, int]]:
    """The picture's colours with how much of it they cover; on white where it is transparent."""
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingExtraError("looking at a picture", "ui") from error
    with Image.open(io.BytesIO(picture.png), formats=["PNG"]) as image:
        small = image.convert("RGBA").resize((128, 128), Image.Resampling.NEAREST)
    pixels = Image.alpha_composite(Image.new("RGBA", small.size, "white"), small).convert("RGB").tobytes()
    return Counter(zip(pixels[::3], pixels[1::3], pixels[2::3], strict=True))


def _ground(colours: Counter[tuple[int, int, int]]) -> tuple[int, int, int]:
    """The colour that covers most."""
    return colours.most_common(1)[0][0]


def _shade(colour: tuple[int, int, int]) -> str:
    """``dark`` or ``light`` as the offline judge has it, else the colour's name: full colours are neither."""
    light = lab(Colour(*colour))[0]
    return "dark" if light < DARK else "light" if light > LIGHT else _name(colour)


def _name(colour: tuple[int, int, int]) -> str:
    return colour_name("#" + bytes(colour).hex())


def _listed(items: Sequence[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
