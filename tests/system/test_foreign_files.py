"""Files that strangers give: no reader follows a link, waits for a pipe or reads without end."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from interactive_envs.agents.policy import load_network
from interactive_envs.agents.rung import rung_spec
from interactive_envs.errors import IbenchError
from interactive_envs.evaluation.judging.suites import read_items
from interactive_envs.evaluation.tournament import plan as tournament_plan
from interactive_envs.game_generation.importing import import_release
from interactive_envs.holdem.phh import check_files
from interactive_envs.novel_games import admission
from interactive_envs.novel_games.folder import read_folder
from interactive_envs.situation_puzzle import puzzles
from interactive_envs.ui2html.targets.sources import Given

GAME = Path(__file__).parents[1] / "novel_games" / "fixtures" / "good-own"
PRIVATE = "a private text"
HUGE = 10 << 30


class Reader(NamedTuple):
    """What reads a file of this name, told its path; ``place`` prepares what it lies in."""

    name: str
    read: Callable[[Path], Any]
    place: Callable[[Path], Any] = Path.mkdir


def copy_game(folder: Path) -> None:
    shutil.copytree(GAME, folder)


def make_page(folder: Path) -> None:
    folder.mkdir()
    (folder / "a.html").write_text("<p>One</p>", encoding="utf-8")


def check_game(path: Path) -> None:
    found = admission.check(path)
    raise IbenchError(found.reasons[0].text)


def go_on_with_training(path: Path) -> None:
    from interactive_envs.training.trainer import train

    train(str(GAME), path.parent, until=lambda steps, network: True)


READERS = {
    **{
        f"game {name}": Reader(name, lambda path: read_folder(path.parent), copy_game)
        for name in ("game.toml", "rules.md", "actions.md", "game.py")
    },
    "check of a game": Reader("game.py", lambda path: check_game(path.parent), copy_game),
    "check of code": Reader("game.py", check_game),
    "ladder": Reader("ladder.json", lambda path: rung_spec(str(path.parent), 1), copy_game),
    "checkpoint": Reader("checkpoint-1.npz", lambda path: load_network(str(path))),
    "training run": Reader("run.json", go_on_with_training),
    "training state": Reader(
        "state.npz", go_on_with_training, lambda folder: go_on_with_training(folder / "state.npz")
    ),
    "data set of lines": Reader("items.jsonl", lambda path: puzzles.load(str(path))),
    "data set of files": Reader("a.json", lambda path: puzzles.load(str(path.parent))),
    "page": Reader("b.html", lambda path: Given(str(path.parent)), make_page),
    "screenshot": Reader("b.png", lambda path: Given(str(path.parent)), make_page),
    "request": Reader("a.txt", lambda path: Given(str(path.parent)), make_page),
    "labelled items": Reader("items.jsonl", read_items),
    "hand history": Reader("a.phh", lambda path: list(check_files([path]))),
    "tournament": Reader("a.toml", tournament_plan.load),
}
KINDS = ("link", "endless link", "pipe", "huge", "folder")
CASES = [
    (reader, kind)
    for reader in READERS
    for kind in KINDS
    # folders among a user's pages are left out, and some readers take one
    if not (kind == "folder" and reader in ("page", "screenshot", "request", "check of code", "data set of lines"))
]


def in_time(read: Callable[[], Any], pipe: Path) -> Any:
    """What it gives; one that waits for the pipe is let go, and fails."""
    with ThreadPoolExecutor(1) as pool:
        reading = pool.submit(read)
        try:
            return reading.result(120)
        except Late:
            os.close(os.open(pipe, os.O_RDWR))
            pytest.fail("it waits for a pipe")


@pytest.mark.every(7)
@pytest.mark.parametrize(("reader", "kind"), CASES)
def test_what_is_no_plain_file_is_refused_in_one_line(tmp_path: Path, reader: str, kind: str) -> None:
    name, read, place = READERS[reader]
    secret, path = tmp_path / "secret", tmp_path / "given" / name
    secret.write_text(PRIVATE, encoding="utf-8")
    place(path.parent)
    path.unlink(missing_ok=True)
    match kind:
        case "link":
            path.symlink_to(secret)
        case "endless link":
            path.symlink_to("/dev/zero")
        case "pipe":
            os.mkfifo(path)
        case "huge":
            path.touch()
            os.truncate(path, HUGE)
        case "folder":
            path.mkdir()
    with pytest.raises(IbenchError, match=r"is a link|no regular file|more than [0-9,]+ bytes") as caught:
        in_time(lambda: read(path), path)
    assert str(path) in str(caught.value)
    assert PRIVATE not in str(caught.value)
    assert "\n" not in str(caught.value)


def test_folders_among_pages_are_left_out(tmp_path: Path) -> None:
    make_page(tmp_path / "given")
    (tmp_path / "given" / "c.png").mkdir()
    assert Given(str(tmp_path / "given")).ids() == ["a.html"]


def test_an_import_takes_plain_files_of_the_release_alone(tmp_path: Path) -> None:
    release, elsewhere = tmp_path / "release", tmp_path / "elsewhere"
    for folder in (release, elsewhere):
        (folder / "envs").mkdir(parents=True)
    (elsewhere / "envs" / "env_8.py").write_text(PRIVATE, encoding="utf-8")
    (elsewhere / "8.txt").write_text(PRIVATE, encoding="utf-8")
    shutil.copy(GAME / "game.py", release / "envs" / "env_1.py")
    (release / "1.txt").write_text("Title: One\n", encoding="utf-8")
    (release / "actions_1.txt").write_text("Cells.\n", encoding="utf-8")
    (release / "more").symlink_to(elsewhere)
    (release / "envs" / "env_2.py").symlink_to(elsewhere / "envs" / "env_8.py")
    (release / "3.txt").symlink_to("/dev/zero")
    (release / "4.txt").touch()
    os.truncate(release / "4.txt", HUGE)
    os.mkfifo(release / "5.txt")
    found = in_time(lambda: import_release(release, tmp_path / "games"), release / "5.txt")
    assert [folder.name for folder in found.folders] == ["one-1"]
    assert (found.incomplete, found.unread) == ({}, ("3.txt", "4.txt", "envs/env_2.py"))
    assert not any(PRIVATE in path.read_text() for path in (tmp_path / "games").rglob("*.*"))


@pytest.mark.parametrize("agent", ["ppo:{folder}/../secret.npz", "ppo:/secret.npz", "mcts:{folder}/a/b.npz"])
def test_a_ladder_names_checkpoints_in_its_folder_alone(tmp_path: Path, agent: str) -> None:
    copy_game(tmp_path / "game")
    ladder = {"rungs": [{"agent": agent}], "opponent": {"level": 1}}
    (tmp_path / "game" / "ladder.json").write_text(json.dumps(ladder), encoding="utf-8")
    with pytest.raises(IbenchError, match=r"a rung is random, minimax, or ppo or mcts with a checkpoint"):
        rung_spec(str(tmp_path / "game"), 1)


def test_the_ends_of_lines_change_no_game(tmp_path: Path) -> None:
    copy_game(tmp_path / "game")
    before = read_folder(tmp_path / "game")
    for path in (tmp_path / "game").iterdir():
        path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert read_folder(tmp_path / "game") == before


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "1" * 5_000], ids=["deep", "digits"])
@pytest.mark.parametrize("reader", ["game game.toml", "tournament"])
def test_a_table_of_any_form_is_refused_in_one_line(tmp_path: Path, reader: str, text: str) -> None:
    name, read, place = READERS[reader]
    place(tmp_path / "given")
    (tmp_path / "given" / name).write_text(text, encoding="utf-8")
    with pytest.raises(IbenchError) as caught:
        read(tmp_path / "given" / name)
    assert "\n" not in str(caught.value)
