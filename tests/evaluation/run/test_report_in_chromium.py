"""The page in a real browser: hostile text stays text, nothing is fetched, nothing sticks out on a phone."""

from __future__ import annotations

import functools
import runpy
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.evaluation.run import report

FAKE = runpy.run_path(str(Path(__file__).parents[2] / "reporting" / "fake_run.py"))
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
HOSTILE = (
    "</title></style></summary></details>--><script>alert(1);window.hit=1</script><img src=x onerror=alert(2)>"
    "<svg onload=alert(3)><iframe src='https://example.org/'></iframe><a href='javascript:alert(4)'>x</a>"
    "\"' onmouseover=alert(5) {{ 7*7 }} {% raw %} <style>@import 'https://example.org/x.css';</style>"
)


class Visit:
    """One page, with all it tried to do."""

    def __init__(self, browser: Any, path: Path, width: int = 1200, scheme: str = "light") -> None:
        self.context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
        self.page = self.context.new_page()
        self.dialogs: list[str] = []
        self.requests: list[str] = []
        self.console: list[str] = []
        self.page.on("dialog", self._dismiss)
        self.page.on("console", lambda message: self.console.append(message.text))
        self.page.on("pageerror", lambda error: self.console.append(str(error)))
        self.page.route("**/*", self._answer)
        self.start = path.as_uri()
        self.page.goto(self.start)

    def _dismiss(self, dialog: Any) -> None:
        self.dialogs.append(dialog.message)
        dialog.dismiss()

    def _answer(self, route: Any) -> None:
        if route.request.url == self.start:
            route.continue_()
        else:
            self.requests.append(route.request.url)
            route.abort()

    def open_all(self) -> None:
        self.page.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
        self.page.mouse.move(200, 400)
        self.page.wait_for_timeout(100)

    def width(self) -> int:
        return int(self.page.evaluate("document.documentElement.scrollWidth"))

    def assert_quiet(self) -> None:
        assert self.dialogs == []
        assert self.requests == []
        assert self.console == []
        assert self.page.evaluate("window.hit === undefined")

    def __enter__(self) -> Visit:
        return self

    def __exit__(self, *_: object) -> None:
        self.context.close()


@pytest.fixture(scope="module")
def hostile_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    config = FAKE["configuration"](
        agents=(f"llm:x{HOSTILE}", "rule"),
        modes=("free", HOSTILE),
        judges=(f"llm:j{HOSTILE}",),
        env=f"ibench/{HOSTILE}",
        episodes=2,
        budgets=(5, 10),
        extra={HOSTILE: HOSTILE},
    )
    report.write(FAKE["build"](folder, config, hostile=HOSTILE, faults=1, filler=2000))
    return Path(folder)


def test_hostile_text_arrives_in_the_page_as_text(browser: Any, hostile_run: Path) -> None:
    with Visit(browser, hostile_run / "report.html") as visit:
        visit.open_all()
        visit.assert_quiet()
        assert visit.page.locator("script, iframe, img, [onerror], [onload], [onmouseover]").count() == 0
        assert visit.page.locator("a[href^='javascript:']").count() == 0
        assert visit.page.locator("style").count() == 1 + visit.page.locator("svg style").count()
        text = visit.page.locator("body").inner_text()
        assert text.count("<script>alert(1);window.hit=1</script>") > 100
        assert "{{ 7*7 }}" in text


def test_hostile_text_arrives_in_a_transcript_as_text(browser: Any, hostile_run: Path) -> None:
    for path in sorted((hostile_run / "transcripts").iterdir())[:3]:
        with Visit(browser, path, width=360) as visit:
            visit.open_all()
            visit.assert_quiet()
            assert visit.page.locator("script, iframe, img, svg, [onerror], [onload], [onmouseover]").count() == 0
            assert visit.width() <= 360
            text = visit.page.locator("body").inner_text()
            for place in ("solution", "judge", "Not read" if "Not read" in text else "player"):
                assert place in text
            assert text.count("<img src=x onerror=alert(2)>") >= 4


def test_hostile_text_arrives_in_no_chart_file(browser: Any, hostile_run: Path) -> None:
    for path in sorted((hostile_run / "charts").glob("*.svg"))[::6]:
        with Visit(browser, path) as visit:
            visit.page.wait_for_timeout(20)
            visit.assert_quiet()


@pytest.fixture(scope="module")
def long_words(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The report of a run with long words and this text in it."""

    @functools.cache
    def written(hostile: str) -> Path:
        agents = ("llm:openai/gpt-5-mini?temperature=0&reasoning_effort=low", "a" * 150, "random" + hostile)
        config = FAKE["configuration"](agents=agents, modes=("menu",), episodes=2)
        folder = tmp_path_factory.mktemp("long-words")
        made = FAKE["build"](folder, config, hostile=hostile + "W" * 300, forced=True, faults=1)
        return Path(report.write(made))

    return written


@pytest.mark.every(5)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("hostile", ["", HOSTILE], ids=["plain", "hostile"])
def test_nothing_sticks_out_on_a_phone(
    browser: Any, long_words: Callable[[str], Path], hostile: str, scheme: str
) -> None:
    with Visit(browser, long_words(hostile), 360, scheme) as visit:
        assert visit.width() <= 360
        visit.open_all()
        assert visit.width() <= 360
        visit.assert_quiet()


def test_the_page_follows_light_and_dark(browser: Any, long_words: Callable[[str], Path]) -> None:
    seen = {}
    for scheme in ("light", "dark"):
        with Visit(browser, long_words(""), scheme=scheme) as visit:
            script = "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
            seen[scheme] = visit.page.evaluate(script)
            assert visit.page.locator("figure svg").first.bounding_box()["width"] > 300
    assert seen["light"][0] != seen["dark"][0]
    assert seen["light"][1] != seen["dark"][1]


@pytest.mark.long
def test_three_thousand_long_episodes_fit_in_five_megabytes(browser: Any, tmp_path: Path) -> None:
    config = FAKE["configuration"](agents=("local", "rule", "random"), modes=("free",), twins=False, episodes=1000)
    path = report.write(FAKE["build"](tmp_path, config, cases=250, filler=1500))
    assert path.stat().st_size <= 5_000_000
    assert len(list((tmp_path / "transcripts").iterdir())) == 3000
    with Visit(browser, path, 360) as visit:
        assert visit.page.locator(".episode").count() >= 20
        assert "failures first, the players in turn; the others are files" in visit.page.locator("body").inner_text()
        assert visit.width() <= 360
        visit.assert_quiet()
