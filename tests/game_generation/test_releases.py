"""What was released comes out of the committed replies again, to the byte."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from interactive_envs import generate
from interactive_envs.black_box import made as boxes
from interactive_envs.game_generation.engine import Done
from interactive_envs.game_generation.making import look
from interactive_envs.game_generation.novel_games import NovelGames
from interactive_envs.game_generation.page import verdicts
from interactive_envs.novel_games import admission
from interactive_envs.novel_games.folder import SETS, read_folder
from interactive_envs.novel_games.host.adapter import Program
from interactive_envs.novel_games.probing.counting import states_met
from interactive_envs.query_games import made as query_games

RELEASES = Path("releases")
KINDS = {
    "query-games": ("query-games-made", 40, query_games.FOLDER),
    "boxes": ("boxes-made", 48, boxes.FOLDER),
}


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        ("query-games", 1),
        ("boxes", 1),
        pytest.param("query-games", 40, marks=pytest.mark.long),
        pytest.param("boxes", 48, marks=pytest.mark.long),
    ],
)
def test_the_committed_replies_give_the_released_folders(tmp_path: Path, kind: str, count: int) -> None:
    name, whole, released = KINDS[kind]
    replies = tmp_path / "replies.jsonl"
    replies.write_bytes(lzma.decompress((RELEASES / name / "replies.jsonl.xz").read_bytes()))
    made = generate(kind, tmp_path / "pool", count=count, vary=True, replies=[replies], workers=2)
    assert made.waiting == ()
    ends = [end for _, end in made.ends()]
    own = {folder.name for folder in released.iterdir()}
    if count == whole:
        assert ends == [Done(admitted=True)] * whole
    for folder in made.release(tmp_path / "suite", flagged=True):
        assert folder.name in own
        files = sorted(file.name for file in folder.iterdir())
        assert files == sorted(file.name for file in (released / folder.name).iterdir())
        for file in files:
            assert (folder / file).read_bytes() == (released / folder.name / file).read_bytes(), folder / file


CHEAP = ("admission", "reading", "traces")
CERTAIN = (*CHEAP, "certification", "novelty")


@pytest.mark.parametrize(
    ("count", "stages", "sizes"),
    [
        (10, CHEAP, {"games": admission.PLAYED, "states": 300, "seconds": 0.0}),
        pytest.param(10, CHEAP, None, marks=pytest.mark.long),
        pytest.param(40, CERTAIN, None, marks=[pytest.mark.long, pytest.mark.timeout(3600)]),
    ],
)
def test_the_committed_replies_give_the_released_games_verdict_by_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, stages: tuple[str, ...], sizes: dict[str, float] | None
) -> None:
    """Opponents, hours of training, are left out here: releases/README.md has the command for all of it.

    Args:
        sizes: of play and of the search for good play, which is cut short daily; None for the real ones.
    """
    if sizes is not None:
        monkeypatch.setattr(admission, "_QUICK", sizes)
    monkeypatch.setattr(NovelGames, "stages", stages)
    replies = tmp_path / "replies.jsonl"
    replies.write_bytes(lzma.decompress((RELEASES / "games-v1" / "replies.jsonl.xz").read_bytes()))
    pool = tmp_path / "pool"
    made = generate("games", pool, count=count, vary=True, against="games-v0", replies=[replies], workers=2)
    assert made.waiting == ()
    known = json.loads((RELEASES / "games-v1" / "verdicts.json").read_text(encoding="utf-8"))
    found = verdicts(look(pool))
    assert found == {
        number: [verdict for verdict in known[number] if verdict[0] in ("parse", *stages)] for number in found
    }
    released = {folder.name for folder in SETS["games-v1"].iterdir()}
    assert len(known) > len(released) >= 126
    names = made.names(flagged=True)
    flagged = {number for number in known if any(verdict[1] == "flag" for verdict in last(known[number]))}
    for folder in made.release(tmp_path / "suite", flagged=True):
        number = next(number for number, name in names.items() if name == folder.name)
        assert (folder.name in released) == (str(number) not in flagged)
        for file in folder.iterdir() if folder.name in released else ():
            assert file.read_bytes() == (SETS["games-v1"] / folder.name / file.name).read_bytes()


def last(verdicts: list[list[str]]) -> list[list[str]]:
    """Those of the last attempt, which begins with a reply that is parsed."""
    begun = max(place for place, verdict in enumerate(verdicts) if verdict[0] == "parse")
    return verdicts[begun:]


def test_most_released_games_have_more_than_100_000_states() -> None:
    """A sample: docs/games-v1.md has all."""
    folders = sorted(SETS["games-v1"].iterdir())
    game = read_folder(folders[len(folders) // 2])
    assert states_met(Program(game.source, **game.options), 100_001) == 100_001
