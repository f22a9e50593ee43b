from __future__ import annotations

import itertools

import pytest

from interactive_envs.cli import progress


@pytest.fixture
def seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Six seconds pass each time the clock is read."""
    monkeypatch.setattr(progress.time, "monotonic", itertools.count(step=6).__next__)


@pytest.mark.usefixtures("seconds")
def test_without_a_terminal_a_tournament_says_every_ten_seconds_how_far_it_is(
    capsys: pytest.CaptureFixture[str],
) -> None:
    bar = progress.MatchBar()
    bar.begin(2, 8)  # two matches of an earlier process
    for _ in range(6):
        bar.advance()
    bar.close()
    assert capsys.readouterr().err.splitlines() == [
        "4 of 8 matches, about 24.0 s left",
        "6 of 8 matches, about 12.0 s left",
    ], "the last line would tell nothing new: the results follow"
