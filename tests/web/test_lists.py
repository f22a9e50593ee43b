"""Lists of episodes: what they show, filtered and page by page, and how little is read for it."""

from __future__ import annotations

import contextlib
import math
import re
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

pytest.importorskip("uvicorn")
from interactive_envs.api import evaluate
from interactive_envs.evaluation.run import listing
from interactive_envs.reporting.estimates import mean
from interactive_envs.reporting.store import RunStore
from interactive_envs.web.app import PAGE
from interactive_envs.web.library import Library, chosen
from interactive_envs.web.serving import serving
from tests.replicated import Counted, replicated
from tests.web.conftest import QUERY

EPISODES = 2_000


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two players with 2,000 episodes, copies of a few that were played."""
    folder = tmp_path_factory.mktemp("runs")
    small = tmp_path_factory.mktemp("small") / "run"
    evaluate([QUERY], ["reference", "random"], episodes=4, out=small)
    replicated(small, folder / "large", EPISODES // 2)
    return folder


@contextlib.contextmanager
def visiting(runs: Path) -> Iterator[httpx.Client]:
    """A visitor of a server that has just started."""
    with serving([runs], port=0) as ready:
        thread = threading.Thread(target=ready.serve)
        thread.start()
        try:
            with httpx.Client(base_url=ready.origin, follow_redirects=True) as client:
                client.get(ready.address)
                yield client
        finally:
            ready.stop()
            thread.join()


def test_a_page_of_a_large_run_parses_the_rows_that_it_shows(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "KEPT", EPISODES)
    listing.read(RunStore.read_only(runs / "large"))  # as at the end of a large run
    counted = Counted(monkeypatch)
    with visiting(runs) as client:
        for address in ("/run?at=large", "/run?at=large&page=2", "/run?at=large&outcome=success", "/"):
            counted.work.update(rows=0, records=0)
            rows = client.get(address).text.count('href="/episode?')
            assert counted.work == {"rows": rows, "records": 0}
            assert rows == (0 if address == "/" else PAGE)


def test_a_comparison_of_a_large_run_parses_the_rows_that_it_shows(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "KEPT", EPISODES)
    store = RunStore.read_only(runs / "large")
    listing.read(store)
    rows = store.rows()
    pairs = zip(rows[: EPISODES // 2], rows[EPISODES // 2 :], strict=True)
    differing = [pair for pair in pairs if pair[0].reward != pair[1].reward]
    assert len(differing) > PAGE, "else no page would be turned"
    counted = Counted(monkeypatch)
    with visiting(runs) as client:
        for page in (1, math.ceil(len(differing) / PAGE)):
            shown = differing[(page - 1) * PAGE : page * PAGE]
            counted.work.update(rows=0, records=0)
            text = client.get(f"/compare?left=large&a=reference&b=random&page={page}").text
            assert counted.work == {"rows": 2 * len(shown), "records": 0}
            keys = re.findall(r"left_key=([\d-]+)&amp;right=large&amp;right_key=([\d-]+)", text)
            assert keys == [tuple("-".join(map(str, row.key)) for row in pair) for pair in shown]
            assert f"{len(differing):,} of {EPISODES // 2:,} episodes" in text
    assert "Next page" not in text
    assert "Previous page" in text


def test_the_pages_of_a_filter_hold_each_episode_that_passes_it_once(runs: Path) -> None:
    run = Library([runs]).run("large")
    rows = [row for row in RunStore.read_only(run.folder).rows() if row.cell == 1 and row.outcome == "failure"]
    found = run.rows(chosen(run.listing, run, player="random", outcome="failure"))
    assert found == rows
    last = math.ceil(len(rows) / PAGE)
    with visiting(runs) as client:
        page = client.get(f"/run?at=large&player=random&outcome=failure&page={last}").text
    assert page.count('href="/episode?') == len(rows) - (last - 1) * PAGE
    assert "Next page" not in page


def test_cases_are_filtered_by_a_part_of_their_name(runs: Path) -> None:
    run = Library([runs]).run("large")
    name = run.listing.cases[0]
    rows = [row for row in RunStore.read_only(run.folder).rows() if name in row.case]
    assert run.rows(chosen(run.listing, run, case=name)) == rows


def test_standings_are_those_of_the_rows(runs: Path) -> None:
    run = Library([runs]).run("large")
    for standing in run.standings():
        cell = run.players.index(standing.player)
        rows = [row for row in RunStore.read_only(run.folder).rows() if row.cell == cell]
        assert standing.played == len(rows) == EPISODES // 2
        assert standing.outcomes == Counter(row.outcome for row in rows)
        assert standing.unreadable == sum(row.invalid for row in rows)
        assert standing.reward == mean([row.reward for row in rows], [row.case_index for row in rows])
