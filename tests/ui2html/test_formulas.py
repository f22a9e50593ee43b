"""Formal questions: what is read, what is refused with a reason, and that every answer is what a browser measures."""

from __future__ import annotations

import random

import pytest

from interactive_envs.judges.base import Verdict
from interactive_envs.parsing import Unreadable
from interactive_envs.ui2html.env import UI2HtmlEnv
from interactive_envs.ui2html.formulas import (
    COLOURS,
    EXAMPLES,
    KINDS,
    NUMBERS,
    OF_PAGE,
    RULES,
    TEXT,
    WORDS,
    Formula,
    Term,
    read_formula,
)
from interactive_envs.ui2html.judge.formal import Sheet, compare, decide
from interactive_envs.ui2html.judge.offline import PageJudge
from interactive_envs.ui2html.rendering.browser import Browser
from interactive_envs.ui2html.rules import judge_request, missing_part, read_message
from interactive_envs.ui2html.targets.designs import Design, facts, fixed, html

TARGET = """<!doctype html><style>*{margin:0;padding:0}body{background:#f7f1e3;font:16px/20px sans-serif;color:#222}
div{position:absolute}.card{background:#fff;border:3px solid #111;border-radius:12px;box-shadow:0 2px 8px #000}
h1{position:absolute;left:60px;top:20px;font:italic 700 40px/48px serif;color:#7d2b2b}</style><body>
<h1>Ash Bakery</h1>
<div class=card style="left:60px;top:100px;width:294px;height:150px"><p>One card</p><p>of two lines</p></div>
<div class=card style="left:400px;top:104px;width:394px;height:150px"><p>TWO</p><p>more</p></div>
<div style="left:60px;top:320px;width:120px;height:40px;background:#336699;color:#fff;line-height:40px">Order</div>"""
MINE = TARGET.replace("width:294px", "width:250px").replace("Ash", "Oak").replace("#336699", "#c03020")
TRUE = """
width(card 1) = 300 | width(card 2) = 400 | width(card 1) < width(card 2) | width(card) > mine | left(card 1) = mine
left(card 2) = 400 | right(card 1) = 360 | top(card 2) = 104 | bottom(card 1) = 256 | middle(card 1) = 210
height(card 1) >= 156px | gap(card 1) = 40 | border(card 1) = 3 | radius(card 2) = 12 | shadow(card 1) = yes
background(card 1) = #fff | background(card 1) = #FFFEFE | lightness(page) > 94 | red(page) = 247 | blue(page) = 227
width(page) = 1024 | height(page) = 768 | background(page) = #f7f1e3 | background(page) = mine
size(heading 1) = 40 | weight(heading 1) = 700 | font(heading 1) = serif | italic(heading 1) = yes
color(heading 1) = #7d2b2b | color(heading 1) != #000000 | text(heading 1) = "ash bakery" | text(heading 1) < "m"
text(heading 1) > "Ash" | text(heading 1) != mine | words(heading 1) = 2 | lines(heading 1) = 1
count(card) = 2 | count(button) = 1 | count(heading) = mine | count(field) = 0 | count(text) = 4 | count(badge) < 1
background(button 1) = #336699 | background(button 1) != mine | text(button) = "Order" | capitals(text 2) = yes
text(text 2) = "TWO" | text(text 3) = "of two lines" | font(button 1) = sans-serif | width(button 1) ≥ 120
"""


def formula(text: str) -> Formula:
    read = read_formula(text)
    assert isinstance(read, Formula), (text, read)
    return read


@pytest.fixture(scope="module")
def sheets(remembering: Browser) -> tuple[Sheet, Sheet]:
    return Sheet(remembering.render(TARGET)), Sheet(remembering.render(MINE))


@pytest.mark.parametrize("text", [part.strip() for line in TRUE.strip().splitlines() for part in line.split("|")])
def test_what_the_style_sheet_says_is_what_is_measured(sheets: tuple[Sheet, Sheet], text: str) -> None:
    asked = formula(text)
    assert decide(asked, *sheets).truth is True
    opposite = {"=": "!=", "!=": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}[asked.relation]
    assert decide(Formula(asked.left, opposite, asked.right), *sheets).truth is False


@pytest.mark.parametrize("relation", ["=", "!=", "<", ">", "<=", ">="])
def test_of_a_part_that_the_target_has_not_every_relation_is_false(sheets: tuple[Sheet, Sheet], relation: str) -> None:
    assert decide(formula(f"width(card 3) {relation} 300"), *sheets).truth is False
    assert decide(formula(f"width(card 1) {relation} width(card 3)"), *sheets).truth is False


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("wibble(card 1) > 3", "There is no property 'wibble'; the properties are left, right"),
        ("width(zebra 1) > 3", "There is no kind 'zebra'; the kinds are page, button"),
        ("width(card 0) > 3", "Parts are counted from 1."),
        ("width(card 1)", "A formula needs a relation and a value"),
        ("width(card 1) > wide", "width needs a number, not wide."),
        ("background(card 1) > #fff", "background can only be compared with = and !=."),
        ("background(card 1) = white", "background needs #rrggbb or mine."),
        ("font(heading 1) = Garamond", "font is one of serif, sans-serif, monospace."),
        ("text(heading 1) = Ash", "text needs a text in quotes"),
        ("text(page) = mine", "The page has no text; it has width, height"),
        ("count(card 2) = 2", "count needs a kind, such as count(card)."),
        ("count(page) = 1", "count needs a kind, such as count(card)."),
        ("width(card 1) = color(card 1)", "width and color cannot be compared."),
    ],
)
def test_a_bad_formula_is_invalid_with_a_reason(text: str, reason: str) -> None:
    read = read_formula(text)
    assert isinstance(read, Unreadable)
    assert read.reason.startswith(reason)
    assert read_message(f"<ask>{text}</ask>") == read


def test_every_formula_of_the_grammar_is_read_and_decided(sheets: tuple[Sheet, Sheet]) -> None:
    rng = random.Random(5)
    for _ in range(600):
        kind = rng.choice([*KINDS, "page"])
        name = rng.choice(OF_PAGE if kind == "page" else [*NUMBERS, *COLOURS, *WORDS, TEXT])
        part = kind if kind == "page" else rng.choice([kind, f"{kind} {rng.randint(1, 4)}"])
        relation, value = rng.choice(["=", "!=", "<", ">", "<=", ">="]), str(rng.randint(0, 900))
        if name in COLOURS or name in WORDS:
            relation = rng.choice(["=", "!="])
            value = f"#{rng.randrange(16**6):06x}" if name in COLOURS else rng.choice(WORDS[name])
        elif name == TEXT:
            value = '"m"'
        read = formula(f"{name}({part}) {relation} {value}")
        assert decide(read, *sheets).truth in (True, False)
        assert read_formula(str(read) if name != TEXT else f'{read.left} {relation} "m"') == read


def test_sentences_are_no_formulas() -> None:
    for text in (
        "Compared with the target, should I make the header darker?",
        "Is the width of the cards more than 300 px?",
        "Should I (only) make the cards wider?",
        "Does the target have at least three cards (plans)?",
    ):
        assert read_formula(text) is None


def test_the_rules_name_the_whole_grammar_and_their_examples_can_be_read() -> None:
    for word in (*KINDS, *NUMBERS, *COLOURS, *WORDS, TEXT, "count", "mine", "page"):
        assert word in RULES
    for example in EXAMPLES:
        assert isinstance(read_formula(example), Formula)
        assert f"<ask>{example}</ask>" in RULES


def test_texts_go_by_the_alphabet_and_colours_by_what_is_seen() -> None:
    assert compare("apple", "<", "Banana")
    assert not compare("Banana", "<", "apple")
    assert formula('text(button 1) < "m"').left == Term("text", "button", 1)


@pytest.mark.usefixtures("chromium")
def test_every_judge_decides_a_formula_by_rules_and_a_screenshot_tells_of_the_page_only(browser: Browser) -> None:
    request = judge_request("question", "width(card 1) > mine", {"html": TARGET}, MINE, "")
    assert request.decide is not None
    verdict = PageJudge().judge(request)
    assert verdict == request.decide() == Verdict("yes", verdict.detail, source="rules")
    assert judge_request("question", "Is the card wider?", {"html": TARGET}, MINE, "").decide is None
    picture = browser.render(TARGET)._replace(tree=())
    known, own = Sheet(picture), Sheet(browser.render(MINE))
    assert decide(formula("width(card 1) > 3"), known, own).truth is None
    assert decide(formula("lightness(page) > 90"), known, own).truth is True


@pytest.mark.usefixtures("chromium")
def test_a_dialogue_with_formulas() -> None:
    env = UI2HtmlEnv(case="page-01", rounds=3)
    env.reset(seed=0)
    page = "<!DOCTYPE html><html><body><h1>Hi</h1></body></html>"
    said = [
        f"{page}\n<ask>count(heading) > mine</ask>",
        "<ask>width(card 1) > mine</ask>",
        "Q: background(page) = #ff0000",
        "<ask>Should I frobnicate the zebra?</ask>",
    ]
    heard = [env.step(text)[0] for text in said]
    env.close()
    assert heard == [
        "Yes.\nRounds left: 2.",
        'Not read: "mine" has no value for card 1: your page has no card. Try again; this one is free.\n'
        "Rounds left: 2.",
        "No.\nRounds left: 1.",
        "Cannot tell. This cost no round (1 of 3 free attempts used).\nRounds left: 1.",
    ]


KINDS_SHOWN = """<!doctype html><style>*{margin:0;padding:0}body{font:16px/24px sans-serif}.b{border:1px solid #333}
div,p{margin-bottom:8px}</style><body>
<header style="background:#246;color:#fff;padding:20px"><b style="font-size:24px">Ash &amp; Co</b> <a>Home</a></header>
<div class=b style="width:200px"><p>Two texts</p><p>in a box</p></div>
<div class=b style="width:200px;padding:20px">One short text</div>
<div class=b style="width:200px;height:120px">One text in a tall box</div>
<div class=b style="width:600px">One text in a wide box</div>
<div class=b style="width:400px">One text of more than forty characters, in a box</div>
<div class=b style="width:60px;line-height:20px">new</div>
<div style="width:80px;height:80px;background:#c33"></div>
<div style="width:300px;border-bottom:1px solid #333"><p>Over a line</p></div>
<svg width=90 height=60><rect width=90 height=60 fill="#2a6"/></svg>
<p><input class=b value=text> <input type=checkbox></p>
<p style="font-size:19px">Large letters</p><p style="font-size:18px">Nearly large ones</p>
<footer style="background:#eee">All the rest</footer>"""


@pytest.mark.usefixtures("chromium")
def test_parts_are_counted_as_the_rules_say(browser: Browser) -> None:
    sheet = Sheet(browser.render(KINDS_SHOWN))
    assert {kind: len(parts) for kind, parts in sheet.parts.items()} == {
        "button": 1,  # one short text
        "badge": 1,  # less than 25 px high
        "field": 1,
        "choice": 1,
        "band": 2,  # header and footer
        "card": 4,  # two texts; one text in a box too tall, too wide, or of too many characters
        "shape": 1,
        "line": 1,
        "image": 1,
        "heading": 2,  # the site name and the large letters
        "text": 5,  # the link, the two in a card, over a line, nearly large ones
    }
    assert decide(formula('text(heading 1) = "Ash & Co"'), sheet, None).truth
    assert decide(formula("words(heading 1) = 3"), sheet, None).truth
    assert decide(formula("width(band 1) = width(band 2)"), sheet, None).truth


@pytest.mark.parametrize(
    ("term", "reason"),
    [
        ("width(card 6)", '"mine" has no value for card 6: your page has only 4 cards.'),
        ("width(band 3)", '"mine" has no value for band 3: your page has only 2 bands.'),
        ("width(shape 2)", '"mine" has no value for shape 2: your page has only 1 shape.'),
        ("gap(shape)", '"mine" has no value for shape 1: shape 1 of your page has no gap.'),
        ("size(card 1)", '"mine" has no value for card 1: card 1 of your page has no size.'),
    ],
)
@pytest.mark.usefixtures("chromium")
def test_mine_of_a_part_that_the_page_lacks_is_refused_with_the_reason(term: str, reason: str) -> None:
    assert missing_part(f"{term} > mine", KINDS_SHOWN) == reason


@pytest.mark.every(7)
@pytest.mark.parametrize("design", fixed()[3::10], ids=lambda design: design.id)
def test_formulas_agree_with_what_the_targets_were_drawn_from(remembering: Browser, design: Design) -> None:
    """A second computation: the declared style of the page and of its main heading, and how many fields it has."""
    sheet = Sheet(remembering.render(html(design)))
    known = {(fact.path, fact.kind): fact.value for fact in facts(design)}
    assert decide(formula(f"background(page) = {known['body', 'background']}"), sheet, None).truth
    title = known["h1", "text"]
    places = [place for place in range(1, 9) if sheet.measure(Term("text", "heading", place)) == title]
    assert places, (title, design.id)
    part = f"heading {places[0]}"
    for asked in (
        f"size({part}) = {known['h1', 'size']}",
        f"weight({part}) = {known['h1', 'weight']}",
        f"font({part}) = {known['h1', 'font']}",
        f"color({part}) = {known['h1', 'colour']}",
    ):
        assert decide(formula(asked), sheet, None).truth, asked
