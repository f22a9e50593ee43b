"""``ibench export svg``: an episode as a picture in a file of its own."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import interactive_envs
from interactive_envs.cli.main import main
from interactive_envs.web import looking_back

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("stills") / "run"
    interactive_envs.evaluate(("ibench/TrustGame-v1", {"matches": 2}), "trust/tft", episodes=1, out=folder)
    return folder


def exported(run: Path, *options: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["export", "svg", str(run), *options])
    return result.exit_code, result.output


def test_a_still_is_a_picture_of_one_moment_that_needs_nothing_else(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    (record,) = interactive_envs.Run(run).episodes
    frames = list(looking_back.frames(record))
    for options, frame in ((("--message", "2"), frames[1]), ((), frames[-1])):
        code, said = exported(run, "--episode", "0-0-0", *options, "--out", str(out))
        assert (code, said) == (0, f"Picture of episode 0-0-0, {len(record.steps)} messages: {out}\n")
        text = out.read_text("utf-8")
        drawn = str(frame.drawing)
        assert drawn[drawn.index(">") + 1 : -len("</svg>")] in text, "exactly what pages show"
        picture = ElementTree.fromstring(text)
        assert picture.get("aria-label")
        assert len(picture.findall(f"{SVG}g")) == 1
        assert "script" not in text
        assert "var(--ink)" in text
        assert "--ink:#" in text


def test_a_film_shows_each_moment_for_as_long(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "a.svg"
    assert exported(run, "--film", "--out", str(out))[0] == 0
    picture = ElementTree.parse(out).getroot()
    delays = [part.get("style") for part in picture.findall(f"{SVG}g")]
    assert delays == [f"animation-delay:{1.5 * number:g}s" for number in range(len(delays))]
    assert len(delays) > 2
    assert f"animation:moment {1.5 * len(delays):g}s" in out.read_text("utf-8")


def test_what_cannot_be_drawn_is_said_in_a_line(run: Path, tmp_path: Path) -> None:
    interactive_envs.evaluate("ibench/SituationPuzzle-v1", "random", episodes=1, out=tmp_path / "puzzle")
    many = len(next(iter(interactive_envs.Run(run).episodes)).steps)
    for folder, options, told in (
        (run, ("--message", "0"), f"the episode has messages 1 to {many}, got 0"),
        (run, ("--message", str(many + 1)), f"the episode has messages 1 to {many}, got {many + 1}"),
        (run, ("--episode", "7-0-0"), f"{run} has no episode '7-0-0'"),
        (run, ("--film", "--message", "1"), "--film shows all messages; leave out --message"),
        (
            tmp_path / "puzzle",
            (),
            "this family draws nothing; its episodes are read, see ibench serve or ibench report",
        ),
    ):
        assert exported(folder, *options, "--out", str(tmp_path / "a.svg")) == (2, f"ibench: {told}\n")
    assert not (tmp_path / "a.svg").exists()
