"""What a question speaks of, found in a rendered page: by tag, role, class, look and place."""

from __future__ import annotations

import functools
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from interactive_envs.errors import MissingExtraError
from interactive_envs.ui2html.rendering.browser import Render
from interactive_envs.ui2html.rendering.colour import Colour
from interactive_envs.ui2html.rendering.tree import Box, Node

try:
    from PIL import Image
except ImportError as error:  # without it nothing of UI2Html can be asked or scored
    raise MissingExtraError("UI2Html", "ui") from error

BANDS = {"header": Box(0, 0, 1024, 48), "sidebar": Box(0, 120, 150, 480), "page": Box(0, 0, 1024, 768)}
"""Where a part lies in a picture of which there is no tree; the footer is the last 40 px."""
_TEXTUAL = frozenset(
    "text title name subtitle opening heading subheading cardtitle link navlink sidelink brand price total "
    "label copyright byline meta "
    "item quote code placeholder forgot month weekday amount faq active crumbs cell".split()
)
"""Roles whose colour is that of their text, and whose size is that of their font."""
_CONTROLS = ("input", "textarea", "select")
_NO_TEXT_KINDS = ("checkbox", "radio", "submit", "button", "reset", "hidden", "range", "color", "file", "image")
_MONEY = re.compile(r"(?:[$\u20ac\u00a3\u00a5]\s?\d|\d\s?[\u20ac$\u00a3]|\bfree\b)", re.I)
_HINTS = {
    "header": "header topbar masthead appbar siteheader banner",
    "nav": "nav navbar navigation menu links navlinks",
    "sidebar": "sidebar side aside sidenav drawer rail",
    "footer": "footer foot",
    "hero": "hero jumbotron intro splash",
    "card": "card tile panel box stat plan feature product item post entry",
    "stat": "stat stats metric kpi number",
    "plan": "plan tier price pricing",
    "feature": "feature benefit",
    "product": "related product item",
    "lane": "lane column col list",
    "entry": "entry event appointment",
    "day": "day cell date",
    "weekday": "weekday dow head dayname",
    "badge": "badge tag pill chip status ribbon label",
    "avatar": "avatar initials face portrait",
    "icon": "icon ico emoji dot",
    "crumbs": "crumbs breadcrumb breadcrumbs",
    "notice": "notice announcement alert promo strip banner",
    "warning": "warning danger alert caution",
    "quote": "quote testimonial testimonials review blockquote pullquote pulled",
    "price": "price amount cost",
    "total": "total sum grand totals",
    "amount": "amount",
    "chart": "chart graph bars",
    "bar": "bar",
    "calendar": "calendar month days cal",
    "legend": "legend key",
    "board": "board kanban lanes",
    "byline": "byline author meta",
    "meta": "meta date",
    "rating": "rating stars star",
    "stepper": "quantity qty stepper",
    "size": "size sizes option variant kind kinds",
    "tab": "tab tabs",
    "pagination": "pagination pager",
    "faq": "faq faqs questions accordion asked",
    "copyright": "copyright",
    "social": "social socials",
    "newsletter": "newsletter subscribe",
    "map": "map",
    "closing": "closing cta band bottom last",
    "gallery": "gallery grid tiles",
    "details": "details specs spec",
    "invoice": "invoice sheet bill paper",
    "month": "month",
    "marked": "today marked current",
    "filter": "filter filters",
    "cover": "cover",
    "person": "address contact details",
    "course": "course courses dish",
    "particulars": "meta particulars",
    "next": "next",
    "swatch": "tags skill interest",
    "note": "note remark box",
    "about": "about bio biography",
    "recent": "recent activity",
    "suggestion": "try suggestion",
    "figure": "number value figure",
    "forgot": "forgot lost",
    "timeline": "timeline",
    "progress": "progress meter",
    "code": "code number big error",
    "profile": "profile",
    "brand": "brand logo sitename wordmark",
    "mark": "mark logo",
    "search": "search",
    "toggle": "toggle switch slider",
    "divider": "divider separator rule hr",
    "subtitle": "lead subtitle tagline hint lede intro sub",
    "active": "active here current selected on chosen",
    "highlighted": "hot featured highlight highlighted popular recommended best",
    "thumbnail": "thumb thumbnail thumbs",
    "section": "section",
    "container": "wrap wrapper container",
    "form": "form",
    "button": "btn button cta call",
    "image": "image img picture photo art hero-image illustration media cover",
    "placeholder": "placeholder",
    "addbutton": "add new",
    "main": "main content",
}
"""Words of classes and ids that name a part."""


class View:
    """A render with what questions need of it."""

    def __init__(self, render: Render) -> None:
        self.render = render
        self.nodes: tuple[Node, ...] = render.tree
        self.width, self.height = float(render.width), float(render.height)
        self.children: list[list[int]] = [[] for _ in self.nodes]
        for index, node in enumerate(self.nodes):
            if node.parent >= 0:
                self.children[node.parent].append(index)
        self.shown = [node.visible.width >= 1 and node.visible.height >= 1 for node in self.nodes]
        self.names = [_class_words(node) for node in self.nodes]
        self._found: dict[str, tuple[int, ...]] = {}
        self._grounds: dict[int, Colour] = {}
        self._inside: dict[int, tuple[int, ...]] = {}
        self.accents: list[Colour | None] = []

    @functools.cached_property
    def picture(self) -> NDArray[np.uint8]:
        """Pixels, (height, width, 3)."""
        return _decoded(self.render.png)

    def inside(self, index: int) -> tuple[int, ...]:
        """An element and all below it, in the order of the document."""
        if index not in self._inside:
            found = [index]
            for child in self.children[index]:
                found += self.inside(child)
            self._inside[index] = tuple(found)
        return self._inside[index]

    def above(self, index: int) -> list[int]:
        """The ancestors, the nearest first."""
        found = []
        while (index := self.nodes[index].parent) >= 0:
            found.append(index)
        return found

    def text(self, index: int) -> str:
        """The text of an element and of all below it."""
        return " ".join(self.nodes[i].text for i in self.inside(index) if self.nodes[i].text)

    def texts(self, index: int) -> list[int]:
        """The elements with own visible text in it."""
        return [i for i in self.inside(index) if self.nodes[i].text and self.shown[i]]

    def dominant(self, box: Box) -> Colour:
        """The most frequent colour of a part of the picture."""
        left, top = max(0, int(box.x)), max(0, int(box.y))
        part = self.picture[top : max(top + 1, int(box.y + box.height)), left : max(left + 1, int(box.x + box.width))]
        flat = part.reshape(-1, 3)[:: max(1, part.shape[0] * part.shape[1] // 20000)]
        return usual(flat, counted(flat, 2)[0][0], 2) if len(flat) else Colour(255, 255, 255)

    @functools.cached_property
    def palette(self) -> list[tuple[Colour, int]]:
        """The colours of the picture in steps of 16, the most frequent first, with how often they occur."""
        return counted(self.picture.reshape(-1, 3)[::17], 4)

    def ground(self, index: int) -> Colour:
        """The colour behind an element's content."""
        if index not in self._grounds:
            node = self.nodes[index]
            below = self.ground(node.parent) if node.parent >= 0 else Colour(255, 255, 255)
            if node.background_image not in ("none", "") and self.shown[index]:
                below = self.dominant(node.visible)
            elif node.background.alpha > 0:
                below = _blend(node.background, below, node.opacity)
            self._grounds[index] = below
        return self._grounds[index]

    def own_ground(self, index: int) -> bool:
        """Whether an element's background differs from what surrounds it."""
        node = self.nodes[index]
        if node.background_image not in ("none", ""):
            return True
        parent = self.ground(node.parent) if node.parent >= 0 else Colour(255, 255, 255)
        return (
            node.background.alpha > 0
            and max(abs(a - b) for a, b in zip(self.ground(index)[:3], parent[:3], strict=True)) > 2
        )

    def edged(self, index: int) -> bool:
        """Whether an element has a visible border on all sides."""
        return sum(side.width > 0 and side.colour.alpha > 0 for side in self.nodes[index].borders) == 4

    def boxed(self, index: int) -> bool:
        """Whether an element is seen as a box: own background, border all round or shadow."""
        shadow = self.nodes[index].style.get("box-shadow", "none") != "none"
        return self.own_ground(index) or self.edged(index) or shadow

    def find(self, role: str) -> tuple[int, ...]:
        """The visible elements of a role, in the order of the document."""
        if role not in self._found:
            finder = FINDERS.get(role)
            found = finder(self) if finder is not None else self.hinted(role)
            self._found[role] = tuple(sorted({i for i in found if self.shown[i]}))
        return self._found[role]

    def hinted(self, role: str, words: str = "") -> list[int]:
        """The outermost visible elements with a class or id that names the role."""
        wanted = set((words or _HINTS.get(role, role)).split())
        found = [
            i for i, names in enumerate(self.names) if self.shown[i] and (names & wanted or _plural(names) & wanted)
        ]
        # A grid of cards is named in the plural and is no card.
        single = [i for i in found if self.names[i] & wanted]
        return self.outermost(single or found)

    def outermost(self, found: Iterable[int]) -> list[int]:
        """Those that lie in no other."""
        chosen = set(found)
        return [i for i in sorted(chosen) if not chosen & set(self.above(i))]

    def innermost(self, found: Iterable[int]) -> list[int]:
        """Those in which no other lies."""
        chosen = set(found)
        return [i for i in sorted(chosen) if not chosen & set(self.inside(i)[1:])]

    def tagged(self, *tags: str) -> list[int]:
        """The visible elements with one of these tags."""
        return [i for i, node in enumerate(self.nodes) if node.tag in tags and self.shown[i]]

    def roled(self, *roles: str) -> list[int]:
        """The visible elements with one of these ARIA roles."""
        return [i for i in range(len(self.nodes)) if self.shown[i] and self.attribute(i, "role") in roles]

    def attribute(self, index: int, name: str) -> str:
        """An attribute, empty where there is none."""
        return dict(self.nodes[index].attributes).get(name, "")

    def union(self, found: Sequence[int], text: bool = False) -> Box:
        """The box around elements, or around their texts."""
        boxes = [self.nodes[i].text_box if text and self.nodes[i].text_box.width else self.nodes[i].box for i in found]
        left, top = min(box.x for box in boxes), min(box.y for box in boxes)
        right, bottom = max(box.x + box.width for box in boxes), max(box.y + box.height for box in boxes)
        return Box(left, top, right - left, bottom - top)


@functools.lru_cache(maxsize=4)
def _decoded(png: bytes) -> NDArray[np.uint8]:
    # A target is asked about in every round.
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("RGB"))


def counted(pixels: NDArray[np.uint8], shift: int) -> list[tuple[Colour, int]]:
    """The colours of pixels without their last ``shift`` bits, the most frequent first."""
    kept = pixels.astype(np.int64) >> shift << shift
    codes, counts = np.unique(kept @ np.array([65536, 256, 1]), return_counts=True)
    order = np.argsort(-counts, kind="stable")
    return [
        (Colour(int(c) >> 16, int(c) >> 8 & 255, int(c) & 255), int(n))
        for c, n in zip(codes[order], counts[order], strict=True)
    ]


def usual(pixels: NDArray[np.uint8], colour: Colour, shift: int) -> Colour:
    """The most frequent exact colour of those that :func:`counted` takes for one."""
    near = pixels[(pixels >> shift << shift == np.array(colour[:3], dtype=np.uint8)).all(axis=1)]
    return counted(near, 0)[0][0]


def textual(role: str) -> bool:
    """Whether a role is text rather than a box."""
    return role in _TEXTUAL


def _class_words(node: Node) -> frozenset[str]:
    attributes = dict(node.attributes)
    text = f"{attributes.get('class', '')} {attributes.get('id', '')}"
    split = re.sub(r"([a-z])([A-Z])", r"\1 \2", text).lower()
    whole = {re.sub(r"[^a-z]", "", word.lower()) for word in text.split()}
    return frozenset(re.findall(r"[a-z]+", split)) | frozenset(filter(None, whole))


def _plural(names: Iterable[str]) -> set[str]:
    return {name[:-1] for name in names if name.endswith("s")}


def _blend(over: Colour, under: Colour, opacity: float) -> Colour:
    alpha = over.alpha * opacity
    return Colour(*(round(alpha * a + (1 - alpha) * b) for a, b in zip(over[:3], under[:3], strict=True)))


def _wide(view: View, index: int, share: float = 0.6) -> bool:
    return view.nodes[index].box.width >= share * view.width


def _header(view: View) -> list[int]:
    named = [i for i in view.tagged("header") + view.roled("banner") if view.nodes[i].box.y < 160]
    named += [i for i in view.hinted("header") if view.nodes[i].box.y < 160 and _wide(view, i)]
    named = [i for i in named if _wide(view, i, 0.5) and view.nodes[i].box.height < 0.5 * view.height]
    named = named or [i for i in view.tagged("nav") if view.nodes[i].box.y < 60 and _wide(view, i)]
    named = named or [i for i in view.hinted("nav", "navbar nav topnav") if view.nodes[i].box.y < 60 and _wide(view, i)]
    return view.outermost(named)[:1] or _top_band(view)


def _top_band(view: View) -> list[int]:
    """A wide low block at the top with a few short texts in it."""
    for index, node in enumerate(view.nodes):
        if node.tag in ("html", "body") or not view.shown[index] or not _wide(view, index, 0.8) or node.box.y > 40:
            continue
        texts = view.texts(index)
        short = all(len(view.nodes[i].text) < 40 and view.nodes[i].size < 32 for i in texts)
        if 24 <= node.box.height <= 130 and 2 <= len(texts) <= 12 and short:
            return [index]
    return []


def _nav(view: View) -> list[int]:
    feet = set(_within(view, view.find("footer")))
    found = [i for i in view.tagged("nav") + view.roled("navigation") if i not in feet and not _crumb(view, i)]
    found = found or [i for i in view.hinted("nav") if i not in feet and len(view.texts(i)) > 1]
    if not found:
        for header in view.find("header"):
            links = [i for i in view.inside(header) if view.nodes[i].tag == "a" and view.shown[i]]
            if len(links) > 1:
                common = [a for a in view.above(links[-1]) if links[-2] in view.inside(a)]
                found = common[:1]
    side = set(_within(view, view.find("sidebar")))
    return view.outermost([i for i in found if i not in side] or found)


def _crumb(view: View, index: int) -> bool:
    return bool(view.names[index] & {"crumbs", "breadcrumb", "breadcrumbs"}) or "breadcrumb" in " ".join(
        view.names[index]
    )


def _within(view: View, found: Iterable[int]) -> list[int]:
    return [i for index in found for i in view.inside(index)]


def _navlinks(view: View) -> list[int]:
    inside = _within(view, view.find("nav")) or _within(view, view.find("header"))
    brand = set(_within(view, view.find("brand")))
    links = [i for i in inside if view.nodes[i].tag == "a" and view.shown[i] and i not in brand and view.texts(i)]
    links = [i for i in links if i not in view.find("button")]
    if links:
        return view.outermost(links)
    return [
        i for i in inside if view.nodes[i].text and view.shown[i] and i not in brand and i not in view.find("button")
    ]


def _sidelinks(view: View) -> list[int]:
    inside = _within(view, view.find("sidebar"))
    links = view.outermost([i for i in inside if view.nodes[i].tag == "a" and view.shown[i]])
    links = links or [i for i in inside if view.nodes[i].tag == "li" and view.shown[i]]
    return links or [i for i in inside if view.nodes[i].text and view.shown[i]]


def _sidebar(view: View) -> list[int]:
    named = view.outermost([*view.tagged("aside"), *view.hinted("sidebar")])
    if not named:
        menus = [*view.tagged("nav"), *view.hinted("nav", "menu nav navigation")]
        named = view.outermost([i for i in menus if view.nodes[i].box.height > 2 * view.nodes[i].box.width / 3 > 60])
    return [i for i in named if view.nodes[i].box.width < 0.45 * view.width and view.nodes[i].box.height > 60]


def _footer(view: View) -> list[int]:
    named = [*view.tagged("footer"), *view.roled("contentinfo")] or view.hinted("footer")
    low = [i for i in named if view.nodes[i].box.y > 0.4 * view.height]
    return view.outermost(low)[-1:]


def _title(view: View) -> list[int]:
    named = view.tagged("h1")
    if named:
        return named[:1]
    brand = set(_within(view, view.find("header")))
    texts = [i for i in _all_texts(view) if len(view.nodes[i].text) > 3 and view.nodes[i].size >= 20 and i not in brand]
    texts = [i for i in texts if view.nodes[i].tag in ("h2", "h3") or view.nodes[i].size >= 24]
    return sorted(texts, key=lambda i: (-view.nodes[i].size, i))[:1]


def _all_texts(view: View) -> list[int]:
    return [i for i, node in enumerate(view.nodes) if node.text and view.shown[i]]


def _headings(view: View) -> list[int]:
    found = view.tagged("h1", "h2", "h3", "h4") + view.roled("heading")
    return found or view.find("title")  # type: ignore[return-value]


def _subheadings(view: View) -> list[int]:
    title = view.find("title")
    return [i for i in view.tagged("h2") if i not in title] or [i for i in view.tagged("h3") if i not in title]


def _subtitle(view: View) -> list[int]:
    """The text that follows the main heading."""
    for title in view.find("title"):
        box = view.nodes[title].box
        texts = [i for i in _all_texts(view) if i > view.inside(title)[-1]]
        for index in texts[:2]:
            own = view.nodes[index]
            plain = own.tag not in ("a", "button", "label", "h2", "h3", "th", "td", "b", "strong")
            near = own.text_box.y - (box.y + box.height) < 80 and abs(own.box.x - box.x) < 300
            if plain and near and len(own.text.split()) > 3:
                return [index]
    return [i for i in view.hinted("subtitle") if view.nodes[i].text][:1]


def _hero(view: View) -> list[int]:
    named = [i for i in view.hinted("hero") if view.nodes[i].box.height > 100 and _wide(view, i)]
    if named:
        return named[:1]
    for title in view.find("title"):
        section = [
            i for i in view.above(title)
            if view.nodes[i].tag in ("section", "div", "header")
            and _wide(view, i, 0.8)
            and view.nodes[i].box.height > 150
        ]  # fmt: skip
        section = [i for i in section if view.nodes[i].box.height < 0.6 * view.height and view.nodes[i].box.y < 250]
        content = [i for i in section if view.find("subtitle") and view.find("subtitle")[0] in view.inside(i)]
        pressed = set(view.find("button")) | set(view.find("image"))
        content = [i for i in content if pressed & set(view.inside(i)) and not view.find("field")]
        if content:
            return content[-1:]
    return []


def _main(view: View) -> list[int]:
    found = view.tagged("main") + view.roled("main")
    return found[:1] or [i for i in view.hinted("main") if view.nodes[i].box.height > 0.3 * view.height][:1]


def _sections(view: View) -> list[int]:
    found = view.outermost(view.tagged("section"))
    return found or list(view.hinted("section"))


def _groups(view: View) -> list[list[int]]:
    """Boxes of about the same size that are siblings."""
    groups = []
    for children in view.children:
        boxes = [i for i in children if view.shown[i] and _cardlike(view, i)]
        if len(boxes) > 1:
            groups.append(boxes)
    return groups


def _cardlike(view: View, index: int) -> bool:
    node = view.nodes[index]
    big = node.box.width >= 90 and node.box.height >= 50 and node.box.width < 0.97 * view.width
    if not big or node.tag in (
        "button",
        "svg",
        "img",
        "nav",
        "header",
        "footer",
        "td",
        "th",
        "tr",
        "aside",
        *_CONTROLS,
    ):
        return False
    link = node.tag == "a" and not view.children[index]
    return view.boxed(index) and not link and len(view.inside(index)) > 1


def _cards(view: View) -> list[int]:
    grouped = [i for group in _groups(view) for i in group]
    grouped = [i for i in grouped if not set(view.above(i)) & set(view.find("calendar"))]
    named = [i for i in view.hinted("card") if _cardlike(view, i)]
    found = grouped or named
    return view.innermost(found) if grouped else view.outermost(found)


def _form(view: View) -> list[int]:
    found = view.outermost(view.tagged("form"))
    if found:
        return found
    fields = view.find("field")
    if len(fields) < 2:
        return []
    return [next((a for a in view.above(fields[0]) if all(f in view.inside(a) for f in fields)), fields[0])]


def _fields(view: View) -> list[int]:
    found = []
    for index in view.tagged(*_CONTROLS):
        kind = view.attribute(index, "type") or "text"
        if view.nodes[index].tag != "input" or kind not in _NO_TEXT_KINDS:
            found.append(index)
    search = set(_search_fields(view))
    return [i for i in found if i not in search] or found


def _search_fields(view: View) -> list[int]:
    found = []
    for index in view.tagged("input"):
        said = f"{view.attribute(index, 'placeholder')} {view.attribute(index, 'class')} {view.attribute(index, 'id')}"
        if view.attribute(index, "type") == "search" or re.search(r"search|find|look up|what for", said, re.I):
            found.append(index)
    return found or [i for i in view.hinted("search") if view.nodes[i].box.height < 80]


def _typed(*kinds: str) -> Callable[[View], list[int]]:
    def find(view: View) -> list[int]:
        return [i for i in view.tagged("input") if view.attribute(i, "type") in kinds]

    return find


def _checkbox(view: View) -> list[int]:
    return _typed("checkbox")(view) or view.hinted("checkbox", "check checkbox tick")


def _buttons(view: View) -> list[int]:
    found = view.tagged("button") + view.roled("button")
    found += [i for i in view.tagged("input") if view.attribute(i, "type") in ("submit", "button", "reset")]
    for index in [*view.tagged("a"), *view.hinted("button")]:
        node = view.nodes[index]
        small = 18 <= node.box.height <= 80 and node.box.width <= 0.97 * view.width and len(view.text(index)) <= 40
        padded = node.box.width - node.text_box.width >= 12 and node.text_box.height > 0
        side = set(view.above(index)) & (set(view.tagged("aside", "nav")))
        filled = view.own_ground(index) or view.edged(index)
        if (
            small
            and node.text
            and filled
            and padded
            and not (side and not view.names[index] & {"btn", "button", "cta"})
        ):
            found.append(index)
    return view.outermost(
        [i for i in found if not view.names[i] & {"toggle", "switch"} and view.nodes[i].box.width > 20]
    )


def _main_button(view: View) -> list[int]:
    """The most coloured of the buttons in the content."""
    head = set(_within(view, view.find("header")))
    buttons = [i for i in view.find("button") if i not in head] or list(view.find("button"))
    filled = [i for i in buttons if view.own_ground(i)] or buttons
    return sorted(filled, key=lambda i: (-_chroma(view.ground(i)), i))[:1]


def _chroma(colour: Colour) -> int:
    return (max(colour[:3]) - min(colour[:3])) // 16


def _second_button(view: View) -> list[int]:
    first = view.find("submit")
    return [i for i in view.find("button") if i not in first][:1]


def _links(view: View) -> list[int]:
    buttons = set(view.find("button"))
    return [i for i in view.outermost(view.tagged("a")) if i not in buttons and view.texts(i)]


def _brand(view: View) -> list[int]:
    head = _within(view, view.find("header"))
    named = [i for i in view.hinted("brand") if view.texts(i)]
    named = [i for i in named if i in head] or [i for i in named if view.nodes[i].box.y < 200]
    if named:
        return named[:1]
    nav = set(_within(view, [i for i in view.find("nav") if i not in view.find("header")]))
    return [i for i in head if view.nodes[i].text and view.shown[i] and i not in nav][:1]


def _mark(view: View) -> list[int]:
    inside = [i for b in view.find("brand") for i in view.inside(b)]
    around = [i for b in view.find("brand") for i in view.children[view.nodes[b].parent] if view.nodes[b].parent >= 0]
    return [i for i in (*inside, *around) if not view.texts(i) and view.nodes[i].box.width <= 60][:1]


def _images(view: View) -> list[int]:
    found = [i for i in view.tagged("img", "svg", "picture", "canvas", "video") if view.nodes[i].box.width > 44]
    hinted = [i for i in view.hinted("image") if not view.text(i).strip() or len(view.text(i)) < 30]
    for index in hinted:
        box = view.nodes[index].box
        if box.width > 60 and box.height > 50 and view.own_ground(index):
            found.append(index)
    bars = set(_within(view, view.find("chart")))
    empty = [i for i, node in enumerate(view.nodes) if i not in bars and _blank_box(view, i, node)]
    return view.outermost([*found, *empty])


def _blank_box(view: View, index: int, node: Node) -> bool:
    """A box that stands for a picture: coloured, with nothing or a word or two in it."""
    if node.tag in ("html", "body", "header", "footer", "button", "hr", "td", "th", "tr", "section", *_CONTROLS):
        return False
    if node.box.width < 90 or node.box.height < 70 or not view.shown[index] or not view.own_ground(index):
        return False
    return len(view.inside(index)) <= 2 and len(view.text(index)) < 30 and node.box.width < 0.99 * view.width


def _icons(view: View) -> list[int]:
    small = [
        i for i in view.tagged("img", "svg", "i") if 8 <= view.nodes[i].box.width <= 64 and not view.text(i).strip()
    ]
    named = [i for i in view.hinted("icon") if view.nodes[i].box.width <= 80 and view.nodes[i].box.height <= 80]
    bars = set(_within(view, view.find("chart")))
    glyphs = [i for i in _all_texts(view) if len(view.nodes[i].text) <= 2 and ord(view.nodes[i].text[0]) > 0x2190]
    return view.outermost([i for i in (*small, *named, *glyphs) if i not in bars])


def _avatars(view: View) -> list[int]:
    named = [i for i in view.hinted("avatar") if view.nodes[i].box.width <= 160]
    if named:
        return view.innermost(named)
    found = []
    for index, node in enumerate(view.nodes):
        square = abs(node.box.width - node.box.height) <= 3 and 24 <= node.box.width <= 130
        round_ = square and node.radius[0] >= 0.45 * node.box.width
        filled = node.tag == "img" or (view.own_ground(index) and 1 <= len(view.text(index)) <= 3)
        if round_ and filled and view.shown[index]:
            found.append(index)
    return found


def _thumbnails(view: View) -> list[int]:
    return view.hinted("thumbnail") or [i for i in view.find("image") if 40 <= view.nodes[i].box.width <= 140]


def _rows(view: View) -> list[int]:
    rows = [i for i in view.tagged("tr") if any(view.nodes[j].tag == "td" for j in view.children[i])]
    return rows or [i for i in view.hinted("row", "row line") if len(view.texts(i)) > 1]


def _table_head(view: View) -> list[int]:
    return (
        view.tagged("thead")[:1]
        or [i for i in view.tagged("tr") if any(view.nodes[j].tag == "th" for j in view.children[i])][:1]
    )


def _table_columns(view: View) -> list[int]:
    rows = [[j for j in view.children[i] if view.nodes[j].tag in ("td", "th")] for i in view.tagged("tr")]
    return max(rows, key=len, default=[])


def _items(view: View) -> list[int]:
    nav = set(_within(view, (*view.find("nav"), *view.find("footer"))))
    return [i for i in view.tagged("li") if i not in nav]


def _labels(view: View) -> list[int]:
    return view.tagged("label") or view.hinted("label", "label")


def _badges(view: View) -> list[int]:
    buttons = set(_within(view, view.find("button"))) | set(_within(view, view.find("nav")))
    found = []
    for index in _all_texts(view):
        node = view.nodes[index]
        small = node.box.height <= 34 and node.box.width <= 200 and node.box.width - node.text_box.width <= 40
        named = view.names[index] & set(_HINTS["badge"].split())
        looks = view.own_ground(index) or (named and view.boxed(index))
        plain = node.tag not in ("td", "th", "label", "input", "h1", "h2", "h3", "button", "a")
        if small and index not in buttons and looks and (plain or named):
            found.append(index)
    avatars = set(view.find("avatar"))
    return [i for i in found if i not in avatars]


def _dividers(view: View) -> list[int]:
    thin = [
        i for i, node in enumerate(view.nodes)
        if view.shown[i] and node.box.height <= 4 and node.box.width >= 60 and not node.text
        and (view.own_ground(i) or any(side.width for side in node.borders))
    ]  # fmt: skip
    return view.tagged("hr") + thin


def _text_of(pattern: re.Pattern[str], longest: int) -> Callable[[View], list[int]]:
    def find(view: View) -> list[int]:
        return [
            i for i in _all_texts(view) if pattern.search(view.nodes[i].text) and len(view.nodes[i].text) <= longest
        ]

    return find


def _prices(view: View) -> list[int]:
    named = [
        i
        for i in view.hinted("price", "price cost")
        if re.search(r"\d|free", view.text(i), re.I) and len(view.text(i)) < 30
    ]
    return named or _text_of(_MONEY, 16)(view)


def _placeholders(view: View) -> list[int]:
    return [i for i in view.find("field") if view.attribute(i, "placeholder")]


def _notices(view: View) -> list[int]:
    found = [
        i for i in view.hinted("notice") if view.nodes[i].box.height <= 110 and _wide(view, i, 0.4) and view.text(i)
    ]
    if found:
        return found
    head = set(_within(view, view.find("header"))) | set(_within(view, view.find("footer")))
    for index, node in enumerate(view.nodes):
        strip = 18 <= node.box.height <= 70 and _wide(view, index, 0.8) and node.box.y < 260
        if strip and node.text and len(view.children[index]) == 0 and view.own_ground(index) and index not in head:
            return [index]
    return []


def _quotes(view: View) -> list[int]:
    return view.outermost(view.tagged("blockquote", "q")) or view.hinted("quote")


def _charts(view: View) -> list[int]:
    return view.hinted("chart")[:1]


def _bars(view: View) -> list[int]:
    charts = set(_within(view, view.find("chart")))
    return [
        i for i in charts
        if view.shown[i] and not view.texts(i) and view.own_ground(i)
        and not view.children[i] and view.nodes[i].box.width > 4
    ]  # fmt: skip


def _calendar(view: View) -> list[int]:
    named = [i for i in view.hinted("calendar") if view.nodes[i].box.height > 150]
    if named:
        return view.innermost(named)[:1]
    for index in view.tagged("table", "div", "ul"):
        numbers = {view.nodes[i].text.strip() for i in view.texts(index)}
        if {str(day) for day in range(1, 29)} <= numbers and len(view.inside(index)) < 300:
            return view.innermost(
                [i for i in view.tagged("table", "div", "ul") if i in view.inside(index) and len(view.texts(i)) >= 28]
            )[:1]
    return []


def _lists(view: View) -> list[int]:
    nav = set(_within(view, (*view.find("nav"), *view.find("footer"))))
    return [i for i in view.tagged("ul", "ol") if i not in nav]


def _copyright(view: View) -> list[int]:
    return _text_of(re.compile(r"\u00a9|copyright|\(c\)", re.I), 120)(view)


def _rating(view: View) -> list[int]:
    return view.hinted("rating") or _text_of(re.compile(r"[\u2605\u2606]"), 60)(view)


def _crumbs(view: View) -> list[int]:
    named = view.hinted("crumbs")
    trail = re.compile(r"^[\w &]+(\s*[/\u203a\u00bb>]\s*[\w &]+)+$")
    return named or [i for i in _all_texts(view) if trail.match(view.nodes[i].text) and view.nodes[i].box.y < 250][:1]


def _code(view: View) -> list[int]:
    return (
        _text_of(re.compile(r"^\s*(?:404|410|500|4\s?0\s?4)\s*$"), 5)(view) or _text_of(re.compile("404"), 30)(view)[:1]
    )


def _total(view: View) -> list[int]:
    rows = [i for i in view.hinted("total", "total grand") if view.text(i)]
    named = [i for i in _all_texts(view) if re.match(r"(?:grand )?total", view.nodes[i].text, re.I)]
    around = [view.nodes[i].parent for i in named]
    return rows or [p if p >= 0 and 1 < len(view.texts(p)) <= 4 else i for i, p in zip(named, around, strict=True)]


def _closing(view: View) -> list[int]:
    return [
        i
        for i in view.hinted("closing")
        if _wide(view, i) and 60 < view.nodes[i].box.height < 400 and view.nodes[i].box.y > 250
    ][-1:]


def _marked(view: View) -> list[int]:
    inside = set(_within(view, view.find("calendar")))
    return [i for i in view.hinted("marked") if i in inside]


def _active(view: View) -> list[int]:
    links = set(view.find("navlink")) | set(view.find("sidelink"))
    wanted = set(_HINTS["active"].split()) | {"other"}
    return [i for i in links if view.names[i] & wanted]


def _weekdays(view: View) -> list[int]:
    return _text_of(re.compile(r"^(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*$", re.I), 10)(view)


def _days(view: View) -> list[int]:
    inside = set(_within(view, view.find("calendar")))
    named = [i for i in view.tagged("td") if i in inside]
    return named or [i for i in view.hinted("day") if i in inside]


def _month(view: View) -> list[int]:
    months = "january february march april may june july august september october november december"
    return _text_of(re.compile(rf"^(?:{months.replace(' ', '|')})\s+\d{{4}}$", re.I), 20)(view)


def _forgot(view: View) -> list[int]:
    return _text_of(re.compile(r"forg[oe]t|lost|reset|key\?", re.I), 40)(view)


def _navbar(view: View) -> list[int]:
    nav = list(view.find("nav"))
    head = view.find("header")
    return list(head) if nav and any(nav[0] in view.inside(h) for h in head) else nav


def _page(view: View) -> list[int]:
    return view.tagged("body")[:1] or [0] if view.nodes else []


def _textareas(view: View) -> list[int]:
    return view.tagged("textarea")


def _toggles(view: View) -> list[int]:
    named = [i for i in view.hinted("toggle") if view.nodes[i].box.width <= 80] + view.roled("switch")
    return named or [i for i in range(len(view.nodes)) if view.shown[i] and _pill(view, i)]


def _pill(view: View, index: int) -> bool:
    """A small fully rounded box with nothing but a round knob in it."""
    box, knobs = view.nodes[index].box, [i for i in view.inside(index)[1:] if view.shown[i]]
    small = 26 <= box.width <= 66 and 13 <= box.height <= 36 and box.width >= 1.4 * box.height
    return small and len(knobs) == 1 and not view.texts(index) and _rounded(view, index) and _knob(view, knobs[0], box)


def _knob(view: View, index: int, pill: Box) -> bool:
    box = view.nodes[index].box
    square = abs(box.width - box.height) <= 2 and 0.4 * pill.height <= box.height <= pill.height
    return square and _rounded(view, index)


def _rounded(view: View, index: int) -> bool:
    node = view.nodes[index]
    return max(node.radius) >= 0.42 * min(node.box.width, node.box.height)


def _stats(view: View) -> list[int]:
    named = [i for i in view.hinted("stat") if _cardlike(view, i)]
    return named or [i for i in view.find("card") if re.search(r"\d", view.text(i))]


def _plans(view: View) -> list[int]:
    named = [i for i in view.hinted("plan", "plan tier") if _cardlike(view, i)]
    return named or [i for i in view.find("card") if _MONEY.search(view.text(i))]


def _features(view: View) -> list[int]:
    return [i for i, names in enumerate(view.names) if "feature" in names and view.shown[i]] or list(view.find("card"))


def _products(view: View) -> list[int]:
    return [i for i in view.hinted("product", "related product item") if _cardlike(view, i)] or list(view.find("card"))


def _lanes(view: View) -> list[int]:
    named = [i for i in view.hinted("lane", "lane column col list") if view.nodes[i].box.height > 100]
    narrow = [i for i in named if view.nodes[i].box.width < 0.6 * view.width]
    return narrow or _beside(view)


def _beside(view: View) -> list[int]:
    """The large blocks that stand beside each other, as high in the document as there are any."""
    skipped = set(_within(view, (*view.find("header"), *view.find("footer"), *view.find("card"), *view.find("table"))))
    for index, children in enumerate(view.children):
        if index in skipped or view.nodes[index].box.width < 0.5 * view.width:
            continue
        large = [
            i for i in children
            if view.shown[i] and view.nodes[i].box.height > 150 and 0.12 < view.nodes[i].box.width / view.width < 0.85
        ]  # fmt: skip
        if len(large) > 1:
            return large
    return []


def _members_of(role: str) -> Callable[[View], list[int]]:
    """The parts that a class names, or those of the one list that it names."""

    def find(view: View) -> list[int]:
        found = view.hinted(role)
        while len(found) == 1 and view.children[found[0]] and not view.nodes[found[0]].text:
            found = [i for i in view.children[found[0]] if view.shown[i]]
        return found

    return find


def _persons(view: View) -> list[int]:
    found = view.tagged("address") or view.hinted("person")
    return found or [i for i in view.find("sidebar") if re.search(r"\d", view.text(i))]


def _card_titles(view: View) -> list[int]:
    inside = _within(view, view.find("card"))
    title = view.find("title")
    found = [i for i in inside if view.nodes[i].tag in ("h2", "h3", "h4", "h5") and view.shown[i] and i not in title]
    return (
        found
        or [i for i in view.tagged("h3", "h4") if i not in title]
        or [i for i in view.tagged("h2") if i not in title]
    )


def _highlighted(view: View) -> list[int]:
    cards = set(view.find("card")) | set(view.find("plan"))
    named = [i for i in view.hinted("highlighted") if i in cards or _cardlike(view, i)]
    if named:
        return named[:1]
    grounds = Counter(view.ground(i) for i in cards)
    return [i for i in cards if len(cards) > 2 and grounds[view.ground(i)] == 1][:1]


def _containers(view: View) -> list[int]:
    return view.hinted("container") or _main(view)


def _article(view: View) -> list[int]:
    return view.tagged("article")[:1] or view.hinted("article", "article post story")[:1] or _main(view)


def _opening(view: View) -> list[int]:
    """The first long text below the main heading."""
    skipped = set(_within(view, (*view.find("header"), *view.find("sidebar"), *view.find("footer"))))
    after = max((view.inside(i)[-1] for i in view.find("title")), default=-1)
    found = [i for i in _all_texts(view) if i > after and i not in skipped and len(view.nodes[i].text) > 60]
    return [i for i in found if view.nodes[i].tag in ("p", "div", "span")][:1]


def _questions(view: View) -> list[int]:
    inside = _within(view, view.find("faq"))
    asked = [i for i in inside if view.nodes[i].tag in ("h3", "h4", "dt", "summary", "strong", "b") and view.shown[i]]
    return asked or [i for i in inside if view.nodes[i].text.endswith("?")]


FINDERS: dict[str, Callable[[View], Sequence[int]]] = {
    "page": _page,
    "header": _header,
    "navbar": _navbar,
    "nav": _nav,
    "navlink": _navlinks,
    "sidelink": _sidelinks,
    "hero": _hero,
    "sidebar": _sidebar,
    "footer": _footer,
    "main": _main,
    "section": _sections,
    "card": _cards,
    "stat": _stats,
    "plan": _plans,
    "feature": _features,
    "product": _products,
    "lane": _lanes,
    "button": _buttons,
    "submit": _main_button,
    "secondbutton": _second_button,
    "title": _title,
    "subtitle": _subtitle,
    "heading": _headings,
    "subheading": _subheadings,
    "cardtitle": _card_titles,
    "text": _all_texts,
    "link": _links,
    "brand": _brand,
    "mark": _mark,
    "image": _images,
    "icon": _icons,
    "avatar": _avatars,
    "thumbnail": _thumbnails,
    "table": lambda view: view.tagged("table"),
    "tablerow": _rows,
    "tablehead": _table_head,
    "tablecolumn": _table_columns,
    "cell": lambda view: view.tagged("td"),
    "list": _lists,
    "item": _items,
    "form": _form,
    "field": _fields,
    "textarea": _textareas,
    "select": lambda view: view.tagged("select"),
    "search": _search_fields,
    "checkbox": _checkbox,
    "radio": _typed("radio"),
    "label": _labels,
    "placeholder": _placeholders,
    "toggle": _toggles,
    "badge": _badges,
    "divider": _dividers,
    "crumbs": _crumbs,
    "notice": _notices,
    "quote": _quotes,
    "price": _prices,
    "total": _total,
    "chart": _charts,
    "bar": _bars,
    "calendar": _calendar,
    "weekday": _weekdays,
    "day": _days,
    "month": _month,
    "copyright": _copyright,
    "rating": _rating,
    "code": _code,
    "closing": _closing,
    "marked": _marked,
    "active": _active,
    "forgot": _forgot,
    "highlighted": _highlighted,
    "article": _article,
    "name": _title,
    "question": _questions,
    "opening": _opening,
    "person": _persons,
    "filter": _members_of("filter"),
    "size": _members_of("size"),
    "course": _members_of("course"),
    "swatch": _members_of("swatch"),
    "suggestion": _members_of("suggestion"),
    "container": _containers,
}
