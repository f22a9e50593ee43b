"""The pages in a real browser: played with buttons and keys, watched, compared, and attacked."""

from __future__ import annotations

import http.server
import json
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from interactive_envs.agent import Agent
from interactive_envs.api import evaluate
from interactive_envs.evaluation.run import live
from interactive_envs.reporting.store import RunStore
from interactive_envs.web.serving import Server, serving
from tests.processes import until
from tests.web.conftest import QUERY, Visitor

PATIENCE = 60_000
FAMILIES = {
    "TrustGame-v1": "matches=1",
    QUERY: "",
    "SituationPuzzle-v1": "",
    "Game-timberfall-v1": "opponents=random",
    "Holdem-v1": "match=1",
    "BlackBox-puzzle-bandit-v1": "",
    "BlackBox-cipher-01248-counts-v1": "",
    "BlackBox-circuit-add-v1": "",
    "BlackBox-mechanics-ball-air-resistance-v1": "",
    "BlackBox-program-algebraic-operations-v1": "",
    "BlackBox-strategy-anti-rps-random-v1": "",
    "Math-v1": "",
    "UI2Html-v1": "",
}
"""What is played to its end, a family and a kind of box each, with its arguments."""
HOSTILE = (
    "</title></style></summary></details>--><script>alert(1);window.hit=1</script><img src=x onerror=alert(2)>"
    "<svg onload=alert(3)><iframe src='https://example.org/'></iframe><a href='javascript:alert(4)'>x</a>"
    "\"' onmouseover=alert(5) hx-get='/play' hx-trigger='load' {{ 7*7 }} <style>@import 'https://example.org/x.css';</style>"
)
PAGE = (
    "<!doctype html><html><head><style>body{color:red}</style><script>parent.document.title='hit'</script></head>"
    "<body onload=alert(6)><img src='https://example.org/x.png'><form action='/play' method=post></form>"
    "<script>fetch('https://example.org/')</script><p>a page</p></body></html>"
)


def begin(visitor: Any, env_id: str, arguments: str = "") -> Any:
    page = visitor.go("/play")
    page.fill("#env", env_id.removeprefix("ibench/"))
    page.click("summary")
    page.fill("#arguments", arguments)
    page.fill("#seed", "7")
    page.click("form.start > p > button")
    page.wait_for_selector("#table", timeout=PATIENCE)
    return page


def reach(page: Any, selector: str) -> None:
    """Go to the first element that fits with the Tab key alone."""
    for _ in range(600):
        if page.evaluate("wanted => document.activeElement === document.querySelector(wanted)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no Tab leads to {selector}")


@pytest.mark.every(20)
@pytest.mark.parametrize("env_id", FAMILIES)
def test_an_episode_of_every_family_is_played_to_its_end(visitor: Any, env_id: str) -> None:
    page = begin(visitor, env_id, FAMILIES[env_id])
    hint = page.locator(".aside .text").last
    over = page.locator("#table .solution")
    for _ in range(400):
        page.wait_for_selector("#text, #table .solution", timeout=PATIENCE)
        if over.count():
            break
        before = page.locator(".aside").count()
        page.click("button:has-text('Hint')")
        page.wait_for_function("n => document.querySelectorAll('.aside').length > n", arg=before, timeout=PATIENCE)
        said = hint.inner_text().removeprefix("Hint: ")
        page.fill("#text", said)
        page.locator("form.say button").first.click()
        page.wait_for_function(
            "() => { const box = document.querySelector('#text'); return !box || !box.value }", timeout=PATIENCE
        )
    assert over.count() == 1
    page.click("text=Its transcript")
    page.wait_for_selector("#again:not(:has-text('Playing it again'))", timeout=PATIENCE)
    assert "hint" in page.inner_text(".lead")


@pytest.mark.long
@pytest.mark.parametrize("env_id", FAMILIES)
def test_every_family_is_played_to_its_end_with_the_keyboard_alone(visitor: Any, env_id: str) -> None:
    page = visitor.go("/play")
    reach(page, "#env")
    page.keyboard.type(env_id.removeprefix("ibench/"))
    reach(page, "form.start summary")
    page.keyboard.press("Enter")
    for field, text in (("#arguments", FAMILIES[env_id]), ("#seed", "7")):
        reach(page, field)
        page.keyboard.type(text)
    page.keyboard.press("Enter")
    for _ in range(400):
        page.wait_for_selector("#text, #table .solution", timeout=PATIENCE)
        if page.locator("#table .solution").count():
            break
        before = page.locator(".aside").count()
        reach(page, "form[action$='/hint'] button")
        page.keyboard.press("Enter")
        page.wait_for_function("n => document.querySelectorAll('.aside').length > n", arg=before, timeout=PATIENCE)
        reach(page, "#text")
        page.keyboard.insert_text(page.locator(".aside .text").last.inner_text().removeprefix("Hint: "))
        page.keyboard.press("Enter")
        page.wait_for_function("() => !document.querySelector('#text')?.value", timeout=PATIENCE)
    reach(page, "#table .solution ~ form a")
    page.keyboard.press("Enter")
    page.wait_for_selector("#again:not(:has-text('Playing it again'))", timeout=PATIENCE)
    assert "hint" in page.inner_text(".lead")


@pytest.mark.long
def test_who_builds_pages_sees_the_last_two_side_by_side(visitor: Any) -> None:
    page = begin(visitor, "UI2Html-v1")
    for number in (1, 2):
        html = f"<!doctype html><html><body><script>parent.hit=1</script><h1>Draft {number}</h1></body></html>"
        page.fill("#text", f"```html\n{html}{' ' * 2000}\n```\n<ask>width(page) > {number}</ask>")
        page.locator("form.say button").first.click()
        page.wait_for_selector(f".drafts iframe >> nth={number - 1}", timeout=PATIENCE)
    titles = [frame.get_attribute("title") for frame in page.locator(".drafts iframe").all()]
    assert titles == ["The page before", "Your last page"]
    for number in (1, 2):
        page.frame_locator(f".drafts iframe >> nth={number - 1}").locator(f"text=Draft {number}").wait_for()
    assert page.locator(".said.player details").count() == 2, "a page's text is folded"
    assert page.evaluate("window.hit") is None
    assert visitor.complaints
    assert all("Blocked script execution" in line for line in visitor.complaints)
    visitor.complaints.clear()


def test_a_game_is_played_with_the_keyboard_alone(visitor: Any) -> None:
    page = begin(visitor, "TrustGame-v1", "delta=0\nmatches=2")
    page.wait_for_load_state("load", timeout=PATIENCE)  # before its script runs, Enter would begin a line
    for text in ("help", "COOPERATE", "DEFECT"):
        page.wait_for_function(
            "() => document.activeElement?.id === 'text' || document.activeElement.tagName === 'BODY'"
        )
        page.focus("#text")
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        page.wait_for_function("() => !document.querySelector('#text')?.value", timeout=PATIENCE)
    page.wait_for_selector("#table .solution")
    assert "reward 5.00" in page.inner_text("#table .solution")
    assert page.evaluate("document.activeElement.textContent") == "Play again"


def test_a_page_works_without_scripts(browser: Any, server: Server) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(server.address)
    page.goto(f"{server.origin}/play")
    page.fill("#env", "TrustGame-v1")
    page.click("form.start > p > button")
    page.click("button:has-text('DEFECT')")
    page.wait_for_selector("#text")
    assert page.locator(".said.player .text").inner_text() == "<move>DEFECT</move>"
    context.close()


def test_two_players_are_compared_side_by_side(visitor: Any) -> None:
    page = visitor.go("/compare?left=query&right=query&a=reference&b=random")
    assert "reference and random, on 3 cases that both met." in page.inner_text(".lead")
    page.locator("table.cases a").first.click()
    assert "They first differ in message" in page.inner_text(".lead")
    assert page.locator(".pair .differs strong").first.inner_text() == "first difference"


def test_episodes_are_filtered_and_read_one_after_the_other(visitor: Any) -> None:
    page = visitor.go("/run?at=query")
    page.select_option("select[name=player]", "reference")
    page.click("text=Filter")
    assert page.locator("#episodes tbody tr").count() == 3
    page.locator("#episodes tbody a").first.click()
    page.wait_for_selector("text=Bits left", timeout=PATIENCE)
    page.click("text=Next episode")
    assert page.locator("h1").count() == 1


def test_a_board_is_played_back_with_a_slider(visitor: Any) -> None:
    page = visitor.go("/episode?at=trust&key=0-0-0")
    slider = page.wait_for_selector("[data-scrub]", timeout=PATIENCE)
    assert page.locator("[data-frame='1']").is_visible()
    slider.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator("[data-frame='2']").is_visible()
    assert not page.locator("[data-frame='1']").is_visible()
    assert page.inner_text("output").startswith("2 of ")


class Slow(Agent):
    """Plays, but waits for a file before its third message; a class is another one where a spec names it."""

    name = "slow"

    def __init__(self, flag: str) -> None:
        self._flag = Path(flag)

    def reset(self, **_: Any) -> None:
        self._said = 0

    def act(self, observation: str, info: Any) -> str:
        self._said += 1
        if self._said == 3:
            until(self._flag.exists, "the flag")
        return str(info["legal_actions"][self._said % 2])


def test_a_run_of_64_workers_is_watched_while_it_is_played(
    visitor: Any, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("interactive_envs.evaluation.run.live.EVERY", 0.0)
    flag = runs / "go"
    playing = threading.Thread(
        target=partial(
            evaluate,
            ["ibench/TrustGame-v1"],
            [partial(Slow, flag=str(flag))],
            arguments={"delta": 0.9, "matches": 3},
            episodes=64,
            workers=64,
            out=runs / "live",
        )
    )
    playing.start()
    try:
        while not (runs / "live" / "live.json").exists():
            assert playing.is_alive()
            time.sleep(0.02)
        page = visitor.go("/run?at=live")
        page.wait_for_selector("text=0 of 64 episodes, under way")
        page.wait_for_function(
            "() => document.querySelectorAll('#live a[href^=\"/watch\"]').length > 50", timeout=PATIENCE
        )
        page.locator("#live a[href^='/watch']").first.click()
        page.wait_for_selector("text=message 2")
        flag.touch()
        page.wait_for_selector("text=It is over", timeout=PATIENCE)
        page.click(".pager a")
        page.wait_for_selector("text=64 of 64 episodes", timeout=PATIENCE)
    finally:
        flag.touch()
        playing.join()
    assert not (runs / "live" / "live.json").exists()


@pytest.fixture(scope="module")
def hostile(runs: Path) -> str:
    """A run in which whatever a stranger can write attacks."""
    from dataclasses import replace

    source = RunStore.read_only(runs / "query")
    cell = replace(source.config.cells[0], name=HOSTILE, axes={HOSTILE: HOSTILE})
    with RunStore.create(runs / "hostile", replace(source.config, cells=(cell,), episodes=2, suite=HOSTILE)) as store:
        for row in source.rows()[:2]:
            record = json.loads(json.dumps(source.record(row)))
            record["case"] = record["solution"] = record["final_observation"] = HOSTILE
            for step in record["steps"]:
                step["action"], step["observation"], step["reason"] = HOSTILE + PAGE, HOSTILE, HOSTILE
            store.append(record)
    return "hostile"


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/run?at=hostile",
        "/episode?at=hostile&key=0-0-0",
        "/pair?left=hostile&left_key=0-0-0&right=hostile&right_key=0-1-0",
        "/compare?left=hostile&right=hostile",
    ],
)
def test_what_strangers_wrote_stays_text(visitor: Any, hostile: str, path: str) -> None:
    page = visitor.go(path)
    for fold in page.locator("details").all()[:6]:
        fold.evaluate("fold => { fold.open = true }")
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.hit") is None
    assert "hit" not in page.title()
    # Chromium says of a sandboxed frame what it forbids it
    allowed = ("Blocked script execution in", "violates the following Content Security Policy", "Refused to")
    visitor.complaints[:] = [one for one in visitor.complaints if not any(words in one for words in allowed)]


@pytest.fixture
def stranger() -> Iterator[Any]:
    """Another site, whose page can be whatever a test writes into it."""

    class Answer(http.server.BaseHTTPRequestHandler):
        page = ""

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(Answer.page.encode())

        def log_message(self, *_: Any) -> None:
            pass

    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=site.serve_forever)
    thread.start()
    Answer.address = f"http://127.0.0.1:{site.server_port}/"
    yield Answer
    site.shutdown()
    thread.join()
    site.server_close()


def test_another_site_can_neither_read_nor_post_nor_frame(
    browser: Any, server: Server, runs: Path, stranger: Any
) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(server.address)
    begun = set((runs / "people").glob("*"))
    stranger.page = f"""<iframe src="{server.origin}/" id=frame></iframe>
    <form method=post action="{server.origin}/play"><input name=env_id value=TrustGame-v1><button>go</button></form>
    <script>
    window.results = [];
    const wanted = [["{server.origin}/", {{credentials: "include"}}],
      ["{server.origin}/play", {{method: "POST", credentials: "include", mode: "no-cors", body: "env_id=x"}}]];
    for (const [url, how] of wanted)
      fetch(url, how).then((r) => r.text()).then((t) => results.push(t.length), () => results.push("refused"));
    </script>"""
    page.goto(stranger.address)
    page.wait_for_function("() => results.length === 2")
    # a reply without CORS is opaque: its text is empty
    assert set(page.evaluate("results")) <= {"refused", 0}
    assert page.evaluate("document.querySelector('#frame').contentDocument") is None
    page.click("button")
    assert "Refused" in page.content()
    assert set((runs / "people").glob("*")) == begun
    context.close()


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/run?at=query",
        "/episode?at=trust&key=0-0-0",
        "/episode?at=query&key=0-0-0",
        "/play",
        "/compare?left=query&a=reference&b=random",
        "game",
    ],
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.every(5)
def test_there_is_no_serious_fault_for_who_needs_a_keyboard_or_a_reader(
    browser: Any, server: Server, path: str, scheme: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    visitor = Visitor(browser, server, scheme=scheme)
    page = begin(visitor, "SituationPuzzle-v1") if path == "game" else visitor.go(path)
    page.wait_for_load_state("networkidle")
    found = Axe().run(page).response["violations"]
    serious = [(one["id"], one["nodes"][0]["html"][:200]) for one in found if one["impact"] in ("serious", "critical")]
    visitor.context.close()
    assert serious == []


@pytest.mark.every(3)
@pytest.mark.parametrize(
    "path", ["/", "/run?at=query", "/episode?at=trust&key=0-0-0", "/episode?at=query&key=0-0-0", "/play"]
)
def test_nothing_sticks_out_on_a_phone(browser: Any, server: Server, path: str) -> None:
    visitor = Visitor(browser, server, width=360)
    page = visitor.go(path)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    visitor.context.close()


def test_a_run_that_is_served_alone_has_the_games_of_people_beside_it(runs: Path) -> None:
    with serving([runs / "trust"], port=0) as ready:
        thread = threading.Thread(target=ready.serve)
        thread.start()
        try:
            with httpx.Client(base_url=ready.origin, follow_redirects=True) as client:
                client.get(ready.address)
                assert str(runs / "trust") in client.get("/").text
                form = {"env_id": "TrustGame-v1", "arguments": "delta=0\nmatches=1"}
                game = str(client.post("/play", headers={"origin": ready.origin}, data=form).url)
                client.post(f"{game}/say", headers={"origin": ready.origin}, data={"text": "DEFECT", "tag": "move"})
                assert "/episode?at=" in client.get(game).text
        finally:
            ready.stop()
            thread.join()
    assert not (runs / "trust" / "people").exists()


@pytest.mark.parametrize(
    "told",
    [
        "nonsense",
        {"episodes": [{"key": [9, 0, 0], "count": 1, "steps": []}]},
        {"episodes": [{"key": "abc", "count": 1, "steps": []}]},
        {"episodes": [{"key": [0, 0, 0], "count": "<script>", "steps": [["a"]]}]},
        {"episodes": [{"key": [0, 0], "count": 1}]},
    ],
)
def test_what_a_stranger_s_run_tells_of_its_play_may_be_nonsense(tmp_path: Path, told: Any) -> None:
    (tmp_path / live.FILE).write_text(json.dumps(told))
    assert live.under_way(tmp_path, 2) == {}
