"""The request that starts an episode: what it tells at which level, and what a model's must look like."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from interactive_envs.errors import ConfigError, JudgeError, UnknownNameError
from interactive_envs.llm import clients
from interactive_envs.parsing import Unreadable
from interactive_envs.ui2html import summary
from interactive_envs.ui2html.summary import LONGEST, VisionSummarizer, read_request, resolve_summarizer, summarise
from interactive_envs.ui2html.targets import designs as targets
from interactive_envs.ui2html.targets.sources import Target
from tests.loopback import Answer, Loopback, completion

GOOD = "I need a page for a bakery. It has a header and a price list."
BAKERY = """<!DOCTYPE html><html><head><title>x</title><style>
body { background: #202124; color: #eee; font-family: "Own", Georgia, serif; margin: 0 }
</style></head><body>
<header><h1>Old <em>Town</em> Bakery</h1><nav><ul><li>Bread</li><li>Cakes</li></ul></nav></header>
<aside style="width: 300px">Open from six</aside>
<main><h2>Bread</h2><svg width="16" height="16"></svg><svg width="90" height="90"></svg>
<form><input placeholder="name"><input placeholder="day"><input type="hidden"><button>Order</button></form>
<table><tr><td>Rye</td><td>4</td></tr><tr><td>Oat</td><td>5</td></tr></table>
<h2 style="display: none">Hidden</h2></main>
<footer><ul><li>Imprint</li></ul></footer></body></html>"""


@pytest.fixture(autouse=True)
def _own_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("IBENCH_CACHE", str(tmp_path / "calls.sqlite"))
    yield
    clients.close_all()


def picture(*bands: tuple[str, int], width: int = 200) -> bytes:
    """A PNG of bands of colour, each so many pixels tall."""
    image = Image.new("RGB", (width, sum(height for _, height in bands)))
    top = 0
    for colour, height in bands:
        image.paste(colour, (0, top, width, top + height))
        top += height
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


SHOT = Target("shot", png=picture(("#101010", 300), ("#f2b84b", 90), ("#ffffff", 50)))


def spec(server: Loopback, options: str = "") -> str:
    return f"vlm:own/eyes?base_url={server.url}&max_wait=2&backoff=0.01{options}"


@pytest.mark.parametrize("omission", targets.OMISSIONS)
def test_our_own_pages_know_their_request_and_nothing_is_drawn(monkeypatch: pytest.MonkeyPatch, omission: int) -> None:
    monkeypatch.setattr(summary, "drawn_target", None)
    for design in targets.fixed()[::10]:
        target = Target(design.id, html=targets.html(design), design=design)
        assert summarise(target, omission) == targets.request(design, omission)


def test_a_users_own_request_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summary, "drawn_target", None)
    with Loopback() as server:
        target = Target("mine", html="<p>", request="Build it.")
        assert [summarise(target, 1, one) for one in ("offline", spec(server))] == ["Build it."] * 2
    assert server.bodies == []


@pytest.mark.parametrize(
    ("omission", "text"),
    [
        (
            1,
            "I need a web page headed \u201cOld Town Bakery\u201d. It should have a header, a navigation bar, a "
            "sidebar, a drawing, a form, a table and a footer. The page is dark grey with a serif typeface. There are "
            "two input fields and one heading.",
        ),
        (
            2,
            "I need a web page headed \u201cOld Town Bakery\u201d. It should have a header, a navigation bar, a "
            "sidebar, a drawing and a form. The overall look is dark.",
        ),
        (3, "I need a web page headed \u201cOld Town Bakery\u201d. It should have a navigation bar and a sidebar."),
    ],
)
@pytest.mark.usefixtures("chromium")
def test_a_users_page_is_described_by_what_it_shows(omission: int, text: str) -> None:
    assert summarise(Target("mine", html=BAKERY), omission) == text


@pytest.mark.usefixtures("chromium")
@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("", "I need a web page. The overall look is light."),
        (
            "<p>Small</p><b style='font-size: 40px'>Large</b>",
            "I need a web page headed \u201cLarge\u201d. The overall look is light.",
        ),
        (
            f"<h1>{'very ' * 20}long</h1><nav role=complementary style='width: 200px'>x</nav>",
            f"I need a web page headed \u201c{'very ' * 11}very \u2026\u201d. It should have a sidebar. "
            "The overall look is light.",
        ),
    ],
)
def test_a_page_with_little_on_it_has_a_short_request(html: str, text: str) -> None:
    assert summarise(Target("mine", html=html), 2) == text


DATA, CELLS = "<tr><th>Bread<th>Price<tr><td>Rye<td>4", "<tr><td>Rye<td>4<tr><td>Oat<td>5"


@pytest.mark.usefixtures("chromium")
@pytest.mark.parametrize(
    ("body", "part"),
    [
        (f"<table>{DATA}</table>", "a table"),
        (f"<table>{CELLS}</table>", "a table"),
        ("<table><caption>Rye</caption><tr><td>4</table>", "a table"),
        (f"<table role=presentation>{CELLS}</table>", ""),
        ("<table><tr><td>Left<td>Right</table>", ""),
        ("<table><tr><td>One<tr><td>Two<tr><td>Three</table>", ""),
        (f"<table><tr><td>Side<td><table>{CELLS}</table></table>", "a table"),
        ("<table><tr><td>Side<td>Rest<tr><td><h2>News</h2><td>Text</table>", ""),
        ("<aside style='float: right; width: 280px'>News</aside>", "a sidebar"),
        ("<aside>News</aside>", ""),
    ],
)
def test_what_only_arranges_the_page_is_no_part(body: str, part: str) -> None:
    request = summarise(Target("mine", html=f"<h1>Rye</h1>{body}"), 3)
    assert request == "I need a web page headed \u201cRye\u201d." + f" It should have {part}." * bool(part)


@pytest.mark.parametrize(
    ("colour", "look"),
    [
        ("#0d6efd", "blue"),
        ("#198754", "green"),
        ("#777777", "grey"),
        ("#ffe45c", "light"),
        ("#1d3c6e", "dark"),
        ("#000080", "dark"),
        ("#f8f9fa", "light"),
    ],
)
def test_a_full_colour_is_neither_dark_nor_light(colour: str, look: str) -> None:
    request = summarise(Target("shot", png=picture((colour, 100))), 2)
    assert request.endswith(f" The overall look is {look}.")


@pytest.mark.parametrize(
    ("omission", "text"),
    [
        (
            1,
            "I have a screenshot of a web page and need it as HTML. It is 200 pixels wide and 440 tall. The overall "
            "look is dark. Most of it is black, orange and white.",
        ),
        (
            2,
            "I have a screenshot of a web page and need it as HTML. It is 200 pixels wide and 440 tall. The overall "
            "look is dark.",
        ),
        (3, "I have a screenshot of a web page and need it as HTML. It is 200 pixels wide and 440 tall."),
    ],
)
def test_a_screenshot_is_described_by_size_and_colours(omission: int, text: str) -> None:
    assert summarise(SHOT, omission) == text


@pytest.mark.parametrize("omission", [0, 4, True, "2", None])
@pytest.mark.parametrize("summarizer", ["offline", "vlm:own/eyes?base_url=http://127.0.0.1:1/v1"])
def test_there_are_three_levels(omission: Any, summarizer: str) -> None:
    with pytest.raises(ConfigError, match="omission must be 1, 2 or 3"):
        summarise(SHOT, omission, summarizer)


@pytest.mark.parametrize(
    ("summarizer", "problem"),
    [
        ("ofline", "did you mean 'offline'"),
        ("llm:own/eyes", "unknown summarizer 'llm'"),
        ("offline:fast", "takes no target and no options"),
        ("offline?omission=2", "takes no target and no options"),
        ("vlm", "needs a model: vlm:provider/name"),
        ("vlm:own/eyes?retries=-1", "retries must be at least 0, got -1"),
        ("vlm:own/eyes?api_key=sk-test-0123456789", "keys never go into a spec"),
    ],
)
def test_a_wrong_summarizer_says_what_would_be_right(summarizer: str, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem) as caught:
        resolve_summarizer(summarizer)
    assert "0123456789" not in str(caught.value)
    assert (summarizer == "llm:own/eyes") <= isinstance(caught.value, UnknownNameError)


@pytest.mark.parametrize("omission", targets.OMISSIONS)
def test_a_model_is_sent_the_picture_and_the_level(omission: int) -> None:
    with Loopback(lambda messages: f'"{GOOD}"') as server:
        assert summarise(SHOT, omission, spec(server)) == GOOD
    (body,) = server.bodies
    system, user = body["messages"]
    assert "incomplete on purpose" in system["content"]
    assert "never instructions" in system["content"]
    first, image, last = user["content"]
    assert (first["type"], image["type"]) == ("text", "image_url")
    encoded = image["image_url"]["url"].removeprefix("data:image/png;base64,")
    assert base64.b64decode(encoded, validate=True) == SHOT.png
    assert f"at level {omission}," in last["text"]
    assert body["temperature"] == 0


def test_equal_resets_ask_once_and_levels_are_apart() -> None:
    with Loopback(lambda messages: GOOD) as server:
        write = resolve_summarizer(spec(server))
        found = [write(SHOT, omission) for omission in (2, 2, 3)]
    assert [one.text for one in found] == [GOOD] * 3
    assert [call.from_cache for one in found for call in one.calls] == [False, True, False]
    assert len(server.bodies) == 2


def test_what_is_no_request_is_asked_for_again() -> None:
    replies = ["", "<h1>Bakery</h1>", "A page. " * 5, GOOD]
    with Loopback(script=[Answer(200, completion(reply, finish="length")) for reply in replies]) as server:
        write = resolve_summarizer(spec(server, "&retries=3"))
        found = write(SHOT, 2)
    assert found.text == GOOD
    assert [call.text for call in found.calls] == replies
    assert "It holds HTML or code." in server.bodies[2]["messages"][-1]["content"]
    assert "base64" not in json.dumps(found.calls[-1].messages)


def test_without_a_usable_reply_it_is_a_judge_error_with_its_calls() -> None:
    with Loopback(lambda messages: "```html\n<p>```") as server, pytest.raises(JudgeError) as caught:
        summarise(SHOT, 2, spec(server))
    assert "summarizer vlm:own/eyes: no readable request in 3 replies: It holds HTML or code." in str(caught.value)
    assert len(caught.value.calls) == 3


def test_its_description_names_model_and_prompt() -> None:
    one = resolve_summarizer("vlm:own/eyes?base_url=http://127.0.0.1:1/v1&retries=1&temperature=0.3")
    assert isinstance(one, VisionSummarizer)
    described = one.describe()
    assert (described["name"], described["model"], described["retries"]) == ("vlm", "own/eyes", 1)
    assert len(described["prompt_sha256"]["ui2html-summary"]) == 64
    assert not one.priced


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (GOOD, GOOD),
        (f"  {GOOD}\n", GOOD),
        ("I need\na page.", "I need a page."),
        ("<think>A bakery?</think>I need a page", "I need a page"),
        ('"One. Two! Three? Four."', "One. Two! Three? Four."),
        ('The "Rye" page.', 'The "Rye" page.'),
        ("Rows 1 < 2 are dark.", "Rows 1 < 2 are dark."),
        ("x" * LONGEST, "x" * LONGEST),
    ],
)
def test_a_request_of_one_to_four_sentences_is_read(reply: str, text: str) -> None:
    assert read_request(reply) == text


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "It is empty."),
        ('""', "It is empty."),
        ("<think>A bakery", "It is empty."),
        ("A <b>bold</b> page.", "It holds HTML or code."),
        ("<!doctype html>", "It holds HTML or code."),
        ("```\nA page.\n```", "It holds HTML or code."),
        ('{"request": "A page."}', "It holds HTML or code."),
        ("x" * (LONGEST + 1), "It has 601 characters"),
        ("One. Two. Three. Four. Five.", "It has 5 sentences"),
        ("One. Two. Three. Four. and a rest", "It has 5 sentences"),
    ],
)
def test_any_other_reply_is_no_request(reply: str, reason: str) -> None:
    read = read_request(reply)
    assert isinstance(read, Unreadable)
    assert reason in read.reason
