from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from interactive_envs.api import evaluate
from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation import site
from interactive_envs.evaluation.verify import verify

NAME = "<b>&'\"run"


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    evaluate(["ibench/TrustGame-v1"], ["tft", "all-d"], episodes=1, out=tmp_path / "trust")
    shutil.copytree(tmp_path / "trust", tmp_path / NAME)
    return tmp_path


def test_a_site_holds_the_pages_of_runs_and_nothing_else(runs: Path) -> None:
    verify(runs / "trust")
    index = site.write([runs / "trust", runs / NAME], runs / "site")
    page = index.read_text()
    assert "<b>" not in page
    assert page.count("<small>verified</small>") == page.count("<small>not verified</small>") == 1
    assert 'href="runs/%3Cb%3E%26%27%22run/report.html"' in page
    files = {path.name for path in (runs / "site" / "runs" / "trust").rglob("*") if path.is_file()}
    assert {"report.html", "trust.html", "0-0-0.html"} <= files
    assert not {"config.json", "episodes.jsonl", "index.jsonl"} & files


def test_pages_pictures_and_links_that_came_with_a_run_stay_out(runs: Path) -> None:
    """A submission is a folder of somebody else: what it brings beside its records could be anything."""
    secret = runs / "secret.txt"
    secret.write_text("key")
    folder = runs / "trust"
    for name in ("report.html", "evil.html", "transcripts/0-0-0.html", "transcripts/evil.html", "charts/evil.svg"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("<script>alert(1)</script>")
    (folder / "linked.html").symlink_to(secret)
    site.write([folder], runs / "site")
    there = [path for path in (runs / "site").rglob("*") if path.is_file()]
    assert not {"evil.html", "evil.svg", "linked.html"} & {path.name for path in there}
    assert not any(b"alert(1)" in path.read_bytes() or path.read_bytes() == b"key" for path in there)
    assert (folder / "report.html").read_text() == "<script>alert(1)</script>"  # the folder stays as it was


def test_records_behind_a_link_are_refused(runs: Path) -> None:
    records = runs / "trust" / "episodes.jsonl"
    records.rename(runs / "elsewhere.jsonl")
    records.symlink_to(runs / "elsewhere.jsonl")
    with pytest.raises(ConfigError, match="is a link, and links are not followed"):
        site.write([runs / "trust"], runs / "site")


def test_a_run_that_was_verified_stays_so(runs: Path) -> None:
    verify(runs / "trust")
    site.write([runs / "trust"], runs / "site")
    assert "<small>not verified</small>" not in site.write([runs / "trust"], runs / "site").read_text()


def test_two_runs_of_one_name_are_refused(runs: Path) -> None:
    (runs / "other").mkdir()
    shutil.copytree(runs / "trust", runs / "other" / "trust")
    with pytest.raises(ConfigError, match="two runs are called 'trust'"):
        site.write([runs / "trust", runs / "other" / "trust"], runs / "site")


def test_the_command_writes_one(runs: Path) -> None:
    ran = CliRunner().invoke(main, ["report", str(runs / "trust"), "--site", str(runs / "site")])
    assert (ran.exit_code, ran.output.splitlines()[-1]) == (0, f"Site: {runs / 'site' / 'index.html'}")
    errors = runs / "errors.json"
    errors.touch()
    ran = CliRunner().invoke(main, ["report", str(runs / "trust"), "--site", "x", "--judge-errors", str(errors)])
    assert "report it first" in ran.output
