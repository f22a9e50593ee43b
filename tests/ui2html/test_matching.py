"""Elements that are seen, and which stands for which."""

from __future__ import annotations

import pytest

from interactive_envs.ui2html.rendering.browser import Browser
from interactive_envs.ui2html.rendering.matching import Element, Role, assign, elements, family, kinship, match, words
from interactive_envs.ui2html.rendering.tree import Box
from interactive_envs.ui2html.targets.designs import fixed, html

STYLE = "<!doctype html><style>body{margin:0;font:16px sans-serif}</style>"


@pytest.fixture(scope="module")
def browser(remembering: Browser) -> Browser:
    return remembering


def of(browser: Browser, body: str) -> tuple[Element, ...]:
    return elements(browser.render(STYLE + body).tree)


def only(browser: Browser, body: str) -> Element:
    found = of(browser, body)
    assert len(found) == 1, found
    return found[0]


ROLES = {
    "<p>Some words": Role.TEXT,
    "<p>One <b>two</b> three": Role.TEXT,
    "<a href=x>Home</a>": Role.LINK,
    "<u>Home</u>": Role.LINK,
    "<button>Send</button>": Role.BUTTON,
    "<div style='display:inline-block;background:#06c;padding:10px 20px'><span>Send</span></div>": Role.BUTTON,
    "<span style='background:#fc0;padding:1px 6px'>New</span>": Role.BADGE,
    "<input placeholder=Name>": Role.FIELD,
    "<textarea></textarea>": Role.FIELD,
    "<select><option>One</select>": Role.FIELD,
    "<input type=checkbox>": Role.CHOICE,
    "<svg width=90 height=50><rect width=90 height=50 fill=red /></svg>": Role.IMAGE,
    "<div style='width:40px;height:40px;background:red'></div>": Role.SHAPE,
    "<hr style='border:0;height:2px;background:#333'>": Role.RULE,
    "<div style='border-top:2px solid #333;height:9px'></div>": Role.RULE,
    "<div style='background:#eee;padding:40px'>A panel about nothing much, as wide as it can be</div>": Role.PANEL,
}


@pytest.mark.parametrize("body", ROLES)
def test_an_element_has_the_role_it_looks_like(browser: Browser, body: str) -> None:
    assert only(browser, body).role == ROLES[body]


def test_larger_text_is_a_heading_whatever_its_tag(browser: Browser) -> None:
    body = "<p>" + "Common words of the page. " * 5 + "</p>"
    for large in ("<h2>Title</h2>", "<div style='font-size:24px'>Title</div>"):
        assert [e.role for e in of(browser, large + body)] == [Role.HEADING, Role.TEXT]


def test_colours_are_those_that_are_seen(browser: Browser) -> None:
    found = only(browser, "<div style='background:#000'><p style='opacity:0.5;color:#fff'>Grey on black</p></div>")
    assert found.background[:3] == (0, 0, 0)
    assert found.colour[:3] == (128, 128, 128)


def test_a_wrapper_that_paints_nothing_is_no_element(browser: Browser) -> None:
    bare = of(browser, "<p>One</p><p>Two</p>")
    wrapped = of(browser, "<div><section style='background:#fff'><p>One</p><div><p>Two</p></div></section></div>")
    assert [(e.role, e.text) for e in bare] == [(e.role, e.text) for e in wrapped]


def test_a_card_of_the_ground_is_seen_by_its_border(browser: Browser) -> None:
    found = of(browser, "<div style='border:1px solid #888;width:200px'><p>One</p><p>Two</p></div>")
    assert [e.role for e in found] == [Role.PANEL, Role.TEXT, Role.TEXT]


def test_what_lies_under_an_opaque_box_is_not_seen(browser: Browser) -> None:
    cover = "<div style='position:absolute;inset:0 0 300px 0;background:#ddd'></div>"
    assert [e.role for e in of(browser, f"<p>Secret</p>{cover}")] == [Role.SHAPE]
    over = "<div style='position:absolute;inset:0 0 300px 0;background:#222'></div>"
    assert "Open" in [e.text for e in of(browser, f"{over}<p style='position:relative;color:#fff'>Open</p>")]


@pytest.mark.every(5)
@pytest.mark.parametrize("design", fixed()[2::5], ids=lambda design: design.id)
def test_every_element_of_a_target_stands_for_itself(browser: Browser, design: object) -> None:
    tree = browser.render(html(design)).tree  # type: ignore[arg-type]
    found = match(tree, tree)
    assert len(found.target) >= 8
    assert [(pair.target, pair.page) for pair in found.pairs] == [(i, i) for i in range(len(found.target))]
    assert (found.missing, found.extra) == ((), ())


def test_elements_that_trade_places_are_known_by_their_words(browser: Browser) -> None:
    one = of(browser, "<p>Bread and butter</p><p>Tea with milk</p><p>Open until eight</p>")
    other = of(browser, "<p>Open until eight</p><p>Bread and butter</p><p>Tea with milk</p>")
    assert [(pair.target, pair.page) for pair in assign(one, other).pairs] == [(0, 1), (1, 2), (2, 0)]


def test_a_text_in_other_words_is_known_by_its_place(browser: Browser) -> None:
    one = of(browser, "<h1>Bread and butter</h1><p>Tea</p>")
    other = of(browser, "<h1>Warm socks now</h1><p>Tea</p>")
    assert [(pair.target, pair.page) for pair in assign(one, other).pairs] == [(0, 0), (1, 1)]


def test_what_plays_the_same_part_is_matched_in_other_words_100_pixels_lower(browser: Browser) -> None:
    menu = "<p><a>{}</a> &nbsp; <a>{}</a></p><h1>{}</h1><p>{}</p><button>{}</button><p>{}</p>"
    one = of(browser, menu.format("Home", "Diary", "Bread and butter", "Fresh at six", "Order", "Elm Street"))
    page = menu.format("Start", "About", "Warm woollen socks", "Made by hand", "Buy", "Since 1999")
    other = of(browser, f"<div style='height:100px'></div>{page}")
    assert [(pair.target, pair.page) for pair in assign(one, other).pairs] == [(i, i) for i in range(len(one))]


def test_a_button_does_not_stand_for_a_picture_or_a_text(browser: Browser) -> None:
    one = of(browser, "<p>Bread and butter</p><svg width=90 height=40><rect width=90 height=40 fill=red /></svg>")
    assert assign(one, of(browser, "<button style='width:90px;height:40px'>Send</button>")).pairs == ()


def test_matching_is_the_same_from_either_side(browser: Browser) -> None:
    one, other = (browser.render(html(design)).tree for design in fixed()[:2])
    there, back = match(one, other), match(other, one)
    assert sum(p.similarity for p in there.pairs) == pytest.approx(sum(p.similarity for p in back.pairs))


def test_what_stands_for_nothing_is_missing_or_extra() -> None:
    text = Element(Role.TEXT, 0, Box(0, 0, 90, 20), text="Tea", text_box=Box(0, 0, 90, 20), lines=1, size=16)
    picture = Element(Role.IMAGE, 1, Box(600, 500, 300, 200))
    found = assign([text], [picture, text])
    assert [(pair.target, pair.page) for pair in found.pairs] == [(0, 1)]
    assert (found.missing, found.extra) == ((), (0,))
    assert assign([], [text]).extra == (0,)
    assert elements(()) == ()


def test_more_elements_than_are_compared_stay_extra() -> None:
    many = [Element(Role.SHAPE, i, Box(i % 50 * 20.0, i // 50 * 20.0, 10, 10 + i % 7)) for i in range(1300)]
    found = assign(many[:3], many)
    assert len(found.pairs) + len(found.extra) == 1300


def test_kinship_is_symmetric_and_full_for_the_same() -> None:
    for one in Role:
        assert kinship(one, one) == 1
        for other in Role:
            assert kinship(one, other) == kinship(other, one)


def test_words_and_families_are_read() -> None:
    assert words("Don't pay €4,50!") == ["Don", "'", "t", "pay", "€", "4", ",", "50", "!"]
    assert family('"Segoe UI", Roboto') == "sans-serif"
    assert family("ui-monospace, Menlo") == "monospace"
    assert family("Palatino, sans-serif") == "serif"
