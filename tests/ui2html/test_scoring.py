"""Scores of pages: full for the target, nothing for a blank page, and harm costs what it harms."""

from __future__ import annotations

import importlib.resources
import io
import itertools
import json
import re
from collections.abc import Mapping

import hypothesis
import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from PIL import Image

from interactive_envs.ui2html.judge.floor import _floor, floor_of, guesses
from interactive_envs.ui2html.judge.scoring import Scores, explain, score
from interactive_envs.ui2html.reference_page import draft_of
from interactive_envs.ui2html.rendering.browser import Browser, Render, shared
from interactive_envs.ui2html.rendering.colour import Colour
from interactive_envs.ui2html.rendering.tree import EMPTY, Box, Node, Side
from interactive_envs.ui2html.targets.designs import Design, fixed, html, request
from tests.ui2html.damage import FLAWS, LADDER, flawed, move, retype

FEW = fixed()[2::5]
NOTHING = Scores(0, 0, 0, 0, 0)
FULL = Scores(20, 20, 20, 20, 20)
PAGE = """<!doctype html><style>body{margin:0;font-family:sans-serif;background:#fff;color:#222}
header{background:#124;color:#fff;padding:20px} .card{background:#eef;border:1px solid #99b;padding:16px;width:300px;
margin:20px} button{background:#c30;color:#fff;border:0;padding:12px 24px}</style>
<header><h1>Harbour notes</h1></header><div class=card><h2>First boat</h2><p>It leaves before the bakers wake.</p>
<button>Book a seat</button></div><p>Write to us by Friday.</p>"""


def with_more(more: str) -> str:
    return PAGE + more


def as_screenshot(render: Render) -> Render:
    return render._replace(tree=())


@pytest.fixture(scope="module")
def browser(remembering: Browser) -> Browser:
    return remembering


@pytest.fixture(scope="module")
def page(browser: Browser) -> Render:
    return browser.render(PAGE)


@pytest.fixture(scope="module")
def blank(browser: Browser) -> Render:
    return browser.render("")


def check_ends(browser: Browser, design: Design) -> None:
    target = browser.render(html(design))
    for known in (target, as_screenshot(target)):
        assert score(known, target) == FULL, design.id
        for colour in ("#ffffff", "#222244", "#f7f1e3"):
            assert score(known, browser.render(f'<body style="background:{colour}">')) == NOTHING, (design.id, colour)


@pytest.mark.every(7)
@pytest.mark.parametrize("design", FEW, ids=lambda design: design.id)
def test_the_target_has_all_and_a_blank_page_of_any_colour_nothing(browser: Browser, design: Design) -> None:
    check_ends(browser, design)


@pytest.mark.long
@pytest.mark.parametrize("design", fixed(), ids=lambda design: design.id)
def test_every_target_has_all_and_a_blank_page_nothing(browser: Browser, design: Design) -> None:
    check_ends(browser, design)


def raw(target: Render, page: Render) -> list[float]:
    known = explain(target, page)
    return [float(known[name]) for name in Scores._fields]  # type: ignore[arg-type]


def check_ladder(browser: Browser, design: Design, kind: str, every: int = 1) -> None:
    harm, grades, concerned = LADDER[kind]
    grades = grades[::-every][::-1]
    text = html(design)
    target = browser.render(text)
    steps = [raw(target, target), *(raw(target, browser.render(harm(text, grade))) for grade in grades)]
    place = Scores._fields.index(concerned)
    worth = [step[place] for step in steps]
    assert worth == sorted(worth, reverse=True), worth
    assert worth[-1] < worth[0]
    total = [sum(step) for step in steps]
    # Rows that move by as much as they are apart are taken for each other, and look less displaced than they are.
    assert all(later <= before + 0.02 for before, later in itertools.pairwise(total)), total
    assert total[-1] < total[0]
    lost = {name: 1 - value for name, value in zip(Scores._fields, steps[-1], strict=True)}
    # Shorter texts move what stands beside them.
    others = {"component", "style"} if kind == "cut" else {*lost} - {concerned}
    assert all(lost[concerned] > lost[name] for name in others), lost


@pytest.mark.every(14)
@pytest.mark.parametrize("kind", LADDER)
@pytest.mark.parametrize("design", FEW[::2], ids=lambda design: design.id)
def test_growing_harm_costs_more_and_most_where_it_is_done(browser: Browser, design: Design, kind: str) -> None:
    check_ladder(browser, design, kind, every=2)


@pytest.mark.long
@pytest.mark.parametrize("kind", LADDER)
def test_growing_harm_to_any_target_costs_more_and_most_where_it_is_done(browser: Browser, kind: str) -> None:
    for design in fixed():
        check_ladder(browser, design, kind)


@pytest.mark.long
def test_pages_of_other_targets_score_low(browser: Browser) -> None:
    renders = {design: browser.render(html(design)) for design in fixed()}
    alike, unlike = [], []
    for number, one in enumerate(renders):
        for other in list(renders)[number % 4 :: 4]:
            if one is not other:
                totals = alike if one.archetype == other.archetype else unlike
                totals.append(score(renders[one], renders[other]).total)
    assert np.mean(alike) < 60
    assert np.mean(unlike) < 40


@pytest.mark.every(5)
@pytest.mark.parametrize("design", FEW[::2], ids=lambda design: design.id)
def test_words_that_nobody_can_ask_for_hardly_count(browser: Browser, design: Design) -> None:
    """The words of short texts do: they can be asked for as they are."""
    target, other = browser.render(html(design)), browser.render(retype(html(design), 1.0))
    found = score(target, other)
    assert found.component >= 17
    assert found.layout >= 15
    assert found.style >= 16
    assert 14 <= found.text < 20


@pytest.mark.every(5)
@pytest.mark.parametrize("design", FEW[1::2], ids=lambda design: design.id)
def test_a_page_in_other_words_that_is_moved_and_larger_has_the_same_components(
    browser: Browser, design: Design
) -> None:
    other = move(retype(html(design), 1.0), 60, 1.1)
    assert score(browser.render(html(design)), browser.render(other)).component >= 14


LIKELY = """<!doctype html><style>body{margin:0;font-family:sans-serif;background:#fff;color:#222}
header{display:flex;justify-content:space-between;padding:20px 60px;border-bottom:1px solid #ddd}
header b{font-size:20px} nav a{margin-left:20px;color:#444;font-size:14px} .hero{padding:60px} h1{font-size:40px;
margin:0 0 16px} .hero p{font-size:18px;color:#555} .cards{display:grid;grid-template-columns:1fr 1fr;gap:24px;
padding:40px 60px} .card{background:#f5f5f5;border-radius:8px;padding:24px} .call{display:inline-block;color:#fff;
background:#2563eb;padding:12px 24px;border-radius:8px;font-weight:bold} footer{padding:24px;text-align:center;
color:#777;font-size:13px}</style><header><b>Bird Watch</b><nav><a>Home</a><a>About</a><a>Contact</a></nav></header>
<div class=hero><h1>Welcome to the birds</h1><p>Discover a world of feathers and song with us today.</p>
<a class=call>Get started</a></div><div class=cards><div class=card><h3>Learn</h3><p>Find out about many species.</p>
</div><div class=card><h3>Join</h3><p>Become a member of the club.</p></div></div><footer>Bird Watch, 2025</footer>"""


def test_a_likely_page_has_a_part_of_each_dimension(browser: Browser) -> None:
    landing = next(design for design in fixed() if design.archetype == "landing")
    found = score(browser.render(html(landing)), browser.render(LIKELY))
    assert all(8 <= part <= 16 for part in found), found


def gains(browser: Browser, design: Design) -> list[int]:
    """What each right correction of a flawed page brings."""
    text = html(design)
    target, flaws = browser.render(text), flawed(text)
    before = score(target, browser.render(flaws)).total
    better = [page for name in FLAWS if (page := flawed(text, name)) != flaws]
    return [score(target, browser.render(page)).total - before for page in better]


def check_gains(found: list[int]) -> None:
    assert np.mean([gain >= 0 for gain in found]) >= 0.9, found
    assert np.mean([gain > 0 for gain in found]) >= 0.7, found


def test_a_single_right_correction_seldom_lowers_and_mostly_raises_the_total(browser: Browser) -> None:
    found = gains(browser, FEW[0])
    assert len(found) >= 5
    check_gains(found)


@pytest.mark.long
def test_a_single_right_correction_of_any_target_mostly_raises_the_total(browser: Browser) -> None:
    check_gains([gain for design in fixed() for gain in gains(browser, design)])


def drafts() -> dict[str, str]:
    """The page of each labelled draft by its target's id."""
    labels = importlib.resources.files("interactive_envs.ui2html.judge") / "data" / "labels"
    found = {}
    for part in "12":
        for line in (labels / f"questions_{part}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            found[row["target"]] = (labels / f"drafts_{part}" / f"{row['draft']}.html").read_text("utf-8")
    return found


def is_copy(target: str, draft: str) -> bool:
    """Whether a draft is a copy of its target with some changes: it has the words, a page of one's own cannot."""
    known, found = (
        set(re.findall(r"\b[a-z]{4,}\b", re.sub("(?s)<style.*?</style>|<[^<>]*>", " ", text)))
        for text in (target, draft)
    )
    return len(known & found) > 0.5 * len(known)


def check_drafts(browser: Browser, designs: tuple[Design, ...]) -> None:
    pages, copies, own, others = drafts(), [], [], []
    half = len(designs) // 2
    for one, other in zip(designs, (*designs[half:], *designs[:half]), strict=True):
        target = browser.render(html(one))
        found = score(target, browser.render(pages[one.id]))
        (copies if is_copy(html(one), pages[one.id]) else own).append(found.total)
        if one.archetype != other.archetype:
            others.append(score(target, browser.render(html(other))).total)
    assert min(copies) > np.mean(own) + 15, (copies, own)
    assert 30 <= np.mean(own) <= 55, own
    assert np.mean(others) < min(40, np.mean(own) - 2), (others, own)


def test_drafts_lie_between_other_targets_and_copies(browser: Browser) -> None:
    check_drafts(browser, FEW[1::2])


@pytest.mark.long
def test_all_drafts_lie_between_other_targets_and_copies(browser: Browser) -> None:
    check_drafts(browser, fixed())


def given(design: Design, browser: Browser, page: str) -> Scores:
    """What a page gets as players' do: above what the request alone gives."""
    text = html(design)
    return score(browser.render(text), browser.render(page), floor_of({"html": text}, request(design)))


@pytest.mark.every(20)
@pytest.mark.parametrize("design", FEW, ids=lambda design: design.id)
def test_above_the_floor_the_target_has_100_a_blank_page_0_and_the_request_alone_next_to_nothing(
    browser: Browser, design: Design
) -> None:
    assert given(design, browser, html(design)) == FULL
    assert given(design, browser, "") == NOTHING
    pages = [guess.html() for guess in guesses(request(design))]
    assert np.mean([given(design, browser, page).total for page in pages]) <= 5


@pytest.mark.long
def test_over_all_targets_pages_made_from_the_request_alone_get_at_most_5() -> None:
    """The template's, and those that others built from the request before there was a floor."""
    browser, pages = shared(), drafts()
    template = [given(design, browser, draft_of(request(design)).html()).total for design in fixed()]
    own = [given(one, browser, pages[one.id]).total for one in fixed() if not is_copy(html(one), pages[one.id])]
    assert np.mean(template) <= 5
    assert np.mean(own) <= 5
    assert len(own) >= 30


def test_the_floor_is_the_same_each_time_and_its_guesses_know_the_request_only(browser: Browser) -> None:
    target, wish = {"html": html(fixed()[0])}, request(fixed()[0])
    first = floor_of(target, wish)
    _floor.cache_clear()
    assert floor_of(target, wish) == first
    assert all(0 < value < 1 for value in first)
    assert floor_of(target, "") != first


@pytest.mark.every(20)
@pytest.mark.parametrize("kind", LADDER)
@pytest.mark.parametrize("design", FEW[::2], ids=lambda design: design.id)
def test_above_the_floor_harm_never_raises_the_score(browser: Browser, design: Design, kind: str) -> None:
    harm, grades, concerned = LADDER[kind]
    steps = [given(design, browser, harm(html(design), grade)) for grade in (grades[1], grades[3])]
    worth = [20, *(getattr(step, concerned) for step in steps)]
    assert worth == sorted(worth, reverse=True)
    assert 100 >= steps[0].total >= steps[1].total - 1


HIDDEN = {
    "white on white": "<p style='color:#fff'>{}</p>",
    "nearly white on white": "<p style='color:#fafafa'>{}</p>",
    "clear": "<p style='color:transparent'>{}</p>",
    "filled with nothing": "<p style='-webkit-text-fill-color:transparent'>{}</p>",
    "opacity": "<p style='opacity:0'>{}</p>",
    "nearly clear": "<p style='opacity:0.02'>{}</p>",
    "no size": "<p style='font-size:0'>{}</p>",
    "tiny": "<p style='font-size:2px;line-height:1'>{}</p>",
    "scaled": "<p style='transform:scale(0.02)'>{}</p>",
    "off the left": "<p style='position:absolute;left:-5000px'>{}</p>",
    "off the top": "<p style='position:absolute;top:-5000px'>{}</p>",
    "cut off": "<div style='height:0;overflow:hidden'><p>{}</p></div>",
    "clipped": "<p style='position:absolute;clip-path:inset(100%)'>{}</p>",
    "invisible": "<p style='visibility:hidden'>{}</p>",
    "not displayed": "<p style='display:none'>{}</p>",
    "behind": "<p style='position:absolute;z-index:-1;top:300px'>{}</p>"
    "<div style='position:absolute;top:280px;left:0;width:1024px;height:400px;background:#fff'></div>",
    "covered": "<p style='position:absolute;top:300px'>{}</p>"
    "<div style='position:absolute;top:280px;left:0;width:1024px;height:400px;background:#fff'></div>",
}
WORDS = "Harbour notes First boat It leaves before the bakers wake. Book a seat Write to us by Friday. "


@pytest.mark.parametrize("trick", HIDDEN)
def test_what_cannot_be_seen_earns_nothing(browser: Browser, page: Render, trick: str) -> None:
    hidden = browser.render(f"<body style='margin:0;font-family:sans-serif'>{HIDDEN[trick].format(WORDS)}")
    assert score(page, hidden) == NOTHING
    assert score(as_screenshot(page), hidden) == NOTHING


def test_what_cannot_be_seen_costs_nothing_either(browser: Browser, page: Render) -> None:
    hidden = browser.render(with_more(f"<p style='position:absolute;left:-5000px'>{WORDS}</p>"))
    assert score(page, hidden) == FULL


def test_more_than_there_should_be_lowers_component_and_text(browser: Browser, page: Render) -> None:
    junk = "".join(f"<p>Cheap tents number {i}</p><button>Buy {i}</button>" for i in range(8))
    before, after = score(page, page), score(page, browser.render(with_more(junk)))
    assert after.component <= before.component - 8
    assert after.text <= before.text - 5


def test_saying_everything_twice_lowers_component_and_text(browser: Browser, page: Render) -> None:
    after = score(page, browser.render(with_more(PAGE)))
    assert after.component <= 12
    assert after.text <= 15


def test_one_text_on_another_lowers_component_text_and_polish(browser: Browser, page: Render) -> None:
    over = "<p style='position:absolute;top:220px;left:36px'>It leaves before the bakers wake.</p>"
    before, after = raw(page, page), raw(page, browser.render(with_more(over)))
    assert all(after[Scores._fields.index(name)] < before[Scores._fields.index(name)] for name in ("component", "text"))


def test_tags_and_wrappers_do_not_count(browser: Browser, page: Render) -> None:
    other = PAGE
    for tag, instead in (("header", "div id=h"), ("h1", "div id=a"), ("h2", "div id=b"), ("button", "a id=c")):
        other = other.replace(f"<{tag}>", f"<div><{instead}>").replace(f"</{tag}>", f"</{instead[:3].strip()}></div>")
    other = other.replace("header{", "#h{").replace("button{", "#c{display:inline-block;font-size:13.333px;")
    other = other.replace(
        "</style>",
        "#a{font:bold 32px sans-serif;margin:21.44px 0}#b{font:bold 24px sans-serif;margin:19.92px 0}</style>",
    )
    assert min(score(page, browser.render(other))) >= 18


def test_scores_are_the_same_each_time(browser: Browser) -> None:
    one, other = (browser.render(html(design)) for design in fixed()[:2])
    assert explain(one, other) == explain(one, other)


def test_components_count_the_same_from_either_side(browser: Browser) -> None:
    one, other = (browser.render(html(design)) for design in fixed()[:2])
    assert explain(one, other)["component"] == pytest.approx(explain(other, one)["component"], abs=0.1)


def test_an_explanation_has_the_parts_of_every_dimension(page: Render, blank: Render) -> None:
    parts = explain(page, blank)["parts"]
    assert isinstance(parts, Mapping)
    for part in ("layout.place", "style.palette", "text.words", "polish.rhythm", "matched", "missing", "extra"):
        assert part in parts
    assert parts["matched"] == 0


def test_a_screenshot_is_scored_by_pictures_alone(browser: Browser, page: Render) -> None:
    target = as_screenshot(page)
    assert score(target, as_screenshot(page)) == FULL
    near = browser.render(PAGE.replace("#124", "#412"))
    far = browser.render(html(fixed()[0]))
    assert 100 >= score(target, near).total > 60 > score(target, far).total


def test_a_screenshot_of_another_width_can_be_scored(page: Render) -> None:
    image = Image.open(io.BytesIO(page.png))
    for width in (512, 2048):
        data = io.BytesIO()
        image.resize((width, image.height * width // 1024)).save(data, "PNG")
        target = Render(data.getvalue(), (), width, image.height * width // 1024)
        assert all(0 <= part <= 20 for part in score(target, page))


SEEDS = st.integers(0, 10**6)


def page_of(seed: int) -> Render:
    """A page that no browser made."""
    rng = np.random.default_rng(seed)
    texts = ("", "Harbour notes", "Book", "7", "a long line of words that goes on")

    def colour() -> Colour:
        red, green, blue = rng.integers(0, 256, 3).tolist()
        return Colour(red, green, blue, float(rng.choice([0.0, 0.5, 1.0])))

    nodes = []
    for number in range(int(rng.integers(0, 9))):
        box = Box(*(rng.uniform((-50, -50, 0, 0), (1100, 900, 1024, 500)) * rng.integers(0, 2, 4)).tolist())
        text, side = str(rng.choice(texts)), Side(float(rng.integers(0, 4)), "solid", colour())
        nodes.append(
            Node(
                str(rng.choice(["div", "p", "a", "input", "img", "svg", "td"])),
                number - 1,
                number,
                text,
                box,
                box.meet(Box(0, 0, 1024, 768)),
                box if text else EMPTY,
                1,
                colour(),
                colour(),
                str(rng.choice(["none", "url(data:x)"])),
                "serif",
                16.0,
                400,
                (side,) * 4,
                (4.0,) * 4,
                1.0,
                int(rng.integers(0, 3)),
                {"display": str(rng.choice(["block", "inline"]))},
                (),
            )
        )
    tile = rng.integers(0, 256, (12, 16, 3), dtype=np.uint8)
    data = io.BytesIO()
    Image.fromarray(tile).resize((1024, 768), Image.Resampling.NEAREST).save(data, "PNG")
    return Render(data.getvalue(), tuple(nodes), 1024, 768)


@settings(max_examples=12, deadline=None)
@hypothesis.given(SEEDS, SEEDS)
def test_every_part_of_any_score_is_a_whole_number_from_0_to_20(one: int, other: int) -> None:
    scores = score(page_of(one), page_of(other))
    assert all(isinstance(part, int) and 0 <= part <= 20 for part in scores)
    assert scores.total == sum(scores)


@settings(max_examples=8, deadline=None)
@hypothesis.given(SEEDS)
def test_any_page_is_its_own_best_copy(seed: int) -> None:
    assert score(page_of(seed), page_of(seed)) == FULL


def test_where_two_colours_cover_nearly_as_much_either_is_the_ground(browser: Browser) -> None:
    def halved(white: int) -> Render:
        card = f'<div style="background:#fff;height:{white}px"><h1>Ash Bakery</h1></div>'
        return browser.render(f'<body style="margin:0;background:#ffe45c;font:16px sans-serif">{card}</body>')

    page, other = halved(380), halved(388)  # of 768 px: less than half of them white, and more
    ground = [explain(page, one)["parts"]["style.ground"] for one in (page, other, halved(60))]  # type: ignore[index]
    assert ground == [1.0, pytest.approx(0.98, abs=0.02), 1.0]
    white, yellow = browser.render("<p>Ash"), browser.render('<body style="background:#ffe45c"><p>Ash')
    assert explain(white, yellow)["parts"]["style.ground"] < 0.1  # type: ignore[index]
