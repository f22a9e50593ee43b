"""The pages that replay the hands of a run, beside its report."""

from __future__ import annotations

import dataclasses
import json
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.evaluation.run import pool, report
from interactive_envs.holdem import replayer
from interactive_envs.holdem.tables import HoldemPage
from interactive_envs.reporting import charts
from interactive_envs.reporting.records import Cell, EpisodeRecord, RunConfig
from interactive_envs.reporting.store import RunStore

CHROMIUM_TESTS = runpy.run_path(str(Path(__file__).parents[1] / "evaluation" / "run" / "test_report_in_chromium.py"))
VISIT, HOSTILE = CHROMIUM_TESTS["Visit"], CHROMIUM_TESTS["HOSTILE"]
FORCED = ("ante", "small blind", "big blind")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunStore:
    """Two players, two matches of three hands each; the player is not seat 0, and its opponents differ."""
    arguments = {"players": 3, "match": 3, "seat": 1, "opponents": ["call-station", "random"]}
    cells = (Cell("ibench/Holdem-v1", arguments, "random", name="wild"), Cell("ibench/Holdem-v1", arguments, "all-in"))
    return pool.run(RunConfig(cells, 2), tmp_path_factory.mktemp("hands"))


@pytest.fixture(autouse=True)
def no_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(charts, "draw", lambda *_: [])
    monkeypatch.setattr(HoldemPage, "draw", lambda *_: [])


def data(page: Path) -> dict[str, Any]:
    """What the replayer is given."""
    told = re.search(r'<script type="application/json" id="hands">(.*?)</script>', page.read_text(encoding="utf-8"))
    assert told is not None
    found: dict[str, Any] = json.loads(told[1])
    return found


def test_a_page_has_the_hands_of_its_episodes_record(run: RunStore) -> None:
    HoldemPage().write(run)
    rows = list(run.rows())
    assert len(rows) == 4
    for row in rows:
        record = run.record(row)
        told = data(run.folder / "hands" / f"{row.cell}-{row.case_index}-{row.epoch}.html")
        player = ("wild", "all-in")[row.cell]
        assert told["names"] == ["Seat 0 (random)", player, "Seat 2 (call-station)"], "they follow the seat after ours"
        assert [hand["net"] for hand in told["hands"]] == [hand["net"] for hand in record["game"]["game"]["hands"]]
        assert sum(hand["net"][1] for hand in told["hands"]) == pytest.approx(100 * row.reward)
        for hand, played in zip(told["hands"], record["game"]["game"]["hands"], strict=True):
            names = ("street", "seat", "act", "to", "all_in")
            assert hand["actions"] == [[action[name] for name in names] for action in played["actions"]]
            assert (hand["hole"], hand["board"], hand["stacks"]) == (played["hole"], played["board"], played["stacks"])
            moved = [action[2] not in FORCED for action in hand["actions"]]
            assert [texts is not None for texts in hand["said"]] == moved
        said = [text for hand in told["hands"] for texts in hand["said"] if texts for text in texts]
        assert [text["text"] for text in said] == [text["text"] for text in record["game"]["texts"]]
        mine = [text["seconds"] for text, one in zip(said, record["game"]["texts"], strict=True) if one["seat"] == 1]
        assert mine == [step["seconds"] for step in record["steps"]]


def test_the_report_and_each_transcript_lead_to_the_hands(run: RunStore) -> None:
    page = report.write_with_pages(run).read_text(encoding="utf-8")
    assert page.index('<a href="hands/0-0-0.html">Replay the hands</a>, episode by episode') < page.index("<main>")
    files = {path.name for path in (run.folder / "transcripts").iterdir()}
    assert files == {path.name for path in (run.folder / "hands").iterdir()}
    for file in files:
        assert f'"../hands/{file}"' in (run.folder / "transcripts" / file).read_text(encoding="utf-8")
        assert f'"hands/{file}"' in page
        told = (run.folder / "hands" / file).read_text(encoding="utf-8")
        assert all((run.folder / "hands" / link).exists() for link in re.findall(r'href="([^"]+)"', told))


def test_of_many_episodes_the_first_of_every_player_have_pages_which_say_so(
    run: RunStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "folder", tmp_path)
    monkeypatch.setattr(replayer, "HANDS", 9)
    monkeypatch.setattr(replayer, "PAGE_HANDS", 2)
    report.write_with_pages(run)
    assert sorted(path.name for path in (tmp_path / "hands").iterdir()) == ["0-0-0.html", "0-1-0.html", "1-0-0.html"]
    page = tmp_path / "hands" / "0-1-0.html"
    assert len(data(page)["hands"]) == 2
    assert "The first 2 hands are shown here" in page.read_text(encoding="utf-8")
    assert "Episode 2 of 3 whose hands can be replayed; 1 more" in page.read_text(encoding="utf-8")
    linked = {path.name for path in (tmp_path / "transcripts").iterdir() if "../hands/" in path.read_text("utf-8")}
    assert linked == {"0-0-0.html", "0-1-0.html", "1-0-0.html"}, "no link to a page that was left out"


def hostile(run: RunStore, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A page on which every name and text is a stranger's."""
    spec = {"opponents": HOSTILE}
    cells = tuple(
        dataclasses.replace(cell, name=HOSTILE, arguments={**cell.arguments, **spec}) for cell in run.config.cells
    )
    read = run.episode

    def spoilt(row: Any) -> EpisodeRecord:
        record = read(row)
        game = dict(record.game or {})
        game["texts"] = [
            {**text, "text": HOSTILE + "\u2028\x00\ud800" + text["text"], "reason": HOSTILE} for text in game["texts"]
        ]
        return dataclasses.replace(record, game=game, case=HOSTILE)

    monkeypatch.setattr(run, "config", dataclasses.replace(run.config, cells=cells))
    monkeypatch.setattr(run, "episode", spoilt)
    monkeypatch.setattr(run, "folder", folder)
    replayer.write_pages(run, [dataclasses.replace(row, case=HOSTILE) for row in run.rows()])
    return folder / "hands" / "1-1-0.html"


def test_names_and_texts_of_strangers_stay_text(run: RunStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = hostile(run, tmp_path, monkeypatch)
    told = data(page)
    assert told["names"] == [f"Seat 0 ({HOSTILE})", HOSTILE, f"Seat 2 ({HOSTILE})"]
    text = page.read_text(encoding="utf-8")
    assert re.findall("<script[^>]*>", text) == ['<script type="application/json" id="hands">', "<script>"]
    assert not re.search("<(img|svg|iframe)|javascript:alert\\(4\\)'>", text)
    assert "script-src 'sha256-" in text


@pytest.mark.long
def test_in_a_browser_the_hands_are_stepped_through_and_strangers_run_nothing(
    browser: Any, run: RunStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nets = [hand["net"] for hand in run.record(run.rows()[3])["game"]["game"]["hands"]]
    path = hostile(run, tmp_path, monkeypatch)
    for width in (1200, 360):
        with VISIT(browser, path, width=width, scheme="dark") as visit:
            for net in nets:
                visit.page.keyboard.press("End")
                shown = [text.replace(",", "") for text in visit.page.locator(".bet").all_text_contents()]
                assert shown == [f"{chips:+}".replace("-", "\N{MINUS SIGN}") if chips else "" for chips in net]
                visit.page.keyboard.press("Shift+ArrowRight")
            assert visit.page.locator("#which").inner_text().endswith("hand 3")
            assert visit.width() <= width
            visit.assert_quiet()
            assert visit.page.locator("iframe, img, svg, [onerror], [onload], [onmouseover]").count() == 0
            assert "<script>alert(1);window.hit=1</script>" in visit.page.locator("body").inner_text()
