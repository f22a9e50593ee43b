"""The page of web pages: what it shows of a run, and that nothing a player wrote can act in it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from interactive_envs.agent import Agent
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.run import episode
from interactive_envs.judges.base import Judge, JudgeRequest, Verdict
from interactive_envs.reporting.records import Cell, EpisodeRow, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.ui2html import report as ui_page
from interactive_envs.ui2html.env import UI2HtmlEnv
from interactive_envs.ui2html.judge import scoring
from interactive_envs.ui2html.rendering import browser, drawing
from interactive_envs.ui2html.report import Episode, Turn, UiPage
from interactive_envs.ui2html.rules import DIMENSIONS

ENV_ID = "ibench/UI2Html-v1"
HOSTILE = "</li></style><script>alert(1)</script><img src=x onerror=alert(2)>?"
FIRST = "<html><body><h1>First</h1></body></html>"
LAST = "<html><body style='background: navy'><h1>Last</h1></body></html>"


def missing() -> str:
    try:
        browser.find_chromium()
        browser.find_fonts()
    except ConfigError as error:
        return str(error)
    return ""


needs_chromium = pytest.mark.skipif(bool(missing()), reason=missing())


class Fixed(Judge):
    """No to every question; the same scores for every page."""

    name = "fixed-scores"

    def judge(self, request: JudgeRequest) -> Verdict:
        if request.kind == "score":
            return Verdict("scored", scores=dict.fromkeys(DIMENSIONS, 7))
        return Verdict("no")


class Says(Agent):
    """Says one text after another."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = iter(texts)

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        return next(self._texts)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[RunStore]:
    """Two players, two targets; one of the episodes has no page."""
    cells = [Cell(ENV_ID, {"rounds": 2, "retries": 0}, agent) for agent in ("ui2html/template", "llm:acme/<b>seer</b>")]
    texts = {
        (0, 0): [f"<answer>{FIRST}</answer>"],
        (0, 1): [f"<answer>{LAST}</answer>"],
        (1, 0): [f"{FIRST}<ask>{HOSTILE}</ask>", f"{LAST}<ask>Should I centre it?</ask>", "<answer></answer>"],
        (1, 1): ["Hm.", "Hm.", "Hm."],
    }
    with RunStore.create(tmp_path / "run", RunConfig(tuple(cells), 2)) as written:
        for (cell, case), said in texts.items():
            env = UI2HtmlEnv(judge=Fixed(), rounds=2, retries=0)
            job = episode.Job(cell, cells[cell], f"page-0{case + 1}", case, 0, 5)
            written.append(episode.play_episode(env, Says(said), job).to_json())
            env.close()
        yield written


@needs_chromium
def test_the_page_shows_targets_first_and_final_pages_scores_and_questions(store: RunStore) -> None:
    path = UiPage().write(store)
    assert path == store.folder / "pages.html"
    text = path.read_text(encoding="utf-8")
    pictures = set(re.findall(r'src="(pages/[0-9a-f]{20}\.png)"', text))
    assert len(pictures) == 4  # two targets and two drafts, each drawn once
    assert all((store.folder / name).read_bytes().startswith(b"\x89PNG") for name in pictures)
    for name, width, height in re.findall(r'src="(pages/[^"]+)" width="(\d+)" height="(\d+)"', text):
        with Image.open(store.folder / name) as picture:
            assert picture.size == (int(width), int(height))
    assert text.count("<img") == len(re.findall(r'<img src="[^"]+" width="\d+" height="\d+"', text))
    assert text.count("<article") == 4
    assert "Should I centre it?" in text
    assert "No page could be scored." in text
    assert text.count("<b>35</b>") == 3
    assert 'class="curve"' in text


@needs_chromium
def test_what_players_wrote_stays_text(store: RunStore) -> None:
    path = UiPage().write(store)
    assert path is not None
    text = path.read_text(encoding="utf-8")
    assert "alert(1)" in text
    assert "<script" not in text
    assert "<img src=x" not in text
    assert "<b>seer" not in text
    assert "default-src 'none'" in text


@needs_chromium
def test_drafts_are_scored_once(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    first = UiPage().write(store)
    assert first is not None
    before = first.read_bytes()
    scores = json.loads((store.folder / "pages.json").read_text(encoding="utf-8"))["scores"]
    assert sorted(map(len, scores.values())) == [5] * 3

    def fail(*_: object) -> None:
        raise AssertionError("a page is drawn or scored again")

    picture = next((store.folder / "pages").iterdir())
    drawn = picture.read_bytes()
    picture.unlink()
    os.mkfifo(picture)  # a stranger's folder: it is not waited for, and replaced
    UiPage().write(store)
    assert picture.read_bytes() == drawn
    monkeypatch.setattr(scoring, "score", fail)
    monkeypatch.setattr(drawing, "drawn", fail)
    again = UiPage().write(store)
    assert again is not None
    assert again.read_bytes() == before


@needs_chromium
def test_without_a_browser_the_page_says_what_is_missing(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise ConfigError("no Chromium is found: apt install chromium")

    monkeypatch.setattr(drawing, "drawn_target", fail)
    path = UiPage().write(store)
    assert path is not None
    text = path.read_text(encoding="utf-8")
    assert "apt install chromium" in text
    assert "No picture." in text
    assert "<img" not in text


def test_a_run_without_pages_has_no_such_page(tmp_path: Path) -> None:
    config = RunConfig((Cell("ibench/SituationPuzzle-v1", {}, "random"),), 1)
    assert not UiPage().is_played(config)
    with RunStore.create(tmp_path / "run", config) as empty:
        assert UiPage().write(empty) is None


def test_shown_episodes_are_as_many_of_each_player_and_of_the_same_cases() -> None:
    rows = [_row(cell, case) for cell in range(3) for case in range(50)]
    chosen = ui_page.choose(rows, 12)
    cases = {cell: [one.case_index for one in chosen if one.cell == cell] for cell in range(3)}
    assert cases[0] == cases[1] == cases[2] == [0, 16, 33, 49]
    assert ui_page.choose(rows[:5]) == rows[:5]


def test_the_curve_has_a_point_a_message() -> None:
    svg = ui_page.curve([0, 40, 100])
    assert svg.count("<circle") == 3
    assert "0, 40, 100" in svg
    assert ui_page.curve([12]).count("<circle") == 1


def _row(cell: int, case: int) -> EpisodeRow:
    return EpisodeRow(
        cell, f"page-{case}", case, 0, "scored", 0.3, 1, None, None, 1, 1, 0, 0, 0, 0, 0, 0, 0, None, None, 1.0, 0, 1
    )


def test_messages_that_cost_no_round_are_no_rounds_of_the_curve() -> None:
    turns = (
        Turn(0, "Is it red?", "Yes.", True),
        Turn(1, "Is it odd?", "Cannot tell. It cost no round.", True, True),
        Turn(2, "Is it blue?", "No.", True),
    )
    row: Any = None
    assert Episode(("rule", ""), row, "", None, ("a", "b", "c"), turns, None).rounds == (0, 2)
