"""Archetypes of buying: pricing table, product page, invoice."""

from __future__ import annotations

from interactive_envs.ui2html.targets.page import Page, say, tag
from interactive_envs.ui2html.targets.pieces import art, art_style, button, card, footer, header, headline


def pricing(page: Page) -> None:
    """Plans side by side; perhaps a table of what each has."""
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    page.purpose = f"a pricing page for the memberships of a {copy.topic.kind}"
    header(page)
    count = draw.pick((2, 3)) if page.level < 3 else draw.pick((3, 4))
    names = [look.label(n) for n in draw.some(_PLANS, count)]
    lines = draw.between(3, 4) if page.level < 4 else 5
    currency = draw.pick(("£", "€", "$"))
    title, intro = copy.line(), copy.sentence()
    page.css(".intro", f"padding: {look.space(4.5)}px 0 {look.space(3.5)}px; text-align: {look.style.align}")
    body = tag("section", headline(page, title) + say("p", intro, "muted"), "intro")
    best = draw.between(0, count - 1) if "odd plan" in page.quirks else -1
    tracks = [("1.35fr" if "odd column" in page.quirks and i == max(best, 0) else "1fr") for i in range(count)]
    page.css(".plans", f"display: grid; grid-template-columns: {' '.join(tracks)}; gap: {look.space(2.5)}px")
    page.css(".plans", f"padding-bottom: {look.space(5)}px; align-items: start")
    card(page, ".plan", "the plan cards", "plans", "pricing cards", "cards", path=".plan:not(.best)", padding=3)
    page.css(".amount", f"font-size: {look.size(4)}px; font-weight: 700; font-family: {look.style.heading}")
    page.css(".amount", f"margin: {look.space(1)}px 0")
    page.css(".plan li", f"padding: {look.space(0.75)}px 0; border-top: {look.rule}; font-size: {look.size(-1)}px")
    page.css(".plan ul", f"margin: {look.space(2)}px 0")
    button(page, ".choose", "the plan buttons", "buttons", "choose buttons", plain="odd button" in page.quirks)
    page.css(".choose", "display: block")
    amounts = sorted(draw.between(2, 60) for _ in range(count))
    per = draw.pick(("a month", "a season", "a year"))
    label = copy.action()
    points = draw.some(_POINTS, len(_POINTS))
    cells = []
    for i, name in enumerate(names):
        inner = say("h3", name)
        if i == best:
            inner = say("span", look.label("Most chosen"), "badge") + inner
        inner += say("p", f"{currency}{amounts[i]}", "amount") + say("p", per, "small")
        many = [points[(i + j) % len(points)] for j in range(lines + (0 if page.level < 4 else i % 2))]
        inner += tag("ul", [say("li", p) for p in many]) + say("a", look.label(label), "choose")
        cells.append(tag("section", inner, "plan best" if i == best else "plan"))
        page.text(f".plan:nth-child({i + 1}) .amount", f"the price of the {name} plan", f"{currency}{amounts[i]}", name)
    if best >= 0:
        page.css(".plan.best", f"background: {c.tint}; border: 3px solid {c.accent}")
        page.css(".badge", f"background: {c.second}; color: {c.on_second}; font-size: {look.size(-1)}px")
        page.css(".badge", f"border-radius: {min(12, look.style.radius)}px; padding: 2px {look.space(1)}px")
        page.css(".badge", f"display: inline-block; margin-bottom: {look.space(1)}px; font-weight: 600")
        page.tell(".plan.best", "the highlighted plan", "recommended plan", "highlighted card", more=1)
        page.tell(".badge", "the badge", "label of the highlighted plan", "ribbon", more=1)
        page.text(".badge", "the badge", look.label("Most chosen"), "label of the highlighted plan", "ribbon")
        page.text(".plan.best h3", "the highlighted plan", names[best], "recommended plan")
    body += tag("div", cells, "plans")
    page.has("the plan cards", ".plans", "plans", "pricing cards", importance=3)
    page.tell(".plans", "the row of plans", "plans", "pricing cards", more=1)
    page.count(".plan", "the plan cards", count, "plans", "pricing cards", "columns", importance=3)
    page.sequence(".plan h3", "the plan names", names, "plans")
    page.text(".choose", "the plan buttons", look.label(label), "buttons", "choose buttons", importance=3)
    page.tell(".amount", "the prices", "amounts", "price text", more=1)
    page.count(".plan:first-child li", "the points of the first plan", lines, "features of the first plan")
    page.text(".intro p", "the introduction", intro, "intro text")
    page.tell(".intro", "the introduction", "intro text")
    page.part("the plans", "main", tag("main", body, "wrap"), "main part", "content", importance=2)
    if page.level >= 3:
        _questions(page)
    footer(page)


_PLANS = ("Bench", "Window", "Attic", "Cellar", "Friend", "Neighbour", "Household", "Patron", "Sprout", "Branch", "Oak")
_POINTS = (
    "One visit a week",
    "Use of the tool wall",
    "A shelf of your own",
    "Two guests a month",
    "Evening hours",
    "Letters by post",
    "Half price courses",
    "A key to the side gate",
    "Help on Fridays",
    "Free tea",
)


def _questions(page: Page) -> None:
    look, c, copy = page.look, page.look.colours, page.copy
    asked = ["Can I change later?", "Is there a trial?", "Do children count?", "What if I move away?"][: page.level - 1]
    page.css(".asked", f"flex: 1 0 auto; background: {c.sunken}; padding: {look.space(4)}px 0")
    page.css(".asked h2", f"margin-bottom: {look.space(2)}px")
    page.css(".asked dl", f"display: grid; grid-template-columns: repeat(2, 1fr); gap: {look.space(2.5)}px")
    page.css(".asked dt", "font-weight: 700")
    top = copy.heading()
    pairs = [tag("div", say("dt", q) + say("dd", copy.sentence(), "muted")) for q in asked]
    html = tag("section", tag("div", say("h2", top) + tag("dl", pairs), "wrap"), "asked")
    page.part("the common questions", ".asked", html, "frequently asked questions", "questions")
    page.tell(".asked", "the common questions", "frequently asked questions", more=1)
    page.tell(".asked dl", "the common questions", "frequently asked questions", only="grid-template-columns gap")
    page.count(".asked dt", "the common questions", len(asked), "frequently asked questions")
    page.text(".asked h2", "the heading of the questions", top, "questions heading")


def product(page: Page) -> None:
    """One thing, its picture and what to know; related things below."""
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    page.purpose = f"a product page in the shop of a {copy.topic.kind}"
    header(page)
    name, text = copy.good(), copy.paragraph(2)
    price = f"{draw.pick(('£', '€', '$'))}{copy.price(6, 90)}"
    main = ""
    page.css("main", f"padding: {look.space(3)}px 0 {look.space(5)}px")
    if page.level >= 2:
        trail = [*copy.nav(2), name]
        page.css(".crumbs", f"color: {c.muted}; font-size: {look.size(-1)}px; margin-bottom: {look.space(2)}px")
        main += say("p", " / ".join(trail), "crumbs")
        page.has("the breadcrumbs", ".crumbs", "breadcrumb trail", importance=2)
        page.text(".crumbs", "the breadcrumbs", " / ".join(trail), "breadcrumb trail")
        page.tell(".crumbs", "the breadcrumbs", "breadcrumb trail")
    wide = draw.pick((400, 440, 480)) + (60 if "odd column" in page.quirks else 0)
    flip = "odd side" in page.quirks
    page.css(".two", f"display: grid; gap: {look.space(5)}px; align-items: start")
    page.css(".two", f"grid-template-columns: {f'1fr {wide}px' if flip else f'{wide}px 1fr'}")
    page.css(".shot .art", f"border: {look.edge}; border-radius: {look.style.radius}px; width: {wide}px")
    art_style(page)
    shot = art(page, wide, draw.pick((300, 340, 360)))
    small = 3 if page.level >= 3 else 0
    if small:
        page.css(".thumbs", f"display: grid; grid-template-columns: repeat(3, 1fr); gap: {look.space(1.5)}px")
        page.css(".thumbs", f"margin-top: {look.space(1.5)}px")
        page.css(".thumbs .art", "width: 100%")
        each = (wide - 2 * look.space(1.5)) // 3
        shot += tag("div", [art(page, each, 84) for _ in range(small)], "thumbs")
        page.has("the small pictures", ".thumbs", "thumbnails")
        page.count(".thumbs .art", "the small pictures", small, "thumbnails")
        page.tell(".thumbs", "the small pictures", "thumbnails", only="grid-template-columns gap")
    page.css(".price", f"font-size: {look.size(2)}px; font-weight: 700; margin: {look.space(1)}px 0 {look.space(2)}px")
    page.css(".price", f"color: {c.second if look.name != 'bold' else c.ink}")
    page.css(".about", f"color: {c.muted}; margin-bottom: {look.space(2.5)}px")
    page.css("h1", f"font-size: {look.size(3)}px; text-align: left")
    label = draw.pick(("Add to basket", "Take it home", "Order one", "Put it aside"))
    button(page, ".buy", "the buy button", "button", "order button", more=2)
    info = headline(page, name, "the product name") + say("p", price, "price") + say("p", text, "about")
    if page.level >= 2:
        kinds = draw.some(("Small", "Medium", "Large", "Pair", "Set of six", "Gift"), min(4, page.level))
        chosen = draw.between(0, len(kinds) - 1)
        page.css(".kinds", f"display: flex; gap: {look.space(1)}px; margin-bottom: {look.space(2.5)}px")
        page.css(".kinds li", f"background: {c.surface}; border: {look.field_edge}; color: {c.ink}")
        page.css(
            ".kinds li", f"border-radius: {look.field_radius}px; padding: {look.space(0.75)}px {look.space(1.5)}px"
        )
        page.css(".kinds li", f"font-size: {look.size(-1)}px")
        page.css(".kinds .on", f"background: {c.ink}; color: {c.page}")
        info += tag("ul", [say("li", k, "on" if i == chosen else "") for i, k in enumerate(kinds)], "kinds")
        page.has("the choice of sizes", ".kinds", "options", "variants", importance=3)
        page.tell(".kinds li", "the sizes", "options", "variants", path=".kinds li:not(.on)")
        page.tell(".kinds .on", "the chosen size", "selected option", "active option", more=1)
        page.text(".kinds .on", "the chosen size", kinds[chosen], "selected option")
        page.count(".kinds li", "the sizes", len(kinds), "options", "variants")
        page.sequence(".kinds li", "the sizes", kinds, "options")
    buttons = say("button", look.label(label), "buy")
    if page.level >= 4:
        button(page, ".later", "the second button", "outlined button", "wish list button", plain=True, more=0)
        buttons += say("button", look.label("For later"), "later")
        page.text(".later", "the second button", look.label("For later"), "outlined button")
    page.css(".acts", f"display: flex; gap: {look.space(1.5)}px")
    if "odd button" in page.quirks:
        page.css(".buy", "flex: 1")
    info += tag("div", buttons, "acts")
    facts = [(k, draw.pick(v)) for k, v in draw.some(_DETAILS, 2 + page.level // 2)]
    page.css(".details", f"margin-top: {look.space(3)}px; font-size: {look.size(-1)}px")
    page.css(".details th", f"text-align: left; color: {c.muted}; font-weight: 400; width: 130px")
    page.css(".details td, .details th", f"padding: {look.space(0.9)}px 0; border-top: {look.rule}")
    rows = [tag("tr", say("th", k) + say("td", v)) for k, v in facts]
    info += tag("table", rows, "details")
    page.has("the table of details", ".details", "details table", "specifications", importance=3)
    page.count(".details tr", "the rows of details", len(facts), "specifications", importance=2)
    page.sequence(".details th", "the rows of details", [k for k, _ in facts], "specifications")
    page.text(".details td", "the first detail", facts[0][1], "first specification")
    left, right = tag("div", shot, "shot"), tag("section", info)
    main += tag("div", right + left if flip else left + right, "two")
    page.has("the product picture", ".shot .art", "image", "photo", importance=3)
    page.tell(".shot .art", "the product picture", "image", "photo", path=".shot > .art")
    page.tell(".two", "the two columns", "main layout", only="grid-template-columns gap")
    order = ("the product picture", "the description")
    page.fact("order", "the two columns", order[::-1] if flip else order, ".two", "columns", importance=2)
    page.text(".price", "the price", price, "amount", importance=3)
    page.tell(".price", "the price", "amount", more=1)
    page.text(".about", "the description", text, "product text")
    page.tell(".about", "the description", "product text", only="color")
    page.text(".buy", "the buy button", look.label(label), "button", "order button", importance=3)
    if page.level >= 3:
        count = draw.pick((3, 4))
        others = [copy.good() for _ in range(count)]
        page.css(".more", f"margin-top: {look.space(5)}px")
        page.css(".more h2", f"margin-bottom: {look.space(2)}px")
        page.css(".grid", f"display: grid; grid-template-columns: repeat({count}, 1fr); gap: {look.space(2)}px")
        card(page, ".grid li", "the related cards", "related products", "cards", padding=1.5)
        page.css(".grid .art", f"width: 100%; margin-bottom: {look.space(1)}px; border-radius: {look.field_radius}px")
        cells = [tag("li", art(page, 220, 110) + say("h3", o) + say("p", copy.price(), "small")) for o in others]
        page.css(".grid h3", f"font-size: {look.style.base}px")
        top = draw.pick(("Goes well with", "From the same shelf", "Others took", "Near by"))
        main += tag("section", say("h2", top) + tag("ul", cells, "grid"), "more")
        page.has("the related products", ".more", "related items", "suggestions", importance=3)
        page.tell(".grid", "the related products", "related items", only="grid-template-columns gap")
        page.count(".grid li", "the related cards", count, "related products", importance=2)
        page.sequence(".grid h3", "the related names", others, "related products")
        page.text(".more h2", "the heading of the related products", top, "related heading")
    page.part("the product", "main", tag("main", main, "wrap"), "main part", "content", importance=2)
    footer(page)


_DETAILS = (
    ("Material", ("oak and linen", "stoneware", "waxed cotton", "recycled steel", "paper and thread")),
    ("Weight", ("180 grams", "420 grams", "1.2 kilos", "65 grams")),
    ("Made in", ("our own rooms", "the next village", "the old hall")),
    ("Care", ("wipe with a cloth", "wash by hand", "keep it dry", "oil once a year")),
    ("Delivery", ("three days", "by bicycle", "to your door on Fridays", "fetch it yourself")),
    ("Stock", ("twelve left", "made to order", "a few each week")),
)


def invoice(page: Page) -> None:
    """A sheet with two addresses, a table of lines, and a sum."""
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    page.purpose = f"an invoice page from a {copy.topic.kind}"
    if page.level >= 3:
        header(page, links=3)
    number = f"{draw.pick(('No.', 'Invoice', 'Bill'))} {draw.between(120, 989)}"
    page.css("main", f"padding: {look.space(4)}px 0")
    card(page, ".sheet", "the sheet", "paper", "card", padding=5)
    page.css(".sheet", "width: 800px; margin: 0 auto")
    page.css(".top", f"display: flex; justify-content: space-between; gap: {look.space(3)}px")
    page.css(".top", f"border-bottom: 3px solid {c.accent}; padding: 0 0 {look.space(2)}px; align-items: flex-end")
    page.css(".top .from", f"text-align: right; color: {c.muted}; font-size: {look.size(-1)}px")
    page.css(".top .from b", f"display: block; color: {c.ink}; font-size: {look.size(1)}px")
    where, when = copy.address(), copy.date()
    top = headline(page, number) + tag("p", say("b", copy.brand, "firm") + say("span", where), "from")
    page.css("h1", "text-align: left")
    body = tag("div", top, "top")
    page.text(".firm", "the sender", copy.brand, "company name", "seller")
    page.tell(".top .from", "the sender", "company name", "seller")
    person, town = copy.person(), copy.address()
    metas = [("Billed to", f"{person}, {town}"), ("Date", when), ("Due in", f"{draw.pick((10, 14, 30))} days")]
    metas = metas[: 2 + (page.level >= 2)]
    page.css(".meta", f"display: grid; grid-template-columns: 2fr{' 1fr' * (len(metas) - 1)}; gap: {look.space(3)}px")
    page.css(".meta", f"margin: {look.space(3)}px 0")
    page.css(".meta dt", f"color: {c.muted}; font-size: {look.size(-1)}px; font-weight: 600")
    body += tag("dl", [tag("div", say("dt", look.label(k)) + say("dd", v)) for k, v in metas], "meta")
    page.has("the row of particulars", ".meta", "details", "addresses", importance=3)
    page.tell(".meta", "the row of particulars", "details", only="grid-template-columns gap")
    page.sequence(".meta dt", "the particulars", [look.label(k) for k, _ in metas], "details")
    page.text(".meta dd", "the customer", metas[0][1], "recipient", "billing address")
    heads = ["Item", "Quantity", "Price", "Amount"]
    if page.level >= 4:
        heads.insert(1, "Code")
    count = draw.between(3, 4) + page.level // 2 + (page.level == 5)
    page.css("thead th", f"background: {c.accent}; color: {c.on_accent}; text-align: left; font-weight: 600")
    page.css("thead th", f"padding: {look.space(1.25)}px {look.space(1.5)}px; font-size: {look.size(-1)}px")
    page.css("td", f"padding: {look.space(1.25)}px {look.space(1.5)}px; border-bottom: {look.rule}")
    page.css(".num", "text-align: right")
    page.css("thead th.num", "text-align: right")
    if draw.chance(0.5):
        page.css("tbody tr:nth-child(even)", f"background: {c.sunken}")
        page.tell(
            "tbody tr:nth-child(even)",
            "every second row",
            "striped rows",
            "even rows",
            path="tbody tr:nth-child(even):not(.odd)",
        )
    odd = draw.between(0, count - 1) if "odd row" in page.quirks else -1
    currency, total = draw.pick(("£", "€", "$")), 0
    rows, goods = [], []
    for i in range(count):
        good, many, each = copy.good(), draw.between(1, 9), draw.between(3, 60) * 50
        goods.append(good)
        total += many * each
        cells = [good, str(many), f"{each / 100:.2f}", f"{many * each / 100:.2f}"]
        if page.level >= 4:
            cells.insert(1, f"{draw.pick('KLMRST')}{draw.between(10, 99)}")
        first = len(cells) - 3
        row = [say("td", v, "num" if j >= first else "") for j, v in enumerate(cells)]
        rows.append(tag("tr", row, "odd" if i == odd else ""))
    if odd >= 0:
        page.css("tbody tr.odd", f"background: {c.tint}; color: {c.ink}; font-weight: 700")
        page.tell("tbody tr.odd", "the highlighted row", "marked row", "odd row", more=1)
    head = [say("th", look.label(h), "num" if j >= len(heads) - 3 else "") for j, h in enumerate(heads)]
    body += tag("table", tag("thead", tag("tr", head)) + tag("tbody", rows))
    page.has("the table of items", "table", "table", "list of items", importance=3)
    page.count("tbody tr", "the table rows", count, "items", "rows", importance=3)
    page.count("thead th", "the table columns", len(heads), "columns", importance=2)
    page.sequence("thead th", "the column headings", [look.label(h) for h in heads], "table columns")
    page.tell("thead th", "the table head", "heading row", "column headings", only="background color padding", more=1)
    page.tell("thead th.num", "the amounts", "numbers", "price column", only="text-align", path="td.num")
    page.text("tbody td", "the first item", goods[0], "item in the first row")
    tax = draw.pick((5, 8, 20)) if page.level >= 2 else 0
    sums = [("Sum", total)] if tax else []
    if tax:
        sums += [(f"Tax {tax}%", round(total * tax / 100))]
    sums += [("Total", total + round(total * tax / 100))]
    page.css(".sums", f"width: {draw.pick((260, 300, 340))}px; margin: {look.space(2.5)}px 0 0 auto")
    page.css(".sums div", f"display: flex; justify-content: space-between; padding: {look.space(0.75)}px 0")
    page.css(".sums div:last-child", f"font-weight: 700; font-size: {look.size(1)}px; border-top: 2px solid {c.ink}")
    if "odd total" in page.quirks:
        page.css(".sums div:last-child", f"background: {c.second}; color: {c.on_second}; border-top: none")
        page.css(".sums div:last-child", f"padding: {look.space(1)}px {look.space(1.5)}px")
    lines = [tag("div", say("dt", k) + say("dd", f"{currency}{v / 100:,.2f}")) for k, v in sums]
    body += tag("dl", lines, "sums")
    page.has("the sum", ".sums", "totals", "total", importance=3)
    page.text(".sums div:last-child dd", "the total", f"{currency}{sums[-1][1] / 100:,.2f}", "sum", importance=3)
    page.tell(".sums div:last-child", "the total", "sum", "total line", more=1)
    page.tell(".sums", "the sum", "totals", only="width")
    page.count(".sums div", "the lines of the sum", len(sums), "totals")
    if page.level >= 2:
        note = copy.sentence()
        page.css(".note", f"background: {c.sunken}; color: {c.muted}; padding: {look.space(2)}px")
        page.css(".note", f"margin-top: {look.space(3)}px; border-radius: {look.field_radius}px")
        page.css(".note", f"font-size: {look.size(-1)}px; text-align: {look.style.align}")
        body += say("p", note, "note")
        page.has("the note", ".note", "remark", "note below the table", importance=3)
        page.tell(".note", "the note", "remark", "note below the table")
        page.text(".note", "the note", note, "remark", "note below the table")
    page.part(
        "the sheet", ".sheet", tag("main", tag("article", body, "sheet")), "invoice", "paper", "card", importance=2
    )
    footer(page)
