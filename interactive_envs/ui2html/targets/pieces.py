"""Parts that many pages share: the reset, header, footer, notice, buttons, fields, cards and drawn pictures."""

from __future__ import annotations

from html import escape

from interactive_envs.ui2html.targets.page import Page, say, tag
from interactive_envs.ui2html.targets.styles import contrast

QUIRKS = ("notice", "odd link", "odd footer", "odd heading", "search")
"""Irregularities that any page can have."""
_PER_LINE = {"left": "flex-start", "center": "center", "right": "flex-end"}


def base(page: Page) -> None:
    """The style of bare elements."""
    look, c = page.look, page.look.colours
    page.css("*", "box-sizing: border-box; margin: 0; padding: 0")
    page.css("html", f"background: {c.page}")
    page.css(
        "body",
        f"background: {c.page}; color: {c.ink}; font-family: {look.style.body}; font-size: {look.style.base}px; "
        "line-height: 1.5",
    )
    # The footer of a short page stays at the bottom of the window.
    page.css("body", "display: flex; flex-direction: column; min-height: 768px")
    page.css("footer", "margin-top: auto")
    page.css("a", "color: inherit; text-decoration: none")
    page.css("ul, ol", "list-style: none")
    page.css("table", "border-collapse: collapse; width: 100%")
    page.css("button, input, textarea", "font: inherit; color: inherit; appearance: none; border: none; outline: none")
    page.css("textarea", "resize: none; display: block")
    page.css("h1, h2, h3", f"font-family: {look.style.heading}; font-weight: {look.style.weight}; line-height: 1.2")
    page.css("h1", f"font-size: {look.size(4)}px; color: {c.ink}; text-align: {look.style.align}")
    page.css("h2", f"font-size: {look.size(2)}px; color: {c.ink}; text-align: {look.style.align}")
    page.css("h3", f"font-size: {look.size(1)}px; color: {c.ink}")
    page.css(".wrap", f"width: {look.width}px; margin: 0 auto")
    page.css(".small", f"font-size: {look.size(-1)}px; color: {c.muted}")
    page.css(".muted", f"color: {c.muted}")
    if look.style.heading == "serif" and look.style.body != "serif":
        page.css("h1", "letter-spacing: -0.5px")


def header(page: Page, links: int | None = None) -> None:
    """Brand and links; the style decides whether a line, a band, stacked or floating."""
    look, c, kind = page.look, page.look.colours, page.look.style.header
    names = [look.label(name) for name in page.copy.nav(links or page.draw.between(3, min(5, 2 + page.level)))]
    band = kind == "band"
    ground = c.accent if band else c.page if kind == "stack" else c.surface
    ink = c.on_accent if band else c.ink
    page.css("header", f"background: {ground}; color: {ink}")
    bar = f"display: flex; align-items: center; padding: {look.space(2)}px 0"
    if kind == "stack":
        page.css("header .wrap", f"{bar}; flex-direction: column; gap: {look.space(1)}px; border-bottom: {look.rule}")
    elif kind == "float":
        page.css("header", f"margin: {look.space(2)}px auto 0; width: {look.width}px; border-radius: 32px")
        page.css("header", f"box-shadow: {look.shadow}")
        page.css("header .wrap", f"{bar}; width: 100%; padding: {look.space(1.5)}px {look.space(3)}px")
        page.css("header .wrap", "justify-content: space-between")
    else:
        page.css("header", "" if band else f"border-bottom: {look.edge}")
        page.css("header .wrap", f"{bar}; justify-content: space-between")
    page.css(".brand", f"font-family: {look.style.heading}; font-size: {look.size(1)}px; font-weight: 700")
    page.css(".brand", f"color: {ink}; display: flex; align-items: center; gap: {look.space(1)}px")
    mark = c.on_accent if band else c.accent
    page.css(".mark", f"width: {look.size(1)}px; height: {look.size(1)}px; background: {mark}")
    page.css(".mark", f"border-radius: {page.draw.pick((0, 4, 50))}%; display: block")
    page.css(".brand, nav", "white-space: nowrap")
    page.css("nav ul", f"display: flex; gap: {look.space(3)}px")
    page.css("nav a", f"font-size: {look.size(0 if look.style.base < 15 else -1) or 13}px; font-weight: 600")
    page.css("nav a", f"color: {ink if band else c.muted}")
    odd = "odd link" in page.quirks
    at = page.draw.between(0, len(names) - 1)
    items = [tag("li", say("a", name, "other" if odd and i == at else "")) for i, name in enumerate(names)]
    brand = tag("p", tag("span", "", "mark") + say("span", page.copy.brand, "name"), "brand")
    search = _search(page) if "search" in page.quirks else ""
    inner = tag("div", [brand, search, tag("nav", tag("ul", items))], "wrap")
    page.part("the header", "header", tag("header", inner), "top bar")
    page.has("the navigation bar", "nav", "navigation", "menu", "nav")
    page.tell("header", "the header", "top bar", "masthead", more=1)
    page.text(".brand .name", "the site name", page.copy.brand, "brand", "logo text", importance=2)
    page.tell(".brand", "the site name", "brand", "logo text")
    page.count("nav a", "the navigation links", len(names), "nav links", "menu items", "links in the header")
    page.sequence("nav a", "the navigation links", names, "nav links", "menu items")
    if odd:
        marked = next(colour for colour in (c.second, c.accent, c.on_accent, c.ink) if contrast(colour, ground) >= 3)
        page.css("nav a.other", f"color: {marked}; border-bottom: 2px solid")
        page.tell("nav a.other", f"the {names[at]} link", "differing link", "marked link", "highlighted link")
        page.tell("nav a", "the other navigation links", "plain links", path="nav a:not(.other)", only="color")
    else:
        page.tell("nav a", "the navigation links", "nav links", "menu items", only="color font-size font-weight")
    if "notice" in page.quirks:
        notice(page)


def _search(page: Page) -> str:
    look, c = page.look, page.look.colours
    hint = page.draw.pick(("Search", "Find a page", "What for?", "Look up"))
    page.css(".search", f"width: 150px; background: {c.sunken}; color: {c.ink}; border: {look.field_edge}")
    page.css(".search", f"border-radius: {look.control_radius if look.style.pill else look.field_radius}px")
    page.css(".search", f"padding: {look.space(0.75)}px {look.space(1.25)}px; font-size: {look.size(-1)}px")
    page.css(".search::placeholder", f"color: {c.muted}; opacity: 1")
    page.has("the search field", "input[type=search]", "search box", "search bar", "search")
    page.tell(".search", "the search field", "search box", "search bar")
    return tag("input", "", "search", type="search", placeholder=hint)


def notice(page: Page) -> None:
    """A strip with one sentence."""
    look, c = page.look, page.look.colours
    text = page.copy.sentence()
    page.css(".notice", f"background: {c.second}; color: {c.on_second}; text-align: center; font-weight: 600")
    page.css(".notice", f"padding: {look.space(1)}px; font-size: {look.size(-1)}px")
    if look.style.header == "float":
        page.css(".notice", f"width: {look.width}px; margin: {look.space(1.5)}px auto 0; border-radius: 20px")
    page.part("the notice strip", ".notice", say("div", text, "notice"), "announcement", "banner strip", importance=2)
    page.text(".notice", "the notice strip", text, "announcement", "banner strip")
    page.tell(".notice", "the notice strip", "announcement", "banner strip")


def footer(page: Page) -> None:
    """A closing line, of several kinds."""
    look, c = page.look, page.look.colours
    draw, brand = page.draw, page.copy.brand
    text = draw.pick(
        (
            f"© {draw.between(2016, 2025)} {brand}",
            f"{brand}, {page.copy.address()}",
            f"Made with care by {brand}",
            f"{brand} · open {draw.between(8, 10)} to {draw.between(5, 7)}",
            f"Write to hello@{page.copy.domain}",
        )
    )
    align = draw.pick(("right", "left")) if "odd footer" in page.quirks else "center"
    dark = "odd footer" in page.quirks and not look.style.dark
    page.css("footer", f"background: {c.ink if dark else c.page if look.style.border == 0 else c.sunken}")
    page.css("footer", f"color: {c.page if dark else c.muted}; text-align: {align}")
    page.css("footer", f"font-size: {look.size(-1)}px; padding: {look.space(2.5)}px 0")
    if look.style.border:
        page.css("footer", f"border-top: {look.rule}")
    foot = tag("footer", tag("div", say("p", text), "wrap"))
    page.part("the footer", "footer", foot, "page footer", "bottom line", importance=2)
    page.text("footer p", "the footer", text, "page footer", "bottom line", importance=1)
    page.tell("footer", "the footer", "page footer", "bottom line")


def button(
    page: Page, selector: str, subject: str, *aliases: str, plain: bool = False, more: int = 1, path: str = ""
) -> None:
    """Declare a button, filled or ``plain``, and say what holds of it."""
    look, c = page.look, page.look.colours
    page.css(selector, f"background: {c.surface if plain else c.accent}; color: {c.ink if plain else c.on_accent}")
    edge = look.field_edge if plain else look.edge if look.style.border > 1 else "none"
    page.css(
        selector, f"border: {edge}; border-radius: {look.control_radius}px; font-weight: 600; display: inline-block"
    )
    page.css(selector, f"padding: {look.space(1.25)}px {look.space(2.5)}px; font-size: {look.style.base}px")
    page.css(selector, "text-align: center; line-height: 1.4")
    page.tell(selector, subject, *aliases, more=more, path=path)


def card(page: Page, selector: str, subject: str, *aliases: str, path: str = "", padding: float = 2.5) -> None:
    """Declare a card and say what holds of it."""
    look, c = page.look, page.look.colours
    page.css(selector, f"background: {c.surface}; border: {look.edge}; border-radius: {look.style.radius}px")
    page.css(selector, f"padding: {look.space(padding)}px")
    if look.style.shadow != "none":
        page.css(selector, f"box-shadow: {look.shadow}")
    page.tell(selector, subject, *aliases, path=path, more=1)


def field_styles(page: Page) -> None:
    """Declare labels and text fields."""
    look, c = page.look, page.look.colours
    page.css("label", f"display: block; font-size: {look.size(-1)}px; font-weight: 600; color: {c.ink}")
    page.css("label", f"margin-bottom: {look.space(0.5)}px")
    page.css(
        ".field", f"width: 100%; background: {c.sunken if look.style.border == 0 else c.surface}; color: {c.muted}"
    )
    page.css(".field", f"border: {look.field_edge}; border-radius: {look.field_radius}px; display: block")
    page.css(".field", f"padding: {look.space(1.25)}px {look.space(1.5)}px; line-height: 1.4")
    page.css(".field::placeholder", f"color: {c.muted}; opacity: 1")
    page.css(".row", f"margin-bottom: {look.space(2)}px")
    page.tell(".field", "the input fields", "text fields", "inputs", "form fields")
    page.tell("label", "the field labels", "labels", only="font-size font-weight color")


def field_row(page: Page, name: str, hint: str, cls: str = "row", kind: str = "text") -> str:
    """A label over a field."""
    if kind == "area":
        control = tag("textarea", "", "field", rows="5", placeholder=hint)
    else:
        control = tag("input", "", "field", type=kind, placeholder=hint)
    return tag("div", say("label", page.look.label(name)) + control, cls)


def headline(page: Page, text: str, subject: str = "the main heading") -> str:
    """The h1, with its facts."""
    c = page.look.colours
    if "odd heading" in page.quirks:
        page.css("h1", f"color: {c.accent if page.look.name != 'bold' else c.ink}")
        if page.look.name == "bold":
            page.css("h1", "text-align: center")
    page.text("h1", subject, text, "headline", "title", "h1", importance=3)
    page.tell("h1", subject, "headline", "title", "h1")
    page.tell("h1, h2, h3", subject, "headline", "title", path="h1", only="font-family font-weight")
    return say("h1", text)


def initials(name: str) -> str:
    """Of a person."""
    return "".join(part[0] for part in name.split()[:2])


def avatar(page: Page, name: str, pixels: int = 40, cls: str = "avatar", tone: int = 0) -> str:
    """A disc with initials."""
    c = page.look.colours
    ground, ink = ((c.tint, c.ink), (c.accent, c.on_accent), (c.second, c.on_second))[tone % 3]
    page.css(f".{cls}", f"width: {pixels}px; height: {pixels}px; line-height: {pixels}px; text-align: center")
    page.css(f".{cls}", f"border-radius: {pixels // 2}px; font-size: {pixels * 2 // 5}px; font-weight: 600; flex: none")
    page.css(f".{cls}.tone{tone % 3}", f"background: {ground}; color: {ink}")
    return say("div", initials(name), f"{cls} tone{tone % 3}")


ARTS = ("hills", "rings", "sun", "blocks", "waves", "dots", "arches", "stripes")


def art(page: Page, width: int, height: int, kind: str | None = None, ground: str | None = None) -> str:
    """An abstract picture as inline SVG."""
    draw, c = page.draw, page.look.colours
    kind = kind or draw.pick(ARTS)
    back = ground or draw.pick((c.tint, c.sunken))
    one, two = draw.some((c.accent, c.second), 2)
    w, h = width, height
    if kind == "hills":
        x, y, low = draw.between(w // 4, 3 * w // 4), h // 3, h // 2
        shapes = (
            f'<circle cx="{x}" cy="{y}" r="{h // 6}" fill="{two}"/>'
            f'<path d="M0 {h} V{low + h // 8} Q{w // 4} {low - h // 8} {w // 2} {low + h // 10} T{w} {low} V{h} Z" '
            f'fill="{one}" opacity="0.55"/>'
            f'<path d="M0 {h} V{h - h // 5} Q{w // 3} {low} {2 * w // 3} {h - h // 5} T{w} {h - h // 4} V{h} Z" '
            f'fill="{one}"/>'
        )
    elif kind == "rings":
        x, y = draw.between(w // 3, 2 * w // 3), draw.between(h // 3, 2 * h // 3)
        step = max(8, h // 8)
        shapes = "".join(
            f'<circle cx="{x}" cy="{y}" r="{step * i}" fill="none" stroke="{one if i % 2 else two}" stroke-width="4"/>'
            for i in range(1, 6)
        )
        shapes += f'<circle cx="{x}" cy="{y}" r="{step // 2}" fill="{one}"/>'
    elif kind == "sun":
        shapes = (
            f'<circle cx="{w // 2}" cy="{h * 3 // 5}" r="{h * 2 // 5}" fill="{one}"/>'
            f'<rect x="0" y="{h * 3 // 5}" width="{w}" height="{h * 2 // 5 + 1}" fill="{two}"/>'
            f'<rect x="0" y="{h * 7 // 10}" width="{w}" height="{max(2, h // 40)}" fill="{back}"/>'
        )
    elif kind == "blocks":
        cell, tones = max(20, h // 4), (one, two, c.surface, c.line)
        shapes = "".join(
            f'<rect x="{x}" y="{y}" width="{cell}" height="{cell}" fill="{draw.pick(tones)}"/>'
            for x in range(0, w, cell)
            for y in range(0, h, cell)
            if draw.chance(0.5)
        )
    elif kind == "waves":
        shapes = "".join(
            f'<path d="M0 {y} Q{w // 8} {y - h // 8} {w // 4} {y} T{w // 2} {y} T{3 * w // 4} {y} T{w} {y}" '
            f'fill="none" stroke="{one if i % 2 else two}" stroke-width="{max(3, h // 30)}"/>'
            for i, y in enumerate(range(h // 6, h, max(14, h // 6)))
        )
    elif kind == "dots":
        step = max(18, h // 6)
        big = draw.between(0, 40)
        shapes = "".join(
            f'<circle cx="{x}" cy="{y}" r="{step // 2 - 2 if i % 11 == big % 11 else step // 5}" '
            f'fill="{two if i % 11 == big % 11 else one}"/>'
            for i, (x, y) in enumerate(
                (x, y) for y in range(step // 2, h, step) for x in range(step // 2 + (w % step) // 2, w, step)
            )
        )
    elif kind == "arches":
        count = max(2, round(w / max(40, h * 0.45)))
        span = w // count
        shapes = "".join(
            f'<path d="M{i * span + 6} {h} V{h // 2} A{span // 2 - 6} {span // 2 - 6} 0 0 1 '
            f'{(i + 1) * span - 6} {h // 2} V{h} Z" fill="{one if i % 2 else two}"/>'
            for i in range(count)
        )
    else:
        step = max(16, h // 6)
        shapes = "".join(
            f'<path d="M{x} 0 L{x + step} 0 L{x + step - h} {h} L{x - h} {h} Z" fill="{one if i % 3 else two}"/>'
            for i, x in enumerate(range(0, w + h, step * 2))
        )
    return (
        f'<svg class="art" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
        f'preserveAspectRatio="xMidYMid slice" aria-label="{escape(kind)}">'
        f'<rect width="{w}" height="{h}" fill="{back}"/>{shapes}</svg>'
    )


def art_style(page: Page) -> None:
    """Declare drawn pictures."""
    page.css(".art", "display: block; max-width: 100%")


def spread(page: Page) -> str:
    """The value of justify-content for the alignment of headings."""
    return _PER_LINE[page.look.style.align]
