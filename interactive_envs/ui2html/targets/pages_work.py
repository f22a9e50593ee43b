"""Archetypes of work: dashboard, month calendar, kanban board."""

from __future__ import annotations

from calendar import monthrange

from interactive_envs.ui2html.targets.page import Page, say, tag
from interactive_envs.ui2html.targets.pieces import avatar, button, card, footer, header, headline
from interactive_envs.ui2html.targets.words import DAYS, MONTHS


def dashboard(page: Page) -> None:
    """Number cards, a bar chart, a table or a list; a side menu at higher levels."""
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    page.purpose = f"a dashboard for the people who run a {copy.topic.kind}"
    side = page.level >= 3
    header(page)
    title = draw.pick(("This week", "At a glance", "Today in numbers", "The state of things", "Morning report"))
    page.css("main", f"padding: {look.space(3)}px 0 {look.space(4)}px")
    page.css("h1", f"font-size: {look.size(3)}px; text-align: left; margin-bottom: {look.space(2)}px")
    content = headline(page, title)
    count = draw.pick((2, 3)) if page.level < 3 else draw.pick((3, 4))
    labels = draw.some(_MEASURES, count)
    values = [
        draw.pick((str(draw.between(3, 990)), f"{draw.between(3, 99)}%", f"{draw.between(3, 400)} h")) for _ in labels
    ]
    odd = draw.between(0, count - 1) if "odd card" in page.quirks else -1
    tracks = "1.7fr" + " 1fr" * (count - 1) if "odd column" in page.quirks else f"repeat({count}, 1fr)"
    page.css(".cards", f"display: grid; grid-template-columns: {tracks}; gap: {look.space(2)}px")
    card(page, ".stat", "the number cards", "cards", "statistics", "tiles", path=".stat:not(.hot)", padding=2)
    page.css(".stat b", f"display: block; font-size: {look.size(4)}px; line-height: 1.25; color: {c.ink}")
    page.css(".stat b", f"font-family: {look.style.heading}")
    page.css(".up", f"color: {c.accent if look.name != 'bold' else c.ink}; font-size: {look.size(-1)}px")
    page.css(".up", "font-weight: 600")
    cells = []
    for i, (name, value) in enumerate(zip(labels, values, strict=True)):
        change = f"{draw.pick(('up', 'down'))} {draw.between(1, 30)} since {draw.pick(DAYS)}"
        inner = say("span", look.label(name), "small") + say("b", value) + say("span", change, "up")
        cells.append(tag("li", inner, "stat hot" if i == odd else "stat"))
    if odd >= 0:
        page.css(".stat.hot", f"background: {c.accent}; color: {c.on_accent}")
        page.css(".stat.hot b, .stat.hot span", "color: inherit")
        page.tell(".stat.hot", "the highlighted number card", "highlighted card", "odd card", more=1)
    content += tag("ul", cells, "cards")
    page.has("the number cards", ".cards", "cards", "statistics", importance=3)
    page.tell(".cards", "the row of cards", "cards", "statistics", more=1)
    page.count(".stat", "the number cards", count, "cards", "statistics", importance=3)
    page.sequence(".stat .small", "the card labels", [look.label(x) for x in labels], "statistic labels")
    page.text(".stat:first-child b", "the first number", values[0], "first statistic", importance=2)
    page.tell(".stat b", "the numbers in the cards", "statistics", path=".stat:not(.hot) b")
    card(page, ".panel", "the panels", "boxes", "chart and list cards")
    page.css(".panel", f"margin-top: {look.space(2)}px")
    page.css(".panel h2", f"font-size: {look.size(1)}px; text-align: left; margin-bottom: {look.space(2)}px")
    chart, heading = _bars(page)
    list_ = _rows(page) if page.level >= 2 else ""
    if page.level in (2, 4) and list_:
        page.css(".pair", f"display: grid; grid-template-columns: repeat(2, 1fr); gap: {look.space(2)}px")
        content += tag("div", chart + list_, "pair")
        page.tell(".pair", "the chart and table", "lower row", only="grid-template-columns gap")
    else:
        content += chart + list_
    page.text(".chart h2", "the heading of the chart", heading, "chart heading")
    if side:
        width = draw.pick((170, 190))
        page.css(".two", f"display: grid; grid-template-columns: {width}px 1fr; gap: {look.space(3)}px")
        page.css("aside", f"background: {c.sunken if look.style.border else c.surface}; padding: {look.space(1.5)}px")
        page.css("aside", f"border-radius: {look.style.radius}px; border: {look.edge}")
        page.css("aside a", f"display: block; padding: {look.space(1)}px {look.space(1.25)}px; color: {c.muted}")
        page.css("aside a", f"border-radius: {look.field_radius}px; font-weight: 600; font-size: {look.size(-1)}px")
        page.css("aside .here", f"background: {c.accent}; color: {c.on_accent}")
        links = [x.capitalize() for x in draw.some((*copy.topic.things, *copy.topic.acts), page.level + 1)]
        here = draw.between(0, len(links) - 1)
        menu = [say("a", x, "here" if i == here else "") for i, x in enumerate(links)]
        content = tag("div", tag("aside", menu) + tag("div", content), "two")
        page.has("the side menu", "aside", "sidebar", "side column", "side navigation", importance=3)
        page.tell("aside", "the side menu", "sidebar", "side column", more=1)
        page.count("aside a", "the side links", len(links), "sidebar links", "menu items")
        page.sequence("aside a", "the side links", links, "sidebar links")
        page.tell("aside .here", "the chosen side link", "active link", "selected item", more=1)
        page.text("aside .here", "the chosen side link", links[here], "active link")
        page.tell(".two", "the two columns", "main layout", only="grid-template-columns gap")
    page.part("the report", "main", tag("main", content, "wrap"), "main part", "content", importance=2)
    footer(page)


_MEASURES = (
    "Visitors",
    "Letters",
    "Open hours",
    "Members",
    "Loans",
    "Returns",
    "Free places",
    "Deliveries",
    "Helpers",
    "Questions",
    "Bookings",
    "Full shelves",
)


def _bars(page: Page) -> tuple[str, str]:
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    count = draw.between(5, 7) if page.level < 4 else draw.between(7, 10)
    heights = [draw.between(25, 130) for _ in range(count)]
    names = (DAYS if count <= 7 else MONTHS)[:count]
    page.css(".bars", f"display: flex; align-items: flex-end; gap: {look.space(1.5)}px; height: 160px")
    page.css(".bars", f"border-bottom: {look.rule}")
    page.css(".bars li", "flex: 1; text-align: center")
    page.css(".bar", f"display: block; background: {c.accent}; border-radius: {look.field_radius // 2}px")
    page.css(".bars .small", "display: block; line-height: 1.6")
    odd = heights.index(max(heights)) if "odd bar" in page.quirks else -1
    items = [
        tag("li", tag("i", "", "bar hot" if i == odd else "bar", style=f"height: {h}px") + say("span", n[:3], "small"))
        for i, (h, n) in enumerate(zip(heights, names, strict=True))
    ]
    page.tell(".bar", "the bars", "columns of the chart", path=".bar:not(.hot)", more=1)
    if odd >= 0:
        page.css(".bar.hot", f"background: {c.second}")
        page.tell(".bar.hot", "the highest bar", "highlighted bar", "differing bar", more=1)
    heading = f"{draw.pick(copy.topic.things).capitalize()} {draw.pick(('by day', 'so far', 'counted', 'over time'))}"
    page.has("the bar chart", ".chart", "chart", "graph", "bars", importance=3)
    page.count(".bar", "the bars", count, "columns of the chart", importance=2)
    page.tell(".bars", "the bar chart", "chart", "graph", only="gap")
    page.sequence(".bars .small", "the bar labels", [n[:3] for n in names], "axis labels")
    return tag("section", say("h2", heading) + tag("ul", items, "bars"), "panel chart"), heading


def _rows(page: Page) -> str:
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    count, heads = 3 + page.level // 2, ["Name", "Day", "State"]
    page.css("th", f"text-align: left; color: {c.muted}; font-size: {look.size(-1)}px; font-weight: 600")
    page.css("td, th", f"padding: {look.space(0.9)}px {look.space(0.5)}px; border-bottom: {look.rule}")
    page.css("td", f"font-size: {look.size(-1)}px")
    page.css(".tag", f"display: inline-block; background: {c.tint}; color: {c.ink}; padding: 2px {look.space(1)}px")
    page.css(".tag", f"border-radius: {min(12, look.style.radius)}px; font-size: {look.size(-1)}px")
    page.css(".tag.late", f"background: {c.second}; color: {c.on_second}")
    people = [copy.person() for _ in range(count)]
    late = draw.between(0, count - 1)
    rows = [
        [
            say("td", name),
            say("td", draw.pick(DAYS)),
            tag(
                "td",
                say(
                    "span",
                    draw.pick(("done", "open", "waiting")) if i != late else "late",
                    "tag late" if i == late else "tag",
                ),
            ),
        ]
        for i, name in enumerate(people)
    ]
    heading = draw.pick(("Who is in", "Latest", "On the list", "Expected"))
    body = tag("thead", tag("tr", [say("th", look.label(h)) for h in heads])) + tag(
        "tbody", [tag("tr", r) for r in rows]
    )
    page.has("the table", "table", "list of people", "rows", importance=3)
    page.count("tbody tr", "the table rows", count, "people", "rows", importance=2)
    page.count("thead th", "the table columns", 3, "columns of the table")
    page.text("tbody td", "the first name in the table", people[0], "first row")
    page.text(".list h2", "the heading of the table", heading, "list heading")
    page.tell(".tag.late", "the late tag", "differing tag", "highlighted tag", more=1)
    page.tell(".tag", "the state tags", "tags", "badges", path=".tag:not(.late)")
    return tag("section", say("h2", heading) + tag("table", body), "panel list")


def calendar(page: Page) -> None:
    """A month, seven columns, with entries."""
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    page.purpose = f"a month calendar for a {copy.topic.kind}"
    header(page)
    month, year = draw.between(0, 11), draw.between(2024, 2031)
    start, length = monthrange(year, month + 1)
    title = f"{MONTHS[month]} {year}"
    page.css("main", f"padding: {look.space(3)}px 0 {look.space(4)}px")
    page.css(
        ".top", f"display: flex; justify-content: space-between; align-items: center; margin-bottom: {look.space(2)}px"
    )
    page.css("h1", f"text-align: left; font-size: {look.size(3)}px")
    top = headline(page, title, "the month")
    label = draw.pick(("Add a date", "New entry", "Put it down"))
    button(page, ".add", "the add button", "button", "new entry button")
    page.text(".add", "the add button", look.label(label), "button", "new entry button", importance=3)
    body = tag("div", top + say("button", look.label(label), "add"), "top")
    gap = draw.pick((0, 4, 6)) if look.style.border else draw.pick((6, 8))
    tracks = (
        "repeat(7, minmax(0, 1fr))" if "odd column" not in page.quirks else "repeat(5, minmax(0, 1fr)) 0.75fr 0.75fr"
    )
    page.css(".month", f"display: grid; grid-template-columns: {tracks}; gap: {gap}px")
    if "odd column" in page.quirks:
        page.fact("columns", "the calendar grid", 7, ".month", "month grid", measure="grid-template-columns")
        page.has("the narrow weekend", ".month", "narrow columns", "weekend columns")
    else:
        page.tell(".month", "the calendar grid", "month grid", only="grid-template-columns gap", more=1)
    page.css(".weekday", f"font-size: {look.size(-1)}px; font-weight: 700; color: {c.muted}; text-align: center")
    page.css(".weekday", f"padding: {look.space(0.75)}px 0")
    page.css(".day", f"background: {c.surface}; border: {look.edge}; min-height: 78px; padding: 6px")
    page.css(".day", f"border-radius: {min(look.style.radius, 10)}px; font-size: {look.size(-1)}px; overflow: hidden")
    if gap == 0:
        page.css(".month", f"padding: 0 {look.style.border}px {look.style.border}px 0")
        page.css(".day", f"margin: 0 -{look.style.border}px -{look.style.border}px 0; border-radius: 0")
    page.css(".day.off", f"background: {c.sunken}; color: {c.muted}")
    page.css(".entry", f"display: block; background: {c.tint}; color: {c.ink}; padding: 2px 5px; margin-top: 3px")
    page.css(".entry", f"border-radius: {min(6, look.style.radius)}px; font-size: {max(11, look.size(-1) - 1)}px")
    page.css(".entry", "line-height: 1.35")
    days = [say("div", look.label(d[:3]), "weekday") for d in DAYS]
    free = draw.some(range(1, length + 1), 4 + 2 * page.level)
    today, entries = free[0], sorted(free[1 : 3 + page.level * 2])
    odd = draw.pick(entries) if "odd entry" in page.quirks else 0
    for _ in range(start):
        days.append(tag("div", "", "day off"))
    labels = []
    for day in range(1, length + 1):
        inner = say("span", str(day), "digit")
        if day in entries:
            labels.append(draw.pick((*copy.topic.acts, *_MEETINGS)).capitalize())
            inner += say("span", labels[-1], "entry hot" if day == odd else "entry")
        days.append(tag("div", inner, "day today" if day == today else "day"))
    for _ in range(-(start + length) % 7):
        days.append(tag("div", "", "day off"))
    page.css(".day.today", f"border: 2px solid {c.accent}; background: {c.tint}")
    page.css(".day.today .digit", "font-weight: 800")
    if odd:
        page.css(".entry.hot", f"background: {c.second}; color: {c.on_second}")
        page.tell(".entry.hot", "the highlighted entry", "differing entry", "odd entry", more=1)
    page.tell(".day", "the day cells", "days", "cells", path=".day:not(.off):not(.today)")
    page.tell(".day.today", "the marked day", "today", "highlighted day", more=1)
    page.text(".day.today .digit", "the marked day", str(today), "today", "highlighted day")
    page.tell(".entry", "the entries", "events", "dates", path=".entry:not(.hot)", more=1)
    page.count(".entry", "the entries", len(entries), "events", importance=3)
    page.count(".day:not(.off)", "the days", length, "day cells", importance=2)
    page.count(".weekday", "the weekday headings", 7, "weekdays", "columns")
    page.text(".entry", "the first entry", labels[0], "first event")
    page.sequence(".weekday", "the weekday headings", [look.label(d[:3]) for d in DAYS], "weekdays")
    page.tell(".weekday", "the weekday headings", "weekdays")
    body += tag("section", days, "month")
    page.has("the month grid", ".month", "calendar grid", "days", importance=3)
    if page.level >= 3:
        kinds = [copy.good() for _ in range(page.level - 1)]
        page.css(".key", f"display: flex; gap: {look.space(3)}px; margin-top: {look.space(2.5)}px")
        page.css(".key li", f"color: {c.muted}; font-size: {look.size(-1)}px; display: flex; align-items: center")
        page.css(".key i", f"width: 12px; height: 12px; margin-right: {look.space(0.75)}px; background: {c.accent}")
        page.css(".key i", f"border-radius: {draw.pick((0, 6))}px; display: block")
        body += tag("ul", [tag("li", tag("i") + say("span", k)) for k in kinds], "key")
        page.has("the key", ".key", "legend", importance=3)
        page.count(".key li", "the lines of the key", len(kinds), "legend entries")
        page.tell(".key i", "the marks of the key", "legend dots")
        page.sequence(".key span", "the lines of the key", kinds, "legend entries")
    page.part("the calendar", "main", tag("main", body, "wrap"), "main part", "content", importance=2)
    if page.level >= 4:
        text = copy.sentence()
        page.css(".next", f"background: {c.sunken}; padding: {look.space(2)}px; color: {c.ink}; text-align: center")
        page.part("the line below", ".next", say("p", text, "next"), "note", "reminder")
        page.text(".next", "the line below", text, "note", "reminder")
        page.tell(".next", "the line below", "note", "reminder")
    footer(page)


_MEETINGS = ("open day", "stock take", "guests", "meeting", "closed", "fair", "clean-up", "lesson")


def board(page: Page) -> None:
    """Columns of cards."""
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    page.purpose = f"a task board for the helpers of a {copy.topic.kind}"
    header(page)
    count = 3 if page.level < 3 else draw.pick((3, 4))
    names = [look.label(n) for n in draw.pick(_LANES)[:count]]
    title = draw.pick(("What is on the bench", "Jobs for the season", "Open work", "This month together"))
    page.css("main", f"padding: {look.space(3)}px 0 {look.space(4)}px")
    page.css(
        ".top",
        f"display: flex; justify-content: space-between; align-items: center; margin-bottom: {look.space(2.5)}px",
    )
    page.css("h1", f"text-align: left; font-size: {look.size(3)}px")
    top = headline(page, title)
    label = draw.pick(("Add a card", "New job", "Write one"))
    button(page, ".add", "the add button", "button", "new card button")
    page.text(".add", "the add button", look.label(label), "button", "new card button", importance=3)
    people = [copy.person() for _ in range(2 + page.level // 2)]
    crew = ""
    if page.level >= 2:
        page.css(
            ".crew", f"display: flex; gap: {look.space(0.75)}px; margin-left: auto; margin-right: {look.space(2)}px"
        )
        crew = tag("div", [avatar(page, p, 36, tone=i) for i, p in enumerate(people)], "crew")
        page.has("the avatars", ".crew", "people", "team", "initials", importance=3)
        page.count(".crew .avatar", "the avatars", len(people), "people", "initials")
        page.tell(".avatar", "the avatars", "people", "initials", only="width border-radius")
    body = tag("div", top + crew + say("button", look.label(label), "add"), "top")
    wide = draw.between(0, count - 1) if "odd column" in page.quirks else -1
    tracks = " ".join("1.4fr" if i == wide else "1fr" for i in range(count))
    page.css(".lanes", f"display: grid; grid-template-columns: {tracks}; gap: {look.space(2)}px; align-items: start")
    page.css(".lane", f"background: {c.sunken}; border-radius: {look.style.radius}px; padding: {look.space(1.5)}px")
    page.css(".lane h2", f"font-size: {look.size(1)}px; text-align: left; margin-bottom: {look.space(1.5)}px")
    page.css(".lane h2", "display: flex; justify-content: space-between")
    page.css(".lane h2 span", f"color: {c.muted}; font-weight: 400")
    odd_lane = draw.between(0, count - 1) if "odd lane" in page.quirks else -1
    card(page, ".job", "the cards", "tasks", "jobs", path=".job:not(.hot)", padding=1.5)
    page.css(".job", f"margin-bottom: {look.space(1.25)}px")
    page.css(".job h3", f"font-size: {look.style.base}px; margin-bottom: {look.space(0.5)}px")
    page.css(".job .tag", f"display: inline-block; background: {c.tint}; color: {c.ink}; font-size: {look.size(-1)}px")
    page.css(".job .tag", f"padding: 1px {look.space(1)}px; border-radius: {min(10, look.style.radius)}px")
    page.css(".job .tag", f"margin-top: {look.space(1)}px")
    sizes = [draw.between(2, 3) if page.level < 4 else draw.between(2, 4) for _ in names]
    hot = draw.between(0, sum(sizes) - 1) if "odd card" in page.quirks else -1
    lanes, titles, tagged = [], [], 0
    for i, (name, size) in enumerate(zip(names, sizes, strict=True)):
        jobs = []
        for _ in range(size):
            titles.append(f"{draw.pick(_VERBS)} the {draw.pick(copy.topic.things)}")
            inner = say("h3", titles[-1])
            if draw.chance(0.65):
                inner += say("p", copy.sentence(), "small")
            if page.level >= 2 and draw.chance(0.5):
                tagged += 1
                inner += say("span", draw.pick((*DAYS, "soon", "urgent", "small", "together")), "tag")
            jobs.append(tag("article", inner, "job hot" if len(titles) - 1 == hot else "job"))
        head = tag("h2", say("b", name) + say("span", str(size)))
        lanes.append(tag("section", [head, *jobs], "lane other" if i == odd_lane else "lane"))
    if hot >= 0:
        page.css(".job.hot", f"background: {c.accent}; color: {c.on_accent}")
        page.css(".job.hot h3, .job.hot p", "color: inherit")
        page.tell(".job.hot", "the highlighted card", "odd card", "coloured card", more=1)
    if odd_lane >= 0:
        page.css(".lane.other", f"background: {c.tint}")
        page.css(".lane.other", f"border: 2px dashed {c.accent}")
        page.tell(".lane.other", "the differing column", "highlighted column", "odd lane", more=1)
    page.css(".lane h2 b", "font-weight: inherit")
    page.tell(".lane", "the columns", "lanes", "lists", path=".lane:not(.other)", more=1)
    page.tell(".lanes", "the board", "lanes", "columns", more=1)
    page.count(".lane", "the columns", count, "lanes", "lists", importance=3)
    page.count(".job", "the cards", sum(sizes), "tasks", "jobs", importance=2)
    for i, size in enumerate(sizes):
        page.count(f".lane:nth-child({i + 1}) .job", f"the cards in {names[i]}", size, f"tasks in {names[i]}")
    page.sequence(".lane h2 b", "the column headings", names, "lanes", "columns")
    page.text(".lane:first-child .job h3", "the first card", titles[0], "first task")
    page.tell(".job h3", "the card titles", "task titles", path=".job:not(.hot) h3")
    if tagged:
        page.count(".job .tag", "the tags", tagged, "labels")
        page.tell(".job .tag", "the tags", "labels")
    body += tag("section", lanes, "lanes")
    page.has("the columns of cards", ".lanes", "lanes", "board", importance=3)
    page.part("the board", "main", tag("main", body, "wrap"), "main part", "content", importance=2)
    footer(page)


_LANES = (
    ("To do", "Begun", "Waiting", "Done"),
    ("Ideas", "Next", "Now", "Finished"),
    ("Inbox", "This week", "In hand", "Put away"),
    ("Spring", "Summer", "Autumn", "Winter"),
)
_VERBS = ("Sort", "Count", "Clean", "Label", "Move", "Photograph", "Repair", "Order", "Air", "Inspect", "Wrap", "Lend")
