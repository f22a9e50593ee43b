"""Compressed files and files in parts: the bytes are the same wherever one reads, whatever was interrupted."""

from __future__ import annotations

import contextlib
import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.errors import ConfigError
from interactive_envs.system import packed
from interactive_envs.system.packed import DamagedPartError, Packed, zstd
from interactive_envs.system.parts import Lines

WORDS = [f"{'x' * (n % 300)}{n}\n".encode() for n in range(4_000)]
WHOLE = b"".join(WORDS)


@pytest.fixture(autouse=True)
def _short_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "FRAME", 10_000)


def in_parts(folder: Path, *, compressed: int = 3) -> Lines:
    """Three closed parts, the first of them compressed, and what is appended to."""
    lines = Lines(folder / "a.jsonl")
    for number in range(4):
        (folder / "a.jsonl").write_bytes(b"".join(WORDS[1000 * number : 1000 * number + 1000]))
        if number < 3:
            lines.close_part()
        if number < compressed:
            lines.compress()
    return lines


def whole(lines: Lines) -> bytes:
    with lines.open() as file:
        return file.read()


@pytest.mark.parametrize("compressed", [0, 2, 3])
def test_parts_read_as_one_file_from_any_place(tmp_path: Path, compressed: int) -> None:
    lines, draw = in_parts(tmp_path, compressed=compressed), random.Random(compressed)
    names = [f"a.{number:03}.jsonl{'.zst' if number < compressed else ''}" for number in range(3)]
    assert [path.name for path in lines.files()] == [*names, "a.jsonl"]
    assert whole(lines) == WHOLE
    with lines.open() as file:
        assert list(file) == WORDS
        for _ in range(100):
            at, size = draw.randrange(len(WHOLE)), draw.choice((1, 300, 30_000))
            file.seek(at)
            assert file.read(size) == WHOLE[at : at + size] == lines.read(at, size)
        assert file.seek(-5, 2) == len(WHOLE) - 5
        assert file.read() == WHOLE[-5:]
        assert lines.read(len(WHOLE) + 10, 3) == b""


def test_any_program_that_knows_zstandard_reads_a_part(tmp_path: Path) -> None:
    lines = in_parts(tmp_path)
    assert b"".join(zstd.decompress(path.read_bytes()) for path in lines.files()[:3]) == b"".join(WORDS[:3000])
    assert sum(path.stat().st_size for path in lines.files()[:3]) < len(WHOLE) / 10


class CrashError(Exception):
    """The process ends here."""


def crash(*_: object, **__: object) -> None:
    raise CrashError


@pytest.mark.parametrize("where", ["os.fsync", "Path.replace", "Path.unlink"])
def test_who_dies_while_compressing_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    lines = in_parts(tmp_path, compressed=1)
    kept = Path.unlink
    with monkeypatch.context() as patch, contextlib.suppress(CrashError):
        if where == "os.fsync":
            patch.setattr(packed.os, "fsync", crash)
        elif where == "Path.replace":
            patch.setattr(Path, "replace", crash)
        else:  # the compressed part is there, and the other one still
            patch.setattr(Path, "unlink", lambda self, **how: kept(self, **how) if self.suffix == ".new" else crash())
        lines.compress()
    assert len(list(tmp_path.iterdir())) == 5 if where == "Path.unlink" else 4
    assert whole(Lines(lines.path)) == WHOLE
    lines.mend()
    lines.compress()
    assert whole(lines) == WHOLE
    assert len(list(tmp_path.iterdir())) == 4


def test_a_full_disk_leaves_a_part_uncompressed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    lines = in_parts(tmp_path, compressed=0)
    with monkeypatch.context() as patch:
        patch.setattr(packed, "put", full)
        lines.compress()
    assert whole(lines) == WHOLE
    assert not list(tmp_path.glob("*.new"))
    lines.compress()
    assert len(list(tmp_path.glob("*.zst"))) == 3


def test_who_reads_while_parts_are_closed_and_compressed_sees_every_line(tmp_path: Path) -> None:
    lines, ended, seen = Lines(tmp_path / "a.jsonl"), threading.Event(), list[bytes]()

    def watch() -> None:
        watched = Lines(lines.path)
        while not ended.is_set():
            with contextlib.suppress(FileNotFoundError):
                seen.append(whole(watched))

    with (tmp_path / "a.jsonl").open("wb"):
        pass
    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        for number in range(60):
            with (tmp_path / "a.jsonl").open("ab", buffering=0) as file:
                file.write(b"".join(WORDS[20 * number : 20 * number + 20]))
            if number % 3 == 2:
                lines.close_part()
            if number % 6 == 5:
                lines.compress()
    finally:
        ended.set()
        watcher.join()
    assert all(WHOLE.startswith(content) for content in seen)
    assert whole(lines) == b"".join(WORDS[:1200])


def flip(place: float) -> Callable[[bytes], bytes]:
    return lambda content: (at := int(place * len(content))) and content[:at] + b"\xff\x00" + content[at + 2 :]


@pytest.mark.parametrize(
    ("change", "lost"),
    [
        (flip(0.3), 1),
        (lambda content: content[:-1] + b"\x00", 0),
        (lambda content: content[:-60], 0),
        (lambda content: content[: len(content) // 2], 9),
        (lambda content: b"", 20),
    ],
    ids=["a frame", "the table's mark", "the table", "the second half", "everything"],
)
def test_of_a_damaged_part_all_that_can_be_read_is_saved(tmp_path: Path, change: Any, lost: int) -> None:
    lines = in_parts(tmp_path)
    path = lines.files()[1]
    content = path.read_bytes()
    path.write_bytes(change(content))
    with pytest.raises(DamagedPartError, match=r"a\.001\.jsonl\.zst is damaged") as caught:
        whole(lines)
    lines.salvage(caught.value.path)
    saved = set(whole(lines).splitlines(keepends=True))
    assert path.with_name(f"{path.name}.damaged").read_bytes() == change(content)
    assert {*WORDS[:1000], *WORDS[2000:]} <= saved
    frames = len(b"".join(WORDS[1000:2000])) / packed.FRAME
    assert len(set(WORDS) - saved) <= lost * 1000 / frames + 100 * bool(lost)
    assert (len(set(WORDS) - saved) > 0) == (lost > 0)


@pytest.mark.parametrize("change", [flip(place / 40) for place in range(40)])
def test_no_damage_gives_other_bytes(tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    path = in_parts(tmp_path).files()[0]
    content = path.read_bytes()
    changed = change(content) or content
    path.write_bytes(changed)
    with contextlib.suppress(DamagedPartError):
        made = Packed(path)
        assert b"".join(pieces(made)) == b"".join(WORDS[:1000])


def pieces(made: Packed) -> Iterator[bytes]:
    at = 0
    while piece := made.read(at, 1 << 20):
        yield piece
        at += len(piece)


def test_a_part_is_no_bomb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "FRAME", 64 << 20)
    with (tmp_path / "a").open("wb") as file:
        file.truncate(packed.FRAME)
    packed.compress(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "b").stat().st_size < 10_000
    with pytest.raises(DamagedPartError, match="its table of frames is none"):
        Packed(tmp_path / "b")
    assert not list(packed.salvage(tmp_path / "b"))


def test_a_part_keeps_the_mode_of_its_file(tmp_path: Path) -> None:
    lines = Lines(tmp_path / "a.jsonl")
    lines.path.write_bytes(b"a\n")
    lines.path.chmod(0o640)
    lines.close_part()
    lines.compress()
    assert lines.files()[0].stat().st_mode & 0o777 == 0o640


def test_links_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    lines = in_parts(tmp_path / "b")
    (tmp_path / "a.000.jsonl.zst").symlink_to(lines.files()[0])
    with pytest.raises(ConfigError, match="is a link"):
        Lines(tmp_path / "a.jsonl").open()
