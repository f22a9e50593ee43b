"""Archetypes of a public site: landing page, article, gallery, missing page, restaurant menu."""

from __future__ import annotations

from interactive_envs.ui2html.targets.page import Page, say, tag
from interactive_envs.ui2html.targets.pieces import (
    ARTS,
    art,
    art_style,
    avatar,
    button,
    card,
    footer,
    header,
    headline,
    spread,
)
from interactive_envs.ui2html.targets.words import MONTHS, TABLE


def landing(page: Page) -> None:
    """A hero, features, and what people say or a last call."""
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    page.purpose = f"a landing page for a {copy.topic.kind}"
    header(page)
    split = look.style.align == "left"
    label, line = copy.action(), copy.line()
    page.css(".hero", f"padding: {look.space(6)}px 0; text-align: {look.style.align}")
    page.css(".hero .lead", f"color: {c.muted}; font-size: {look.size(1)}px; margin: {look.space(2)}px 0")
    button(page, ".call", "the main button", "hero button", "call to action", "button")
    inner = headline(page, line) + say("p", copy.paragraph(1), "lead") + say("a", look.label(label), "call")
    page.css("h1", f"text-align: {look.style.align}")
    if split:
        page.css(".hero .wrap", f"display: grid; grid-template-columns: 1fr 380px; gap: {look.space(5)}px")
        page.css(".hero .wrap", "align-items: center")
        page.css(".hero .art", f"border-radius: {look.style.radius}px; border: {look.edge}")
        page.tell(".hero .wrap", "the hero", "hero section", "intro", only="grid-template-columns")
        art_style(page)
        inner = tag("div", inner) + art(page, 380, draw.pick((250, 280)))
        page.has("the hero picture", ".hero .art", "hero image", "illustration", importance=2)
    else:
        page.css(".hero .wrap", "padding: 0 110px")
    page.part("the hero", ".hero", tag("section", tag("div", inner, "wrap"), "hero"), "hero section", "intro")
    page.tell(".hero", "the hero", "hero section", "intro")
    page.text(".call", "the main button", look.label(label), "hero button", "call to action", "button", importance=3)
    page.tell(".hero .lead", "the lead text", "subheading", "intro text")
    _features(page)
    if page.level >= 3:
        _voices(page)
    if page.level in (2, 5):
        page.css(".last", f"background: {c.accent}; color: {c.on_accent}; padding: {look.space(4)}px 0")
        page.css(".last", "text-align: center")
        page.css(".last h2", f"color: {c.on_accent}; text-align: center")
        words = copy.heading()
        body = say("h2", words) + say("p", copy.sentence())
        page.part("the closing band", ".last", tag("section", body, "last"), "call to action band", "banner")
        page.tell(".last", "the closing band", "call to action band", "banner")
        page.text(".last h2", "the heading of the closing band", words, "closing heading")
    footer(page)


def _features(page: Page) -> None:
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    columns = draw.pick((2, 3)) if page.level < 3 else draw.pick((3, 4))
    count = columns * (2 if page.level >= 4 and columns == 3 else 1)
    page.css(".features", "flex: 1 0 auto")
    page.css(".features", f"padding: {look.space(4)}px 0 {look.space(5)}px; background: {c.sunken}")
    tracks = "1.6fr " + "1fr " * (columns - 1) if "odd column" in page.quirks else f"repeat({columns}, 1fr)"
    page.css(".grid", f"display: grid; grid-template-columns: {tracks.strip()}; gap: {look.space(2.5)}px")
    page.css(".features h2", f"margin-bottom: {look.space(3)}px")
    page.css(".dot", f"width: 34px; height: 34px; background: {c.accent}; margin-bottom: {look.space(1.5)}px")
    page.css(".dot", f"border-radius: {draw.pick((0, 6, 17))}px")
    page.css(".feature h3", f"margin-bottom: {look.space(0.75)}px")
    hot = "odd card" in page.quirks
    card(page, ".feature", "the feature cards", "features", "cards", path=".feature:not(.hot)")
    at = draw.between(0, count - 1)
    titles = [copy.heading() for _ in range(count)]
    cells = [
        tag(
            "li",
            tag("span", "", "dot", style="display: block") + say("h3", title) + say("p", copy.sentence(), "small"),
            "feature hot" if hot and i == at else "feature",
        )
        for i, title in enumerate(titles)
    ]
    if hot:
        page.css(".feature.hot", f"background: {c.tint if look.style.dark else c.second}")
        page.css(".feature.hot", f"color: {c.ink if look.style.dark else c.on_second}")
        page.css(".feature.hot h3, .feature.hot p", "color: inherit")
        page.tell(".feature.hot", "the highlighted feature card", "highlighted card", "odd card", more=1)
    top = copy.heading()
    body = tag("div", say("h2", top) + tag("ul", cells, "grid"), "wrap")
    page.part("the feature grid", ".features", tag("section", body, "features"), "features", "feature cards")
    page.tell(".features", "the feature grid", "features section", more=1)
    page.tell(".grid", "the feature grid", "features section", "grid of cards", more=1)
    page.tell(".dot", "the feature icons", "icons", "shapes in the cards")
    page.count(".feature", "the feature cards", count, "features", "cards", importance=3)
    page.text(".features h2", "the heading of the features", top, "feature heading", "section heading")
    page.sequence(".feature h3", "the feature titles", titles, "card titles")


def _voices(page: Page) -> None:
    look, c, copy = page.look, page.look.colours, page.copy
    people = [copy.person() for _ in range(2)]
    page.css(".voices", f"padding: {look.space(4)}px 0")
    page.css(".voices .wrap", f"display: grid; grid-template-columns: repeat(2, 1fr); gap: {look.space(4)}px")
    page.css("blockquote", f"border-left: 4px solid {c.accent}; padding: 0 0 0 {look.space(2)}px")
    page.css("blockquote footer, .by", f"margin-top: {look.space(1)}px; color: {c.muted}; font-size: {look.size(-1)}px")
    quotes = [tag("blockquote", say("p", copy.paragraph(2)) + say("p", name, "by")) for name in people]
    page.part(
        "the quotes", ".voices", tag("section", tag("div", quotes, "wrap"), "voices"), "testimonials", "what people say"
    )
    page.count("blockquote", "the quotes", 2, "testimonials", importance=2)
    page.tell(".voices .wrap", "the quotes", "testimonials", only="grid-template-columns gap")
    page.text("blockquote:first-child .by", "the name under the first quote", people[0], "first author")


def article(page: Page) -> None:
    """A long text with a byline, perhaps a side column and a pulled quote."""
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    page.purpose = f"an article page in the journal of a {copy.topic.kind}"
    header(page)
    side = page.level >= 3
    page.css(".body", f"padding: {look.space(4)}px 0 {look.space(5)}px")
    if side:
        width = 300 if "odd column" in page.quirks else 230
        page.css(".body", f"display: grid; grid-template-columns: 1fr {width}px; gap: {look.space(5)}px")
        page.tell(".body", "the article and side column", "main layout", "content", only="grid-template-columns gap")
    else:
        page.css(".body article", "width: 680px; margin: 0 auto")
        page.tell(".body article", "the article", "text column", only="width")
    page.css("article h1", f"margin-bottom: {look.space(1.5)}px")
    page.css("article p", f"margin-bottom: {look.space(1.75)}px; line-height: 1.65")
    page.css("article h2", f"margin: {look.space(2.5)}px 0 {look.space(1)}px; text-align: left")
    page.css(".byline", f"display: flex; align-items: center; gap: {look.space(1.5)}px; color: {c.muted}")
    page.css(".byline", f"font-size: {look.size(-1)}px; margin-bottom: {look.space(3)}px")
    page.css(".byline", f"justify-content: {spread(page)}")
    author, when, minutes = copy.person(), copy.date(), draw.between(3, 12)
    title = copy.line()
    sections = 1 + (page.level >= 2) + (page.level >= 4)
    headings = [copy.heading() for _ in range(sections)]
    text = [headline(page, title)]
    by = f"{author} · {when} · {minutes} minutes"
    text.append(tag("div", avatar(page, author, 36) + say("span", by, "by"), "byline"))
    if draw.chance(0.6) or page.level < 3:
        page.css("figure", f"margin-bottom: {look.space(3)}px")
        page.css("figure .art", f"border-radius: {look.style.radius}px")
        art_style(page)
        text.append(tag("figure", art(page, 680 if not side else look.width - width - look.space(5), 200)))
        page.has("the lead picture", "figure", "illustration", "image", importance=3)
    text.append(say("p", copy.paragraph(3), "first"))
    quote = copy.sentence() if page.level >= 2 else ""
    for i, heading in enumerate(headings):
        text += [say("h2", heading), say("p", copy.paragraph(draw.between(3, 4)))]
        if i == 0 and quote:
            text.append(say("blockquote", quote))
    if quote:
        page.css("blockquote", f"border-left: 4px solid {c.accent}; background: {c.tint}; color: {c.ink}")
        page.css("blockquote", f"padding: {look.space(2)}px {look.space(2.5)}px; font-size: {look.size(1)}px")
        page.css("blockquote", f"font-family: {look.style.heading}; margin-bottom: {look.space(2)}px")
        page.tell("blockquote", "the pulled quote", "quote", "blockquote", more=1)
        page.text("blockquote", "the pulled quote", quote, "quote", "blockquote")
    if "odd first" in page.quirks:
        page.css(".first", f"font-size: {look.size(1)}px; color: {c.accent if look.name != 'bold' else c.ink}")
        page.tell(".first", "the first paragraph", "opening paragraph", "lead paragraph", more=1)
    body = tag("article", text)
    page.has("the article", "article", "text", "main text", importance=3)
    if side:
        links = [copy.heading() for _ in range(page.level)]
        card(page, "aside", "the side column", "sidebar", "side panel")
        page.css("aside", "align-self: start")
        page.css("aside h3", f"margin-bottom: {look.space(1)}px")
        page.css("aside li", f"padding: {look.space(1)}px 0; border-top: {look.rule}; font-size: {look.size(-1)}px")
        top = draw.pick(("Also in this issue", "Read next", "More from the journal", "Earlier notes"))
        body += tag("aside", say("h3", look.label(top)) + tag("ul", [say("li", link) for link in links]))
        page.has("the side column", "aside", "sidebar", "side panel", importance=3)
        page.text("aside h3", "the heading of the side column", look.label(top), "sidebar heading")
        page.count("aside li", "the links in the side column", len(links), "sidebar links")
    page.part("the text", ".body", tag("main", body, "wrap body"), "article body", "content", importance=2)
    page.text(".byline .by", "the byline", by, "author line", "author")
    page.tell(".byline", "the byline", "author line")
    page.tell(".avatar", "the author picture", "avatar", only="width border-radius")
    page.count("article h2", "the subheadings", sections, "section headings", importance=2)
    page.text("article h2", "the first subheading", headings[0], "first section heading")
    page.tell("article h2", "the subheadings", "section headings")
    page.tell("h2", "the subheadings", "section headings", only="color font-size", path="article h2")
    footer(page)


def gallery(page: Page) -> None:
    """A grid of drawn tiles with captions."""
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    page.purpose = f"an image gallery of a {copy.topic.kind}"
    header(page)
    columns = draw.pick((2, 3)) if page.level <= 2 else draw.pick((3, 4))
    rows = 2 if page.level <= 3 else 3
    gap = look.space(draw.pick((1.5, 2, 3)))
    width = (look.width - gap * (columns - 1)) // columns
    height = min(240, width * 3 // 4)
    page.css(".intro", f"padding: {look.space(4)}px 0 {look.space(2.5)}px; text-align: {look.style.align}")
    body = [tag("section", headline(page, copy.line()) + say("p", copy.sentence(), "muted"), "intro")]
    filters = [look.label(thing.capitalize()) for thing in draw.some(copy.topic.things, min(4, 1 + page.level))]
    if page.level >= 2:
        page.css(".filters", f"display: flex; gap: {look.space(1)}px; margin-bottom: {look.space(2.5)}px")
        page.css(".filters", f"justify-content: {spread(page)}")
        only = ".filters button:not(.on)"
        button(page, ".filters button", "the filter buttons", "filters", "tags", plain=True, more=0, path=only)
        page.css(".filters button", f"padding: {look.space(0.75)}px {look.space(2)}px; font-size: {look.size(-1)}px")
        chosen = draw.between(0, len(filters) - 1)
        page.css(".filters .on", f"background: {c.accent}; color: {c.on_accent}")
        page.tell(".filters .on", "the chosen filter", "active filter", "selected filter", more=1)
        page.text(".filters .on", "the chosen filter", filters[chosen], "active filter", "selected filter")
        page.count(".filters button", "the filter buttons", len(filters), "filters", "tags")
        items = [say("button", name, "on" if i == chosen else "") for i, name in enumerate(filters)]
        body.append(tag("div", items, "filters"))
        page.has("the filter buttons", ".filters", "filters", "tags", importance=3)
    page.css(".tiles", f"display: grid; grid-template-columns: repeat({columns}, 1fr); gap: {gap}px")
    page.css(".tiles", f"padding-bottom: {look.space(5)}px")
    page.css(".tile", f"background: {c.surface}; border: {look.edge}; border-radius: {look.style.radius}px")
    page.css(".tile", f"overflow: hidden; box-shadow: {look.shadow}")
    page.css(".tile .art", "width: 100%")
    page.css("figcaption", f"padding: {look.space(1.25)}px {look.space(1.5)}px; font-size: {look.size(-1)}px")
    art_style(page)
    names = [copy.good() for _ in range(columns * rows)]
    wide = "odd tile" in page.quirks
    framed = draw.between(0, len(names) - 1) if "odd frame" in page.quirks else -1
    if wide:
        names = names[:-1]
    kinds = draw.some(ARTS, len(ARTS))
    cells = []
    for i, name in enumerate(names):
        large = wide and i == 0
        cls = "tile" + (" wide" if large else "") + (" framed" if i == framed else "")
        picture = art(page, width * 2 + gap if large else width, height, kinds[i % len(kinds)])
        cells.append(tag("figure", picture + say("figcaption", name), cls))
    if wide:
        page.css(".tile.wide", "grid-column: span 2")
        page.has("the wide tile", ".tile.wide", "large tile", "double tile")
    if framed >= 0 and framed < len(names):
        page.css(".tile.framed", f"border: 4px solid {c.accent}")
        page.tell(".tile.framed", "the framed tile", "highlighted tile", "odd tile", more=1)
    page.tell(".tile", "the tiles", "pictures", "cards", path=".tile:not(.framed)")
    page.tell(".tiles", "the grid of tiles", "gallery", "picture grid", more=1)
    page.count(".tile", "the tiles", len(names), "pictures", "images", importance=3)
    page.tell("figcaption", "the captions", "picture titles")
    page.sequence("figcaption", "the captions", names, "picture titles")
    page.text("figcaption", "the first caption", names[0], "first picture title")
    body.append(tag("section", cells, "tiles"))
    page.has("the grid of tiles", ".tiles", "gallery", "picture grid", importance=3)
    page.part("the gallery", "main", tag("main", body, "wrap"), "main part", "content")
    page.tell(".intro", "the introduction", "intro")
    footer(page)


def missing(page: Page) -> None:
    """A page that says nothing is here."""
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    page.purpose = f"a page-not-found page for the site of a {copy.topic.kind}"
    header(page)
    align = "left" if "odd align" in page.quirks else "center"
    flow = {"left": "flex-start", "center": "center"}[align]
    page.css("main", f"padding: {look.space(6)}px 0; text-align: {align}")
    page.css(".code", f"font-size: {draw.pick((110, 132, 150))}px; font-weight: 800; line-height: 1")
    page.css(
        ".code", f"color: {c.second if 'odd code' in page.quirks else c.accent}; font-family: {look.style.heading}"
    )
    page.css("main p", f"margin: {look.space(1.5)}px 0")
    page.css("h1", f"text-align: {align}")
    title = draw.pick(
        (
            "This page went for a walk",
            "Nothing on this shelf",
            "You have reached the edge of the map",
            "The page is not where it was",
            "A gap in the record",
            "No path leads here",
        )
    )
    code = draw.pick(("404", "404", "Lost"))
    text = copy.sentence()
    body = [say("p", code, "code"), headline(page, title), say("p", text, "muted")]
    page.css("h1", f"text-align: {align}")
    if page.level >= 2:
        art_style(page)
        page.css("main .art", f"margin: {look.space(2)}px {'0' if align == 'left' else 'auto'}")
        page.css("main .art", f"border-radius: {look.style.radius}px")
        body.insert(0 if draw.chance(0.4) else 3, art(page, 420, 180))
        page.has("the picture", "main .art", "illustration", "image", importance=2)
    label, other = copy.action(), draw.pick(("Back to the start", "Return home", "To the front page"))
    button(page, ".home", "the main button", "home button", "button")
    page.css(".buttons", f"display: flex; gap: {look.space(1.5)}px; justify-content: {flow}")
    page.css(".buttons", f"margin-top: {look.space(2)}px")
    buttons = [say("a", look.label(other), "home")]
    page.text(".home", "the main button", look.label(other), "home button", "button", importance=3)
    if page.level >= 3:
        button(page, ".second", "the second button", "outlined button", "other button", plain=True, more=0)
        buttons.append(say("a", look.label(label), "second"))
        page.text(".second", "the second button", look.label(label), "outlined button", "other button")
    page.tell(".buttons", "the row of buttons", "buttons", only="gap")
    page.count(".buttons a", "the buttons", len(buttons), "links below the text", importance=2)
    body.append(tag("div", buttons, "buttons"))
    page.has("the buttons", ".buttons", "button row", importance=3)
    if page.level >= 4:
        links = [copy.heading() for _ in range(3)]
        page.css(".try", f"display: grid; grid-template-columns: repeat(3, 1fr); gap: {look.space(2)}px")
        page.css(".try", f"margin-top: {look.space(5)}px; text-align: left")
        card(page, ".try li", "the suggestion cards", "suggestions", "cards")
        body.append(tag("ul", [tag("li", say("h3", t) + say("p", copy.sentence(), "small")) for t in links], "try"))
        page.tell(".try", "the suggestions", "suggestion cards", only="grid-template-columns gap text-align")
        page.count(".try li", "the suggestion cards", 3, "suggestions", "cards")
        page.sequence(".try h3", "the suggestion titles", links, "card titles")
        page.has("the suggestions", ".try", "suggestion cards", importance=3)
    page.part("the message", "main", tag("main", body, "wrap"), "main part", "error message")
    page.text(".code", "the large code", code, "error code", "big number", importance=3)
    page.tell(".code", "the large code", "error code", "big number", more=1)
    page.text("main .muted", "the explanation", text, "text below the heading")
    page.tell("main", "the message", "main part", only="text-align padding")
    footer(page)


def menu(page: Page) -> None:
    """Dishes with prices in one or two columns."""
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    page.purpose = "a menu page for a small restaurant"
    copy.topic = TABLE
    copy.brand = f"{copy.brand.split()[0]} {draw.pick(('Table', 'Supper', 'Kitchen', 'Dining Room', 'Canteen'))}"
    header(page)
    courses = draw.some(list(_DISHES), min(4, 2 + page.level // 2))
    columns = 1 if page.level == 1 else 2
    each = draw.between(3, 4) if page.level < 4 else 5
    currency = draw.pick(("", "£", "€"))
    season = f"{draw.pick(('Set', 'Evening', 'House', 'Weekend'))} card for {draw.pick(MONTHS)}"
    page.css(".intro", f"padding: {look.space(4)}px 0 {look.space(3)}px; text-align: {look.style.align}")
    page.css(".courses", f"display: grid; grid-template-columns: repeat({columns}, 1fr); gap: {look.space(4)}px")
    page.css(".courses", f"padding-bottom: {look.space(4)}px")
    if columns == 1:
        page.css(".courses", "width: 620px; margin: 0 auto")
    page.css(".course h2", f"border-bottom: 2px solid {c.accent}; padding: 0 0 {look.space(0.75)}px; text-align: left")
    page.css(".course h2", f"margin-bottom: {look.space(1)}px; color: {c.ink}")
    page.css(".dish", f"display: grid; grid-template-columns: 1fr auto; gap: {look.space(2)}px")
    page.css(".dish", f"padding: {look.space(1)}px 0")
    page.css(".price", f"color: {c.accent if look.name != 'bold' else c.ink}; font-weight: 700; text-align: right")
    page.css(".course h3", f"font-size: {look.style.base}px; font-weight: 600")
    odd = draw.between(0, each - 1) if "odd dish" in page.quirks else -1
    blocks, dishes = [], []
    for number, course in enumerate(courses):
        rows = []
        for i, (dish, note) in enumerate(draw.some(_DISHES[course], each)):
            dishes.append(dish)
            marked = number == 0 and i == odd
            price = f"{currency}{copy.price(4, 24)}"
            if len(dishes) == 1:
                page.text(".course:first-child .dish:first-child .price", "the first price", price, "price of the dish")
            words = say("h3", dish) + say("p", note, "small")
            rows.append(tag("li", tag("div", words) + say("span", price, "price"), "dish best" if marked else "dish"))
        blocks.append(tag("section", say("h2", look.label(course)) + tag("ul", rows), "course"))
    if odd >= 0:
        page.css(".dish.best", f"background: {c.tint}; padding: {look.space(1)}px {look.space(1)}px")
        page.css(".dish.best", f"border-radius: {look.field_radius}px")
        page.tell(".dish.best", "the recommended dish", "highlighted dish", "odd row", more=1)
    body = tag("section", headline(page, season) + say("p", copy.sentence(), "muted"), "intro")
    body += tag("section", blocks, "courses")
    page.has("the list of courses", ".courses", "courses", "dishes", importance=3)
    page.tell(".intro", "the introduction", "intro")
    page.tell(".courses", "the list of courses", "courses", "menu sections", more=1)
    page.count(".course", "the courses", len(courses), "menu sections", importance=3)
    page.count(".dish", "the dishes", each * len(courses), "menu items", importance=2)
    page.sequence(".course h2", "the courses", [look.label(x) for x in courses], "menu sections")
    page.text(".course:first-child h2", "the first course", look.label(courses[0]), "first menu section")
    page.text(".course:first-child .dish:first-child h3", "the first dish", dishes[0], "first menu item")
    page.tell(".price", "the prices", "price column", more=1)
    page.tell(".course h2", "the course headings", "menu section headings")
    page.tell(".course h3", "the dish names", "names of the dishes")
    page.part("the card", "main", tag("main", body, "wrap"), "menu", "main part")
    if "odd box" in page.quirks or page.level >= 4:
        text = copy.sentence()
        page.css(".box", f"border: 2px dashed {c.second}; padding: {look.space(2)}px; text-align: center")
        page.css(".box", f"color: {c.ink}; margin-bottom: {look.space(4)}px")
        page.part("the boxed note", ".box", tag("div", say("p", text, "box"), "wrap"), "note", "dashed box")
        page.tell(".box", "the boxed note", "note", "dashed box")
        page.text(".box", "the boxed note", text, "note", "dashed box")
    footer(page)


def _dishes(text: str) -> list[tuple[str, str]]:
    return [(name.strip(), note.strip()) for name, note in (line.split("|") for line in text.strip().splitlines())]


_DISHES = {
    "To begin": _dishes("""
        Roast carrot soup | brown butter, caraway
        Beetroot and soft cheese | walnut, dill
        Flatbread from the oven | smoked salt, herb oil
        White bean salad | lemon, parsley
        Pickled cucumbers | mustard seed
        Leek tart | aged cheese, thyme
    """),
    "From the oven": _dishes("""
        Baked squash | barley, sage, seeds
        Mushroom pie | red onion, gravy
        Stuffed peppers | rice, mint, tomato
        Potato gratin | nutmeg, chives
        Aubergine bake | basil, crumbs
        Onion and apple pie | sharp cheese
    """),
    "From the pan": _dishes("""
        Herb dumplings | spinach, lemon butter
        Corn cakes | bean stew, coriander
        Green pancakes | yoghurt, radish
        Fried noodles | ginger, spring onion
        Lentil patties | cabbage, pickles
        Chestnut gnocchi | brown butter
    """),
    "On the side": _dishes("""
        New potatoes | garden herbs
        Green leaves | cider dressing
        Buttered greens | toasted almonds
        Slow tomatoes | thyme
        Fried bread | garlic
        Charred cabbage | chilli, lime
    """),
    "Something sweet": _dishes("""
        Plum crumble | oat, custard
        Burnt honey cream | sea salt
        Poppy seed cake | orange
        Pear in red tea | cardamom
        Chocolate tart | rye crust
        Lemon ice | mint
    """),
    "To drink": _dishes("""
        Elderflower water | still or sparkling
        Apple and ginger | pressed daily
        Barley coffee | with oat milk
        Mint tea | by the pot
        Cherry cordial | soda
        Spiced tomato | celery salt
    """),
}
