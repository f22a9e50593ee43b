"""A page drafted from a few choices: what a designer decides before the details, and the HTML that follows from it."""

from __future__ import annotations

import colorsys
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape

PARTS = (
    ("notice", ("notice", "announcement")),
    ("hero", ("hero", "jumbotron", "intro section")),
    ("numbers", ("number card", "statistic", "stat card", "metric", "kpi")),
    ("plans", ("plan", "tier", "price card", "pricing card")),
    ("features", ("feature", "grid of cards")),
    ("quotes", ("quote", "quotation", "testimonial")),
    ("questions", ("question", "faq")),
    ("closing", ("closing band", "call to action")),
    ("chart", ("chart", "graph")),
    ("side", ("side menu", "side column", "sidebar", "side panel", "list of sections", "side navigation")),
    ("switches", ("switch", "toggle")),
    ("avatars", ("avatar",)),
    ("board", ("columns of cards", "board")),
    ("calendar", ("calendar", "month grid")),
    ("key", ("a key", "legend")),
    ("particulars", ("particulars",)),
    ("sizes", ("sizes",)),
    ("details", ("table of details", "specification")),
    ("table", ("table",)),
    ("sum", ("a sum", "total")),
    ("related", ("related",)),
    ("form", ("form", "sign-in", "login", "contact page", "input field")),
    ("gallery", ("gallery", "grid of pictures")),
    ("picture", ("picture", "image", "photo", "illustration", "drawing")),
    ("article", ("article", "text column")),
    ("list", (r"a list(?=[.,]| and\b)",)),
    ("note", ("a note", "a line below")),
)
"""What requests name, and the words by which they do, as patterns; in the order in which such parts mostly stand."""

WIDTH = 928
"""Pixels of the content."""


@dataclass
class Draft:
    """The choices; :meth:`html` makes the page.

    Attributes:
        topic: what the page is about, of the request's own words.
        kind: what kind of page it is, of the request's own words.
        parts: keys of ``PARTS``, from the top down.
        ground: the page's background as hue, lightness and saturation, each 0 to 1.
        accent: the colour of buttons, in the same form.
        family: generic family of the text.
        titles: generic family of the headings.
        heading: font size of the main heading in px.
        align: of the headings.
        count: of cards, rows, fields and so on, by part.
        square: whether corners are square.
        border: width of the cards' border in px.
        shadow: whether cards have a shadow.
        top: space over the first part in px.
        has: small things that its parts have.
        small: font size of small text in px.
        padding: of cards in px.
        stacked: whether the brand stands over the navigation, both centred.
        bold: whether headings are bold.
        base: font size of the text in px.
        links: in the navigation.
        search: whether the header has a search field.
        title: the main heading in the request's own words; '' for one of an ordinary kind.
        name: of the site, in the request's own words; '' for one made of the topic.
        labels: of buttons, in the request's own words.
        menu: the first links of the navigation, in the request's own words.
        texts: other texts that the request quotes.
        side: of a side column, ``left`` or ``right``.
    """

    topic: str
    kind: str
    parts: list[str]
    ground: tuple[float, float, float] = (0.6, 0.965, 0.2)
    accent: tuple[float, float, float] = (0.61, 0.5, 0.65)
    family: str = "sans-serif"
    titles: str = "sans-serif"
    heading: int = 38
    bold: bool = True
    base: int = 15
    align: str = "left"
    count: dict[str, int] = field(default_factory=dict)
    square: bool = False
    border: int = 1
    shadow: bool = False
    top: int = 40
    has: set[str] = field(default_factory=set)
    small: int = 13
    padding: int = 20
    stacked: bool = False
    links: int = 4
    search: bool = False
    title: str = ""
    name: str = ""
    labels: list[str] = field(default_factory=list)
    menu: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    side: str = "left"

    @property
    def dark(self) -> bool:
        """Whether the page is so dark that its text is light."""
        hue, light, full = self.ground
        red, green, blue = colorsys.hls_to_rgb(hue, light, full)
        return 0.299 * red + 0.587 * green + 0.114 * blue < 0.5

    @property
    def radius(self) -> int:
        """Of cards, in px."""
        return 0 if self.square else 10

    def number(self, part: str, ordinary: int) -> int:
        """How many of something there are."""
        return self.count.get(part, ordinary)

    def html(self) -> str:
        """The whole document."""
        top, main, beside = [], [], ""
        for part in self.parts:
            block = _BLOCKS[part](self)
            if part == "side":
                beside = block
            elif part == "notice":
                top.append(block)
            else:
                main.append(block)
        inner = self._in_own_words(main)
        if beside:
            order = (beside, f"<div>{inner}</div>") if self.side == "left" else (f"<div>{inner}</div>", beside)
            inner = f'<div class="beside {self.side}">{"".join(order)}</div>'
        crumbs = '<p class="small">Home / Pages / This page</p>' if "crumbs" in self.has else ""
        foot = f'<footer><div class="wrap">© {escape(self.brand)}</div></footer>'
        return (
            f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{escape(self.brand)}</title>\n'
            f"<style>\n{self._css()}\n</style>\n</head>\n<body>\n{_header(self)}\n{''.join(top)}\n"
            f'<main class="wrap">\n{crumbs}{inner}\n</main>\n{foot}\n</body>\n</html>\n'
        )

    @property
    def brand(self) -> str:
        """A name: the request's, or one made of the topic or of a short heading."""
        short = self.title if len(self.title.split()) <= 3 else ""
        return self.name or self.topic.title() or short or "Our Place"

    def _in_own_words(self, blocks: list[str]) -> str:
        """The parts with the texts that the request quotes, and as many headings and buttons as it counts."""
        if self.title:
            heading = f"<h1>{escape(self.title)}</h1>"
            first, found = re.subn("<h1>.*?</h1>", lambda _: heading, blocks[0] if blocks else "", count=1)
            others = [re.sub("(</?h)1>", r"\g<1>2>", block) for block in blocks[found:]]
            blocks = [first if found else heading, *others]
        inner = "\n".join(blocks)
        inner += "".join(f"<p>{escape(text)}</p>" for text in self.texts)
        sections = self.count.get("headings", 0) - inner.count("<h2")
        inner += f"\n<section><h2>More to know</h2>{_LEAD}</section>" * sections
        buttons = max(self.count.get("buttons", 0), len(self.labels)) - inner.count('class="button')
        if buttons > 0:
            inner += f'\n<section class="line">{_BUTTON * buttons}</section>'
        labels = iter(self.labels)
        return re.sub('(class="button[^>]*>)([^<]*)', lambda button: button[1] + escape(next(labels, button[2])), inner)

    def _css(self) -> str:
        hue, light, full = self.ground
        away = -1 if self.dark else 1
        page = _hex(self.ground)
        surface = _hex((hue, min(1.0, light + 0.045) if self.dark else max(light, 1.0), full))
        sunken = _hex((hue, light - 0.03, full))
        line = _hex((hue, light - away * 0.12, full * 0.7))
        ink = "#e8ecf2" if self.dark else "#1d2129"
        muted = ("#dfe5ee" if light > 0.2 else "#9aa5b4") if self.dark else "#5d6673"
        accent = _hex(self.accent)
        on = "#ffffff" if self.accent[1] < 0.58 else "#111111"
        shade = "0 4px 14px rgba(0,0,0,.12)" if self.shadow else "none"
        edge = f"{self.border}px solid {ink if self.border > 1 else line}" if self.border else "none"
        control = 0 if self.square else 8
        return f"""* {{ box-sizing: border-box; margin: 0; padding: 0 }}
body {{ background: {page}; color: {ink}; font: {self.base}px/1.5 {self.family}; min-height: 768px; display: flex;
  flex-direction: column }}
h1, h2, h3, .brand {{ font-family: {self.titles}; font-weight: {700 if self.bold else 400}; line-height: 1.2 }}
h1 {{ font-size: {self.heading}px }} h2 {{ font-size: {round(self.heading * 0.62)}px }} h3 {{ font-size: 18px }}
h1, h2, .hero {{ text-align: {self.align} }}
ul {{ list-style: none }} a {{ color: inherit; text-decoration: none }}
.wrap {{ width: {WIDTH}px; margin: 0 auto }}
header {{ background: {surface};
  border-bottom: {max(1, self.border)}px solid {line} }}
header .wrap {{ display: flex; align-items: center; justify-content: space-between; padding: 16px 0;
  flex-direction: {"column" if self.stacked else "row"}; gap: 8px }}
.brand {{ font-size: 19px; display: flex; gap: 8px; align-items: center }}
.mark {{ width: 18px; height: 18px; background: {accent}; border-radius: 50% }}
nav ul {{ display: flex; gap: 24px; font-size: 13px; font-weight: 600;
  color: {muted} }}
.search, .field {{ border: 1px solid {line}; background: {surface}; color: {muted}; border-radius: {control}px;
  padding: 10px 12px; font: inherit; width: 100% }}
header .search {{ width: 150px }}
main {{ flex: 1 0 auto; padding: {self.top}px 0 40px; display: flex; flex-direction: column; gap: 40px }}
.beside {{ display: grid; grid-template-columns: {"200px 1fr" if self.side == "left" else "1fr 260px"}; gap: 32px }}
.beside > div {{ display: flex; flex-direction: column; gap: 28px }}
.lead {{ color: {muted}; font-size: 18px; margin: 14px 0 }}
.small {{ color: {muted}; font-size: {self.small}px }}
.button {{ display: inline-block; background: {accent}; color: {on}; border: none; border-radius: {control}px;
  padding: 10px 20px; font: 600 {self.base}px {self.family} }}
.two {{ display: grid; grid-template-columns: 1fr 400px; gap: 36px; align-items: center }}
.grid {{ display: grid; grid-template-columns: repeat(3, 1fr); gap: 20px; margin-top: 20px }}
.card {{ background: {surface}; border: {edge}; border-radius: {self.radius}px; padding: {self.padding}px;
  box-shadow: {shade} }}
.dot {{ width: 32px; height: 32px; background: {accent}; border-radius: {control}px; margin-bottom: 12px }}
.form {{ width: 400px; margin: 0 auto; padding: 32px }} .form > * {{ margin-top: 14px }}
label {{ display: block; font-size: 13px; font-weight: 600; margin-bottom: 4px }}
table {{ width: 100%; border-collapse: collapse }} td, th {{ text-align: left; padding: 10px 8px;
  border-bottom: 1px solid {line} }} th {{ color: {muted}; font-size: 13px }}
.row {{ display: flex; justify-content: space-between; align-items: center; padding: 12px 0;
  border-bottom: 1px solid {line} }}
.switch {{ width: 40px; height: 22px; border-radius: 11px; background: {accent} }}
.switch.off {{ background: {line} }}
.bars {{ display: flex; align-items: flex-end; gap: 18px; height: 180px }} .bars i {{ flex: 1; background: {accent} }}
.side {{ display: flex; flex-direction: column; gap: 8px }} .side a {{ padding: 8px 12px }}
.side a:first-child {{ background: {sunken}; font-weight: 600 }}
.month {{ display: grid; grid-template-columns: repeat(7, 1fr); border: 1px solid {line}; margin-top: 20px }}
.month div {{ border: 1px solid {line}; min-height: 76px; padding: 6px; background: {surface}; font-size: 13px }}
.month b {{ padding: 8px; text-align: center; font-size: 13px; color: {muted} }}
.face {{ width: 36px; height: 36px; border-radius: 18px; background: {accent}; color: {on}; line-height: 36px;
  text-align: center; font-size: 14px }}
.line {{ display: flex; gap: 12px }} .chip {{ border: 1px solid {line}; padding: 8px 14px;
  border-radius: {control}px; background: {surface} }}
.plain {{ background: {surface}; color: {ink}; border: 1px solid {line} }}
.badge {{ display: inline-block; background: {accent}; color: {on}; padding: 2px 10px; border-radius: 11px;
  font-size: 12px }}
.hot {{ border: 2px solid {accent} }}
.pull {{ border-left: 4px solid {accent}; padding-left: 16px; font-size: 20px; margin-top: 20px }}
.band {{ background: {accent}; color: {on}; padding: 32px; text-align: center; border-radius: {self.radius}px }}
.band h2 {{ text-align: center }}
.notice {{ background: {accent}; color: {on}; text-align: center; padding: 8px; font-size: 13px }}
svg {{ display: block; max-width: 100%; border-radius: {self.radius}px }}
svg .back {{ fill: {sunken} }} svg .front {{ fill: {accent} }}
footer {{ background: {sunken}; color: {muted}; text-align: center; font-size: 13px; padding: 20px 0;
  border-top: 1px solid {line} }}"""


def draft_of(request: str) -> Draft:
    """The first draft: what the request names, and what such pages mostly have.

    >>> draft = draft_of("Please build a landing page for a tea house. It needs a hero and quotes. It is dark.")
    >>> draft.topic, draft.parts, draft.dark
    ('tea house', ['hero', 'quotes'], True)
    """
    plain, quotes = _without_quotes(" ".join(request.split()))
    low = plain.casefold()
    about = re.search(
        r"\b(?:for|of|from) (?:the |an? |members of |people who run |helpers of )*([a-z][a-z -]{2,40})", low
    )
    kinds = re.search(
        r"\b(?:need|build|make me|want|wants?) (?:an? )?([a-z -]{3,40}?)(?: for| of| from| in| that|[.,]|$)", low
    )
    topic = re.sub(r"^.*\b(?:of|run|for|in) (?:an? |the )?", "", about[1].strip()) if about else ""
    kind = kinds[1].strip() if kinds else ""
    rest = low.partition(".")[2]
    named = [part for part, words in PARTS if _names(rest, words)]
    if "details" in named and rest.count("table") == 1:
        named = [part for part in named if part != "table"]
    whole = [part for part, words in PARTS if _names(low, words)]
    draft = Draft(topic, kind, _completed(named or whole or ["hero", "features"], kind))
    _paint(draft, low)
    _quote(draft, quotes)
    for word, family in (("serif", "serif"), ("sans-serif", "sans-serif"), ("monospace", "monospace")):
        if re.search(rf"(?<![\w-]){word}", low):
            draft.family = draft.titles = family
    for number, noun in re.findall(rf"\b({'|'.join(_NUMBERS)}|\d{{1,2}}) ([a-z -]+?)(?=[.,]| and |$)", low):
        for part, words in (*PARTS, ("headings", ("heading",)), ("buttons", ("button",))):
            if _names(noun, words):
                draft.count[part] = int(number) if number.isdecimal() else _NUMBERS.index(number) + 1
    return draft


_NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split()
_QUOTED = re.compile('\u201c([^\u201c\u201d]{1,120})\u201d|"([^"]{1,120})"')
_ROLES = (
    ("title", re.compile(r"\b(?:head|heading|headed|headline|title|titled)\W*$")),
    ("labels", re.compile(r"\bbuttons?\b[^.]*$")),
    ("menu", re.compile(r"\b(?:links?|navigation|menu)\b[^.]*$")),
    ("name", re.compile(r"\b(?:for|called|named|brand|logo|site name)\W*$")),
)
"""What a quoted text is, by the words before it."""
_COLOURS = {
    "white": (0.6, 0.985, 0.2),
    "black": (0.6, 0.055, 0.2),
    "grey": (0.6, 0.5, 0.03),
    "brown": (0.07, 0.25, 0.4),
    "red": (0.98, 0.5, 0.7),
    "orange": (0.08, 0.55, 0.9),
    "yellow": (0.14, 0.68, 0.95),
    "green": (0.4, 0.4, 0.6),
    "teal": (0.49, 0.4, 0.6),
    "blue": (0.61, 0.5, 0.85),
    "purple": (0.74, 0.5, 0.6),
    "pink": (0.92, 0.7, 0.8),
}
"""Grounds by their names, as hue, lightness and saturation."""
_GROUND = re.compile(
    r"\b(?:page|look|background|theme|most of it) (?:is|in) (?:a |an )?(light |dark |pale |grey )?"
    rf"({'|'.join(_COLOURS)})\b"
)


def _names(text: str, words: Sequence[str]) -> bool:
    return any(re.search(rf"(?<![a-z]){word}", text) for word in words)


def _without_quotes(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The request without the texts that it quotes, and each of them with what it is: one of ``_ROLES`` or ``texts``.

    Of several in a row each is what the first one is.
    """
    found: list[tuple[str, str]] = []
    end = 0
    for match in _QUOTED.finditer(text):
        before = text[end : match.start()].casefold()
        role = next((role for role, words in _ROLES if words.search(before)), "texts")
        if found and re.fullmatch(r"\s*(?:,|and|or|, and)\s*", before) and found[-1][1] != "title":
            role = found[-1][1]
        found.append(((match[1] or match[2]).removesuffix("\u2026").strip(), role))
        end = match.end()
    return _QUOTED.sub("", text), found


def _quote(draft: Draft, quotes: Sequence[tuple[str, str]]) -> None:
    for text, role in quotes:
        if role in ("title", "name"):
            setattr(draft, role, getattr(draft, role) or text)
        else:
            getattr(draft, role).append(text)
    draft.links = max(draft.links, len(draft.menu))


def _paint(draft: Draft, request: str) -> None:
    """Give the page the ground that the request names."""
    if re.search(r"\bdark\b|\bblack\b", request):
        draft.ground, draft.accent, draft.border = (0.61, 0.085, 0.2), (0.11, 0.6, 0.8), 1
    named = _GROUND.search(request)
    if named is None or (draft.dark and not named[1] and named[2] != "black"):
        return
    hue, light, full = _COLOURS[named[2]]
    match (named[1] or "").strip():
        case "light" | "pale":
            light = 0.93
            if named[2] == "grey":
                light, full = 0.943, 0.25
        case "dark":
            light, full = (0.097, 0.27) if named[2] == "grey" else (0.15, 0.4)
        case "grey":
            full = 0.2
    draft.ground = (hue, light, full)
    if 0.3 < light < 0.6:
        draft.accent = (hue, 0.95, 0.5)  # a button of an ordinary blue is lost on a full colour


def _completed(named: Sequence[str], kind: str) -> list[str]:
    """The parts in an ordinary order, and what a page of this kind is nothing without."""
    parts = set(named)
    for word, needed in (
        ("landing", "hero"),
        ("pricing", "plans"),
        ("sign-in", "form"),
        ("login", "form"),
        ("contact", "form"),
        ("dashboard", "numbers"),
        ("article", "article"),
        ("product", "picture"),
        ("settings", "switches"),
        ("invoice", "table"),
        ("calendar", "calendar"),
        ("board", "board"),
        ("gallery", "gallery"),
    ):
        if word in kind and not (word == "board" and "dashboard" in kind):
            parts.add(needed)
    return [part for part, _ in PARTS if part in parts]


def _hex(colour: tuple[float, float, float]) -> str:
    hue, light, full = colour
    parts = colorsys.hls_to_rgb(hue, min(1.0, max(0.0, light)), full)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


_NAV = ("Home", "About", "Services", "News", "Contact", "Gallery", "Help")
_SENTENCE = "A short text that tells visitors what this is about and why it may matter to them."
_BUTTON = '<a class="button">Read more</a>'
_SMALL, _LEAD = f'<p class="small">{_SENTENCE}</p>', f'<p class="lead">{_SENTENCE}</p>'


def _header(page: Draft) -> str:
    names = [*map(escape, page.menu), *_NAV][: page.links]
    links = "".join(f"<li><a>{name}</a></li>" for name in names)
    search = '<input class="search" type="search" placeholder="Search">' if page.search else ""
    brand = f'<p class="brand"><span class="mark"></span><span>{escape(page.brand)}</span></p>'
    return f'<header><div class="wrap">{brand}{search}<nav><ul>{links}</ul></nav></div></header>'


def _picture(width: int, height: int) -> str:
    return (
        f'<svg width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<rect class="back" width="{width}" height="{height}"/>'
        f'<circle class="front" cx="{width // 2}" cy="{height // 2}" r="{height // 4}"/></svg>'
    )


def _many(count: int, one: Callable[[int], str]) -> str:
    return "".join(one(index) for index in range(count))


def _hero(page: Draft) -> str:
    more = ' <a class="button plain">Learn more</a>' if "second" in page.has else ""
    title = f"Welcome to the {escape(page.topic)}" if page.topic else "Welcome"
    words = f'<h1>{title}</h1>{_LEAD}<a class="button">Get started</a>{more}'
    if page.align == "center":
        return f'<section class="hero">{words}</section>'
    return f'<section class="hero two"><div>{words}</div>{_picture(400, 260)}</section>'


def _features(page: Draft) -> str:
    count = page.number("features", 3)
    card = f'<li class="card"><div class="dot"></div><h3>What we offer</h3>{_SMALL}</li>'
    style = f"grid-template-columns: repeat({min(count, 3)}, 1fr)"
    return f'<section><h2>What we offer</h2><ul class="grid" style="{style}">{card * count}</ul></section>'


def _quotes(page: Draft) -> str:
    cards = _many(
        page.number("quotes", 2),
        lambda _: f'<li><blockquote class="card">“{_SENTENCE}”<p class="small">Jane Smith</p></blockquote></li>',
    )
    return f'<section><ul class="grid" style="grid-template-columns: repeat(2, 1fr)">{cards}</ul></section>'


def _closing(page: Draft) -> str:
    return '<section class="band"><h2>Join us today</h2><p>It takes a minute.</p></section>'


def _form(page: Draft) -> str:
    signing = "sign" in page.kind or "log" in page.kind
    labels = ("Email", "Password", "Name", "Phone") if signing else ("Name", "Email", "Message", "Subject")
    action = "Sign in" if signing else "Send"
    fields = _many(
        page.number("form", 2 if signing else 3),
        lambda index: f'<div><label>{labels[index % 4]}</label><input class="field" placeholder=""></div>',
    )
    title = "Sign in" if signing else "Contact us"
    if "area" in page.has:
        fields += f'<div><label>{"Message"}</label><textarea class="field" rows="5"></textarea></div>'
    extra = '<label><input type="checkbox"> Remember me</label>' if "remember" in page.has else ""
    extra += '<a class="small">Forgot password?</a>' if "forgot" in page.has else ""
    return (
        f'<section class="card form"><h1>{title}</h1>{_SMALL}{fields}{extra}'
        f'<button class="button" style="width: 100%">{action}</button></section>'
    )


def _plans(page: Draft) -> str:
    count = page.number("plans", 3)
    badge = '<span class="badge">Popular</span>' if "badge" in page.has else ""
    cards = _many(
        count,
        lambda index: (
            f'<li class="card{" hot" if "hot" in page.has and index == 1 else ""}">{badge if index == 1 else ""}'
            f"<h3>{('Basic', 'Standard', 'Plus', 'Pro')[index % 4]}</h3><h2>{9 * (index + 1)}.00</h2>"
            '<p class="small">a month</p><p>All basic features</p><p>Help by email</p><p>Cancel any time</p>'
            '<a class="button" style="margin-top: 16px">Choose</a></li>'
        ),
    )
    style = f"grid-template-columns: repeat({min(count, 4)}, 1fr)"
    return f'<section><h1>Plans and prices</h1>{_LEAD}<ul class="grid" style="{style}">{cards}</ul></section>'


def _questions(page: Draft) -> str:
    rows = _many(
        page.number("questions", 3),
        lambda _: f'<div class="row" style="display: block"><h3>How do I begin?</h3>{_SMALL}</div>',
    )
    return f"<section><h2>Common questions</h2>{rows}</section>"


def _numbers(page: Draft) -> str:
    count = page.number("numbers", 4)
    cards = _many(
        count, lambda index: f'<li class="card"><p class="small">Visitors</p><h2>{128 + 57 * index}</h2></li>'
    )
    style = f"grid-template-columns: repeat({min(count, 4)}, 1fr)"
    return f'<section><h1>Overview</h1><ul class="grid" style="{style}">{cards}</ul></section>'


def _chart(page: Draft) -> str:
    bars = _many(page.number("chart", 7), lambda index: f'<i style="height: {40 + index * 37 % 60}%"></i>')
    return f'<section class="card"><h2>Visits</h2><div class="bars">{bars}</div></section>'


def _side(page: Draft) -> str:
    names = ("Overview", "Account", "Reports", "Messages", "Calendar", "Settings", "Help")
    return f'<aside class="side">{_many(page.number("side", 5), lambda index: f"<a>{names[index % 7]}</a>")}</aside>'


def _table(page: Draft) -> str:
    head = "".join(f"<th>{name}</th>" for name in ("Item", "Date", "Number", "Amount"))

    def cells(index: int) -> str:
        return f"<td>Standard item</td><td>{index + 3} March</td><td>{index + 1}</td><td>{12 + index}.00</td>"

    rows = _many(page.number("table", 4), lambda index: f"<tr>{cells(index)}</tr>")
    title = "<h1>Invoice</h1>" if "invoice" in page.kind else ""
    return f'<section class="card">{title}<table><tr>{head}</tr>{rows}</table></section>'


def _details(page: Draft) -> str:
    rows = _many(
        page.number("details", 4),
        lambda index: f"<tr><td>{('Material', 'Size', 'Colour', 'Weight')[index % 4]}</td><td>12</td></tr>",
    )
    return f"<section><table>{rows}</table></section>"


def _product(page: Draft) -> str:
    count = page.number("picture", 1)
    if count > 1:
        tiles = f"<li>{_picture(290, 200)}</li>" * count
        return f'<section><ul class="grid">{tiles}</ul></section>'
    if "product" not in page.kind:
        return f"<section>{_picture(WIDTH if 'side' not in page.parts else WIDTH - 240, 280)}</section>"
    return (
        f'<section class="two" style="grid-template-columns: 1fr 1fr">{_picture(440, 400)}<div><h1>Standard Item</h1>'
        f'<h2>24.00</h2>{_LEAD}<a class="button">Add to basket</a>'
        f"{' <a class=' + chr(34) + 'button plain' + chr(34) + '>Save for later</a>' if 'second' in page.has else ''}"
        "</div></section>"
    )


def _article(page: Draft) -> str:
    paragraphs = _many(
        page.number("article", 3),
        lambda _: f"<p style='margin-top: 14px'>{' '.join([_SENTENCE] * 3)}</p>",
    )
    author = '<p class="small">Jane Smith · 19 March</p>'
    quote = f'<blockquote class="pull">{_SENTENCE}</blockquote>' if "pull" in page.has else ""
    return f"<article><h1>A story from the inside</h1>{author}{paragraphs}{quote}</article>"


def _switches(page: Draft) -> str:
    rows = _many(
        page.number("switches", 4),
        lambda index: (
            f'<div class="row"><div><h3>Email notices</h3>{_SMALL}</div>'
            f'<span class="switch{" off" if index % 2 else ""}"></span></div>'
        ),
    )
    save = '<section><a class="button">Save changes</a></section>' if "save" in page.has else ""
    return f'<section><h1>Settings</h1></section><section class="card">{rows}</section>{save}'


def _calendar(page: Draft) -> str:
    head = "".join(f"<b>{day}</b>" for day in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))
    days = _many(35, lambda index: f"<div>{index + 1 if index < 31 else index - 30}</div>")
    return f'<section><h1>March</h1><div class="month">{head}{days}</div></section>'


def _board(page: Draft) -> str:
    count = page.number("board", 3)
    names = ("To do", "Doing", "Done", "Later")
    badge = '<span class="badge">New</span>' if "badge" in page.has else ""
    face = '<div class="face">AB</div>' if "faces" in page.has else ""
    inner = f"{badge}<h3>Write the report</h3>{_SMALL}{face}"
    card = f'<div class="card" style="margin-top: 12px; padding: 14px">{inner}</div>'
    lanes = _many(count, lambda index: f'<div class="lane"><h3>{names[index % 4]}</h3>{card * 3}</div>')
    style = f"grid-template-columns: repeat({min(count, 5)}, 1fr)"
    return f'<section><h1>Tasks</h1><div class="grid" style="{style}">{lanes}</div></section>'


def _gallery(page: Draft) -> str:
    tiles = _many(page.number("gallery", 6), lambda _: f"<li>{_picture(290, 200)}</li>")
    return f'<section><h1>Gallery</h1><ul class="grid">{tiles}</ul></section>'


def _line(names: Sequence[str], cls: str) -> str:
    inner = "".join(f'<span class="{cls}">{name}</span>' for name in names)
    return f'<section class="line">{inner}</section>'


def _related(page: Draft) -> str:
    cards = _many(
        page.number("related", 3),
        lambda _: f'<li class="card">{_picture(240, 140)}<h3>Standard Item</h3><p>12.00</p></li>',
    )
    return f'<section><h2>You may also like</h2><ul class="grid">{cards}</ul></section>'


_BLOCKS: dict[str, Callable[[Draft], str]] = {
    "notice": lambda page: f'<div class="notice">{_SENTENCE}</div>',
    "hero": _hero,
    "numbers": _numbers,
    "plans": _plans,
    "features": _features,
    "quotes": _quotes,
    "questions": _questions,
    "closing": _closing,
    "chart": _chart,
    "side": _side,
    "switches": _switches,
    "avatars": lambda page: _line(("AB", "CD", "EF"), "face"),
    "board": _board,
    "calendar": _calendar,
    "key": lambda page: _line(("Event", "Meeting", "Holiday"), "small"),
    "particulars": lambda page: (
        '<section class="grid">'
        + "".join(f'<div><p class="small">{name}</p><p>12 High Street</p></div>' for name in ("From", "To", "Date"))
        + "</section>"
    ),
    "sizes": lambda page: _line(("S", "M", "L"), "chip"),
    "details": _details,
    "table": _table,
    "sum": lambda page: '<section style="text-align: right"><p>Subtotal 60.00</p><h3>Total 72.00</h3></section>',
    "related": _related,
    "form": _form,
    "gallery": _gallery,
    "picture": _product,
    "article": _article,
    "list": lambda page: "<ul>" + "".join(f'<li class="row">{name}</li>' for name in _NAV[:4]) + "</ul>",
    "note": lambda page: f"{_SMALL}",
}
