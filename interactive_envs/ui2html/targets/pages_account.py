"""Archetypes around a person: sign-in form, contact page, profile, settings."""

from __future__ import annotations

from interactive_envs.ui2html.targets.page import Page, say, tag
from interactive_envs.ui2html.targets.pieces import (
    art,
    art_style,
    avatar,
    button,
    card,
    field_row,
    field_styles,
    footer,
    header,
    headline,
)


def sign_in(page: Page) -> None:
    """A card with a short form; at higher levels beside a picture."""
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    page.purpose = f"a sign-in page for members of a {copy.topic.kind}"
    if page.level >= 2:
        header(page)
    wide = page.level >= 3
    title = draw.pick(("Welcome back", "Sign in to continue", "Good to see you", "Members this way", "Open your shelf"))
    label = draw.pick(("Sign in", "Continue", "Let me in", "Enter"))
    width = draw.pick((360, 380, 400))
    padding = 40 if page.level >= 2 else 80
    field_styles(page)
    page.css("main", f"padding: {padding}px 0 {look.space(6)}px")
    card(page, ".card", "the sign-in card", "card", "form card", "box", padding=4)
    page.css(".card", f"width: {width}px")
    page.tell(".card", "the sign-in card", "card", "form card", "box", only="width")
    page.css("h1", f"font-size: {look.size(3)}px; margin-bottom: {look.space(0.5)}px")
    page.css(".card .hint", f"color: {c.muted}; font-size: {look.size(-1)}px; margin-bottom: {look.space(3)}px")
    page.css(".card .hint", f"text-align: {look.style.align}")
    button(page, ".go", "the sign-in button", "button", "submit button", more=2)
    page.css(".go", "width: 100%")
    fields = [("Email", f"you@{copy.domain}", "text"), ("Password", "at least eight characters", "password")]
    if "odd field" in page.quirks or page.level == 4:
        fields.insert(0, (draw.pick(("Branch", "Member number", "Team")), "optional", "text"))
    if draw.chance(0.4):
        fields[-2] = ("User name", copy.person().split()[0].lower(), "text")
    rows = "".join(field_row(page, name, hint, kind=kind) for name, hint, kind in fields)
    hint = copy.sentence()
    form = headline(page, title) + say("p", hint, "hint") + rows
    extra = page.level >= 2
    if extra:
        page.css(".between", f"display: flex; justify-content: space-between; margin-bottom: {look.space(2.5)}px")
        page.css(".between", f"font-size: {look.size(-1)}px; color: {c.muted}; align-items: center")
        page.css(".tick", f"display: inline-block; width: 15px; height: 15px; background: {c.surface}; flex: none")
        page.css(".tick", f"border: 2px solid {c.accent}; border-radius: 3px; margin-right: 7px; vertical-align: -3px")
        keep, forgot = "Keep me signed in", draw.pick(("Forgot it?", "Lost the key?", "New password"))
        form += tag(
            "div", tag("span", tag("i", "", "tick") + say("span", keep, "keep")) + say("a", forgot, "forgot"), "between"
        )
        page.has("the check box", ".tick", "checkbox", "tick box")
        page.text(".keep", "the check box", keep, "checkbox label")
        page.text(".forgot", "the forgotten password link", forgot, "link beside the check box", "reset link")
        page.tell(".tick", "the check box", "checkbox", "tick box", only="border width")
    form += say("button", look.label(label), "go", type="button")
    if page.level >= 3:
        other = draw.pick(("Ask for a card", "Become a member", "Create an account"))
        button(page, ".new", "the second button", "outlined button", "create account button", plain=True, more=0)
        page.css(".new", f"width: 100%; margin-top: {look.space(1.25)}px")
        form += say("button", look.label(other), "new", type="button")
        page.text(".new", "the second button", look.label(other), "outlined button", "create account button")
    body = tag("form", form, "card")
    if wide:
        side = copy.line()
        page.css(".split", f"display: grid; grid-template-columns: 1fr {width}px; gap: {look.space(5)}px")
        page.css(".split", "align-items: center")
        page.css(".side h2", f"margin: {look.space(2)}px 0 {look.space(1)}px; text-align: left")
        page.css(".split .art", f"border-radius: {look.style.radius}px")
        art_style(page)
        points = [copy.sentence() for _ in range(page.level - 2)]
        page.css(".side li", f"padding: 0 0 0 {look.space(2)}px; border-left: 3px solid {c.accent}; color: {c.muted}")
        page.css(".side li", f"margin-top: {look.space(1)}px")
        panel = art(page, look.width - width - look.space(5), 230) + say("h2", side)
        panel = tag("section", panel + tag("ul", [say("li", point) for point in points]), "side")
        flip = "odd side" in page.quirks
        if flip:
            page.css(".split", f"grid-template-columns: {width}px 1fr")
        body = tag("div", body + panel if flip else panel + body, "split wrap")
        page.has("the picture panel", ".side", "picture", "illustration", importance=3)
        page.text(".side h2", "the heading of the picture panel", side, "side heading")
        page.count(".side li", "the points in the panel", len(points), "side points", "list items")
        page.tell(".split", "the page layout", "two columns", "main layout", only="grid-template-columns gap")
        order = ("the sign-in card", "the picture panel")
        page.fact("order", "the two columns", order if flip else order[::-1], ".split", "columns", importance=2)
    else:
        page.css(".card", "margin: 0 auto")
    page.has("the sign-in form", "form", "login form", "form", "card", importance=3)
    page.part("the sign-in part", "main", tag("main", body), "main part", "content", importance=2)
    page.count(".field", "the input fields", len(fields), "text fields", "inputs", importance=3)
    page.sequence("label", "the field labels", [look.label(name) for name, _, _ in fields], "labels")
    page.text("label", "the first field label", look.label(fields[0][0]), "label of the first field")
    page.text(".go", "the sign-in button", look.label(label), "button", "submit button", importance=3)
    page.text(".hint", "the hint below the heading", hint, "subtitle", "hint")
    page.tell(".card .hint", "the hint below the heading", "subtitle", "hint")
    if page.level != 2:
        footer(page)


def contact(page: Page) -> None:
    """A form beside an address panel."""
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    page.purpose = f"a contact page for a {copy.topic.kind}"
    header(page)
    field_styles(page)
    title, intro = draw.pick(("Write to us", "Say hello", "Ask us anything", "Get in touch")), copy.sentence()
    page.css(".intro", f"padding: {look.space(4)}px 0 {look.space(3)}px; text-align: {look.style.align}")
    side = 360 if "odd column" in page.quirks else 280
    flip = "odd side" in page.quirks
    page.css(".two", f"display: grid; gap: {look.space(4)}px; padding-bottom: {look.space(5)}px; align-items: start")
    page.css(".two", f"grid-template-columns: {f'{side}px 1fr' if flip else f'1fr {side}px'}")
    card(page, "form", "the contact form", "form", "message form", padding=3)
    names = ["Name", "Email", "Message"]
    if page.level >= 2:
        names.insert(2, draw.pick(("Subject", "Order number", "Reason")))
    if page.level >= 4:
        names.insert(2, draw.pick(("Telephone", "Town", "Best day to call")))
    hints = draw.some(("as on your card", "we answer in two days", "optional", "a word or two", "no rush"), 5)
    half = page.level >= 3
    page.css(".pair", f"display: grid; grid-template-columns: repeat(2, 1fr); gap: {look.space(2)}px")
    rows = [field_row(page, n, hints[i % 5], kind="area" if n == "Message" else "text") for i, n in enumerate(names)]
    if half:
        rows[:2] = [tag("div", rows[:2], "pair")]
        page.tell(".pair", "the first two fields", "paired fields", only="grid-template-columns gap")
    label = draw.pick(("Send", "Send the letter", "Post it", "Off it goes"))
    button(page, ".go", "the send button", "button", "submit button", more=2)
    rows.append(say("button", look.label(label), "go", type="button"))
    if "odd button" in page.quirks:
        page.css(".go", "width: 100%")
    form = tag("form", rows)
    page.has("the contact form", "form", "message form", importance=3)
    facts = [("Address", copy.address()), ("Letters", f"hello@{copy.domain}"), ("Open", f"{draw.pick(_OPEN)}")]
    if page.level >= 3:
        facts.append(("Telephone", f"0{draw.between(110, 199)} 555 {draw.between(100, 199):04d}"))
    page.css(".where", f"background: {c.accent}; color: {c.on_accent}; border-radius: {look.style.radius}px")
    page.css(".where", f"padding: {look.space(3)}px; border: {look.edge}")
    page.css(".where h2", f"color: {c.on_accent}; font-size: {look.size(1)}px; text-align: left")
    page.css(".where dt", f"font-weight: 700; margin-top: {look.space(1.5)}px; font-size: {look.size(-1)}px")
    top = draw.pick(("Find us", "At the door", "Other ways", "The house"))
    pairs = [say("dt", look.label(k)) + say("dd", v) for k, v in facts]
    panel = say("h2", top) + tag("dl", pairs)
    if page.level >= 2:
        art_style(page)
        page.css(".where .art", f"margin-top: {look.space(2)}px; border-radius: {look.field_radius}px; width: 100%")
        panel += art(page, side - 2 * look.space(3), 150, ground=c.surface)
        page.has("the map picture", ".where .art", "map", "illustration")
    panel = tag("aside", panel, "where")
    page.has("the address panel", "aside", "side panel", "contact details", "sidebar", importance=3)
    page.tell(".where", "the address panel", "side panel", "contact details", more=1)
    page.text(".where h2", "the heading of the address panel", top, "panel heading")
    page.count(".where dt", "the contact details", len(facts), "lines in the panel")
    page.text(".where dd", "the address", facts[0][1], "street address")
    body = tag("section", headline(page, title) + say("p", intro, "muted"), "intro")
    body += tag("div", panel + form if flip else form + panel, "two")
    page.tell(".two", "the form and panel", "two columns", "main layout", only="grid-template-columns gap")
    order = ("the contact form", "the address panel")
    page.fact("order", "the two columns", order[::-1] if flip else order, ".two", "columns", importance=2)
    page.count(".field", "the input fields", len(names), "text fields", "inputs", importance=3)
    page.sequence("label", "the field labels", [look.label(n) for n in names], "labels")
    page.text(".go", "the send button", look.label(label), "button", "submit button", importance=3)
    page.text(".intro p", "the introduction", intro, "intro text")
    page.tell(".intro", "the introduction", "intro text")
    page.part("the contact part", "main", tag("main", body, "wrap"), "main part", "content", importance=2)
    footer(page)


_OPEN = (
    "Tuesday to Sunday, 10 to 5",
    "every weekday, 9 to 4",
    "weekends only, 11 to 6",
    "Monday to Thursday, noon to 8",
)


def profile(page: Page) -> None:
    """A person with numbers, skills and recent work."""
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    page.purpose = f"a member profile page of a {copy.topic.kind}"
    header(page)
    name = copy.person()
    role = f"{draw.pick(copy.topic.acts).capitalize()}, {draw.pick(('since', 'here since'))} {draw.between(2009, 2023)}"
    page.css(".cover", f"height: 120px; background: {c.accent}; border-radius: {look.style.radius}px")
    page.css(".cover", f"margin-top: {look.space(3)}px; border: {look.edge}")
    centred = look.style.align == "center"
    page.css(".who", f"display: flex; align-items: {'center' if centred else 'flex-end'}; gap: {look.space(2.5)}px")
    page.css(".who", f"margin-top: -48px; padding: 0 {look.space(3)}px")
    if centred:
        page.css(".who", f"flex-direction: column; gap: {look.space(1)}px")
    page.css("h1", f"font-size: {look.size(3)}px; text-align: {look.style.align}")
    page.css(".who .small", f"text-align: {look.style.align}")
    page.css(".face", f"border: 4px solid {c.page}")
    face = avatar(page, name, 104, "face", draw.pick((0, 2)))
    page.css(".face", "line-height: 96px")
    label = draw.pick(("Write a letter", "Follow", "Say hello", "Ask a question"))
    button(page, ".go", "the follow button", "button", "action button")
    if not centred:
        page.css(".go", "margin-left: auto")
    top = tag(
        "div",
        face
        + tag("div", headline(page, name, "the name") + say("p", role, "small role"))
        + say("button", look.label(label), "go"),
        "who",
    )
    body = tag("section", tag("div", "", "cover") + top)
    page.has("the cover band", ".cover", "cover", "banner", "coloured band", importance=3)
    page.tell(".cover", "the cover band", "cover", "banner", more=1)
    page.has("the avatar", ".face", "profile picture", "portrait", importance=3)
    page.tell(".face", "the avatar", "profile picture", only="width border-radius border")
    page.text(".face", "the avatar", f"{name[0]}{name.split()[1][0]}", "profile picture", "initials")
    page.text(".go", "the follow button", look.label(label), "button", "action button", importance=3)
    page.text(".role", "the role line", role, "subtitle", "line below the name")
    count = draw.between(2, 3) if page.level < 3 else 4
    numbers = [(str(draw.between(3, 480)), look.label(w)) for w in draw.some(_NUMBERS, count)]
    page.css(".numbers", f"display: grid; grid-template-columns: repeat({count}, 1fr); gap: {look.space(2)}px")
    page.css(".numbers", f"margin: {look.space(3)}px 0")
    odd = draw.between(0, count - 1) if "odd card" in page.quirks else -1
    card(page, ".number", "the number cards", "statistics", "stat cards", path=".number:not(.hot)", padding=2)
    page.css(".number", "text-align: center")
    page.css(".number b", f"display: block; font-size: {look.size(3)}px; font-family: {look.style.heading}")
    cells = [
        tag("li", say("b", n) + say("span", w, "small"), "number hot" if i == odd else "number")
        for i, (n, w) in enumerate(numbers)
    ]
    if odd >= 0:
        page.css(".number.hot", f"background: {c.tint}; border: 2px solid {c.accent}")
        page.tell(".number.hot", "the highlighted number card", "highlighted card", "odd card", more=1)
    body += tag("ul", cells, "numbers")
    page.has("the row of numbers", ".numbers", "statistics", "stat cards", importance=3)
    page.tell(".numbers", "the row of numbers", "statistics", "stat cards", more=1)
    page.count(".number", "the number cards", count, "statistics", importance=3)
    page.text(".number:first-child b", "the first number", numbers[0][0], "first statistic")
    page.sequence(".number span", "the number labels", [w for _, w in numbers], "statistic labels")
    side = 340 if "odd column" in page.quirks else 270
    page.css(".two", f"display: grid; grid-template-columns: {side}px 1fr; gap: {look.space(3)}px; align-items: start")
    page.css(".two", f"padding-bottom: {look.space(4)}px")
    page.tell(".two", "the two columns", "main layout", only="grid-template-columns gap")
    card(page, ".panel", "the panels", "cards", "boxes")
    page.css(".panel h2", f"font-size: {look.size(1)}px; margin-bottom: {look.space(1.5)}px; text-align: left")
    about, recent = (
        draw.pick(("About", "In short", "A few words", "Who this is")),
        draw.pick(("Recent work", "Lately", "Diary")),
    )
    left = say("h2", about) + say("p", copy.paragraph(2 + page.level // 3))
    if page.level >= 2:
        tags = draw.some(copy.topic.acts + copy.topic.things, min(6, 2 + page.level))
        page.css(".tags", f"display: flex; flex-wrap: wrap; gap: {look.space(1)}px; margin-top: {look.space(2)}px")
        page.css(".tags li", f"background: {c.tint}; color: {c.ink}; font-size: {look.size(-1)}px")
        page.css(".tags li", f"border-radius: {min(14, look.style.radius)}px; padding: 3px {look.space(1.25)}px")
        left += tag("ul", [say("li", t) for t in tags], "tags")
        page.has("the tags", ".tags", "skills", "interests")
        page.tell(".tags li", "the tags", "skills", "interests")
        page.count(".tags li", "the tags", len(tags), "skills")
        page.sequence(".tags li", "the tags", tags, "skills")
    entries = [(copy.heading(), copy.sentence(), copy.date()) for _ in range(2 + page.level // 2)]
    page.css(".entry", f"padding: {look.space(1.5)}px 0; border-top: {look.rule}")
    page.css(".entry .when", f"float: right; color: {c.muted}; font-size: {look.size(-1)}px")
    items = [tag("li", say("span", d, "when") + say("h3", t) + say("p", s, "muted"), "entry") for t, s, d in entries]
    right = say("h2", recent) + tag("ul", items)
    body += tag("div", tag("section", left, "panel about") + tag("section", right, "panel recent"), "two")
    page.has("the biography", ".about", "about panel", "text on the person", importance=3)
    page.has("the list of entries", ".recent", "recent work", "activity list", importance=3)
    page.text(".recent h2", "the heading of the list", recent, "activity heading")
    page.text(".about h2", "the heading of the about panel", about, "biography heading")
    page.count(".entry", "the entries", len(entries), "list items", "activities")
    page.text(".entry h3", "the first entry", entries[0][0], "first activity")
    page.part("the profile", "main", tag("main", body, "wrap"), "main part", "content", importance=2)
    footer(page)


_NUMBERS = ("Visits", "Finished", "Borrowed", "Letters", "Lessons given", "Hours", "Neighbours helped", "Evenings")


def settings(page: Page) -> None:
    """Groups of switches and fields beside a list of sections."""
    look, c, copy, draw = page.look, page.look.colours, page.copy, page.draw
    page.purpose = f"an account settings page of a {copy.topic.kind}"
    header(page)
    field_styles(page)
    title = draw.pick(("Your settings", "Your preferences", "Set up your account", "How it works for you"))
    page.css("main", f"padding: {look.space(3.5)}px 0 {look.space(4)}px")
    page.css("h1", f"text-align: left; margin-bottom: {look.space(2.5)}px; font-size: {look.size(3)}px")
    body = headline(page, title)
    sides = draw.some(("Your card", "Letters", "Privacy", "Language", "Payments", "Access", "Devices", "Sounds"), 6)
    side = page.level >= 2
    groups = min(3, 1 + (page.level + 1) // 2)
    names = sides[:groups]
    main = ""
    card(page, ".group", "the setting groups", "cards", "groups", "panels")
    page.css(".group", f"margin-bottom: {look.space(2.5)}px")
    page.css(".group h2", f"font-size: {look.size(1)}px; text-align: left; margin-bottom: {look.space(1)}px")
    page.css(".set", f"display: flex; justify-content: space-between; align-items: center; gap: {look.space(3)}px")
    page.css(".set", f"padding: {look.space(1.25)}px 0; border-top: {look.rule}")
    page.css(".switch", "width: 44px; height: 24px; border-radius: 12px; flex: none; display: block; padding: 3px")
    page.css(".switch i", f"display: block; width: 18px; height: 18px; border-radius: 9px; background: {c.surface}")
    page.css(".switch.on", f"background: {c.accent}")
    page.css(".switch.off", f"background: {c.line if look.style.border < 2 else c.muted}")
    page.css(".switch.on i", "margin-left: 20px")
    on = off = 0
    first = ""
    each = draw.between(2, 3)
    options = draw.some(_OPTIONS, 9)
    for i, name in enumerate(names):
        rows = []
        for option in options[i * each : (i + 1) * each]:
            state = draw.chance(0.55)
            on, off, first = on + state, off + (not state), first or option
            words = tag("div", say("h3", option) + say("p", copy.sentence(), "small"))
            rows.append(tag("div", words + tag("span", tag("i"), f"switch {'on' if state else 'off'}"), "set"))
        main += tag("section", say("h2", look.label(name)) + "".join(rows), "group")
    page.css(".set h3", f"font-size: {look.style.base}px; font-weight: 600")
    fields = ["Display name", "Reply address"][: 1 + (page.level >= 4)]
    page.css(".pair", f"display: grid; grid-template-columns: repeat({len(fields)}, 1fr); gap: {look.space(2)}px")
    hints = (copy.person(), f"hello@{copy.domain}")
    inputs = tag("div", [field_row(page, n, h) for n, h in zip(fields, hints, strict=False)], "pair")
    label, other = draw.pick(("Save changes", "Keep these", "Store")), draw.pick(("Cancel", "Undo", "Leave as it was"))
    button(page, ".go", "the save button", "button", "submit button", more=2)
    button(page, ".no", "the cancel button", "second button", "outlined button", plain=True, more=0)
    page.css(".ends", f"display: flex; gap: {look.space(1.5)}px")
    if "odd ends" in page.quirks:
        page.css(".ends", "justify-content: flex-end")
    main += tag(
        "form",
        inputs
        + tag(
            "div",
            say("button", look.label(label), "go", type="button")
            + say("button", look.label(other), "no", type="button"),
            "ends",
        ),
    )
    if "odd danger" in page.quirks:
        text = draw.pick(("Close the account", "Remove all letters", "Forget this device"))
        page.css(".danger", f"border: 2px solid {c.second}; border-radius: {look.style.radius}px; color: {c.ink}")
        page.css(".danger", f"padding: {look.space(2)}px; margin-top: {look.space(2.5)}px")
        main += say("p", f"{text}: this cannot be undone.", "danger")
        page.has("the warning box", ".danger", "danger zone", "warning")
        page.tell(".danger", "the warning box", "danger zone", "warning", more=1)
        page.text(".danger", "the warning box", f"{text}: this cannot be undone.", "danger zone")
    if side:
        width = 270 if "odd column" in page.quirks else 200
        page.css(".two", f"display: grid; grid-template-columns: {width}px 1fr; gap: {look.space(4)}px")
        page.css(".two", "align-items: start")
        page.css("aside a", f"display: block; padding: {look.space(1)}px {look.space(1.5)}px; font-weight: 600")
        page.css("aside a", f"border-radius: {look.field_radius}px; color: {c.muted}")
        page.css("aside .here", f"background: {c.accent}; color: {c.on_accent}")
        links = sides[: min(6, groups + page.level - 1)]
        here = draw.between(0, len(links) - 1)
        menu = [say("a", link, "here" if i == here else "") for i, link in enumerate(links)]
        body += tag("div", tag("aside", menu) + tag("div", main), "two")
        page.has("the list of sections", "aside", "sidebar", "side menu", "side column", importance=3)
        page.count("aside a", "the side links", len(links), "sidebar links", "side menu items")
        page.sequence("aside a", "the side links", links, "sidebar links")
        page.tell("aside .here", "the chosen side link", "active link", "selected item", more=1)
        page.text("aside .here", "the chosen side link", links[here], "active link", "selected item")
        page.tell(".two", "the two columns", "main layout", only="grid-template-columns gap")
    else:
        page.css("main .group, main form, main h1", "width: 680px; margin-left: auto; margin-right: auto")
        body += main
    page.has("the switches", ".switch", "toggles", "toggle switches", importance=3)
    page.has("the form", "form", "fields", importance=2)
    page.count(".group", "the setting groups", groups, "cards", "groups", importance=3)
    page.count(".switch", "the switches", on + off, "toggles", importance=2)
    page.count(".switch.on", "the switches that are on", on, "active toggles", "enabled switches", importance=2)
    if on:
        page.tell(".switch.on", "the switches that are on", "active toggles", "enabled switches")
    page.sequence(".group h2", "the group headings", [look.label(n) for n in names], "section headings")
    page.text(".set h3", "the first setting", first, "first option")
    page.text(".go", "the save button", look.label(label), "button", "submit button", importance=3)
    page.text(".no", "the cancel button", look.label(other), "second button", importance=2)
    page.part("the settings", "main", tag("main", body, "wrap"), "main part", "content", importance=2)
    footer(page)


_OPTIONS = (
    "Weekly letter",
    "Quiet hours",
    "Show my name",
    "Larger text",
    "Reminders by post",
    "Share my list",
    "Evening summary",
    "Sound on arrival",
    "Keep a diary",
    "Warn of changes",
    "Group by season",
    "Open in the morning",
)
