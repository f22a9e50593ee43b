from __future__ import annotations

import re
import time

import pytest

from interactive_envs.cli import progress
from tests.processes import until


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "EVERY", 0.02)


def test_without_a_terminal_there_are_lines_also_while_nothing_ends(capsys: pytest.CaptureFixture[str]) -> None:
    bar = progress.MatchBar()
    bar.begin(2, 8)  # two matches of an earlier process
    told = ""

    def more(pattern: str) -> bool:
        nonlocal told
        told += capsys.readouterr().err
        return re.search(pattern, told) is not None

    until(lambda: more(r"^2 of 8 matches\n2 of 8 matches\n"), "lines before a match is over")
    bar.advance()
    until(lambda: more(r"\n3 of 8 matches, about \S+ \w+ left\n"), "a line that counts it")
    bar.close()
    time.sleep(0.1)
    capsys.readouterr()
    time.sleep(0.1)
    assert capsys.readouterr().err == ""


def test_time_left_follows_from_what_this_process_did(monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = iter((100.0, 112.0))
    monkeypatch.setattr(progress.time, "monotonic", seconds.__next__)
    lines = progress.Lines("matches", 8, before=2)
    lines.tell(4, ", $1.00 spent")
    lines.close()
    assert lines.line() == "4 of 8 matches, about 24.0 s left, $1.00 spent"


def test_at_a_terminal_there_is_a_bar_and_no_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    lines = progress.Lines("matches", 8)
    time.sleep(0.1)
    lines.close()
    assert capsys.readouterr().err == ""
