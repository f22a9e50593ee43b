"""What was released comes out of the committed replies again, to the byte."""

from __future__ import annotations

import lzma
from pathlib import Path

import pytest

from interactive_envs import generate
from interactive_envs.black_box import made as boxes
from interactive_envs.game_generation.engine import Done
from interactive_envs.query_games import made as query_games

RELEASES = Path("releases")
KINDS = {
    "query-games": ("query-games-made", 40, query_games.FOLDER),
    "boxes": ("boxes-made", 48, boxes.FOLDER),
}


@pytest.mark.parametrize(
    ("kind", "count"),
    [
        ("query-games", 3),
        ("boxes", 2),
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
