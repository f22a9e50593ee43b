"""Runs whose records are compressed: everything that reads runs says the same of them, and nothing is lost."""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.run import listing, pool
from interactive_envs.evaluation.run import report as run_report
from interactive_envs.evaluation.tournament import play as tournament
from interactive_envs.evaluation.tournament.play import Player, Tournament, TournamentStore
from interactive_envs.reporting.compact.keys import Keys
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.system import packed, parts
from interactive_envs.web.library import Run

PUZZLE = "ibench/SituationPuzzle-v1"
CONFIG = RunConfig((Cell(PUZZLE, {}, "random"), Cell(PUZZLE, {}, "rule")), episodes=10, seed=4)
SETTINGS = {"PART": 60_000, "CLOSING": 20_000}


def small(patch: pytest.MonkeyPatch) -> None:
    """Parts and frames that a few episodes fill."""
    for name, value in SETTINGS.items():
        patch.setattr(parts, name, value)
    patch.setattr(packed, "FRAME", 8_000)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run as it always was."""
    folder = tmp_path_factory.mktemp("plain") / "run"
    pool.run(CONFIG, folder)
    return folder


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The same run in compressed parts."""
    folder = tmp_path_factory.mktemp("compressed") / "run"
    with pytest.MonkeyPatch.context() as patch:
        small(patch)
        pool.run(CONFIG, folder)
        yield folder


@pytest.fixture
def folder(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it."""
    small(monkeypatch)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setattr(run_report, "FILES", 2)
    return Path(shutil.copytree(played, tmp_path / "run"))


def names(folder: Path) -> list[str]:
    return [path.name for path in RunStore.read_only(folder).lines.files()]


def summary(folder: Path) -> bytes:
    return (folder / "summary.json").read_bytes()


def ibench(*arguments: object) -> str:
    result = CliRunner().invoke(main, [str(one) for one in arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_run_ends_in_compressed_parts_and_says_the_same(plain: Path, folder: Path) -> None:
    assert len(names(folder)) >= 3
    assert all(name.endswith(".jsonl.zst") for name in names(folder))
    assert names(plain) == ["episodes.jsonl"]
    assert summary(folder) == summary(plain)
    then, now = RunStore.read_only(plain), RunStore.read_only(folder)
    assert [row.key for row in now.rows()] == [row.key for row in then.rows()]
    for row, other in zip(now.rows(), then.rows(), strict=True):
        steps = [
            [(step.action, step.reply) for step in one.episode(its).steps] for one, its in ((now, row), (then, other))
        ]
        assert steps[0] == steps[1]
    size = sum(path.stat().st_size for path in now.lines.files())
    assert size < (plain / "episodes.jsonl").stat().st_size / 2


@pytest.mark.parametrize(
    "command",
    [
        ("replay",),
        ("verify",),
        ("report",),
        ("audit",),
        ("export", "csv"),
        ("export", "sft"),
    ],
    ids=" ".join,
)
def test_everything_that_reads_runs_reads_it(
    plain: Path, folder: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    said = [
        ibench(*command, one, *(["--out", tmp_path / f"{number}"] if command[0] == "export" else []))
        for number, one in enumerate((shutil.copytree(plain, tmp_path / "plain"), folder))
    ]
    assert (
        said[0].replace(str(tmp_path / "plain"), "").split("\n")[0].split("/0")[0]
        == (said[1].replace(str(folder), "").split("\n")[0].split("/1")[0])
    )
    if command[0] == "verify":
        assert Run("run", folder).is_verified


def test_it_is_compared_served_and_published(plain: Path, folder: Path, tmp_path: Path) -> None:
    ibench("compare", plain, folder, "--agent", "random", "--agent", "rule")
    run = Run("run", folder)
    assert [row.key for row in run.rows(range(20))] == [row.key for row in RunStore.read_only(plain).rows()]
    assert run.changed > 0
    ibench("report", folder, "--site", tmp_path / "site")
    assert "20" in (tmp_path / "site" / "index.html").read_text()


def test_a_stamp_holds_however_the_records_are_kept(
    plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(plain, tmp_path / "run"))
    ibench("verify", folder)
    small(monkeypatch)
    with RunStore.open(folder):
        pass
    assert names(folder) == ["episodes.000.jsonl.zst"]
    assert Run("run", folder).is_verified


def test_a_run_that_was_not_compressed_goes_on_and_is(
    plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    shutil.copytree(plain, folder)
    lines = (folder / "episodes.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "episodes.jsonl").write_bytes(b"".join(lines[:15]) + lines[15][:100])
    small(monkeypatch)
    pool.run(CONFIG, folder, resume=True)
    assert summary(folder) == summary(plain)
    assert names(folder)[0] == "episodes.000.jsonl.zst"


@pytest.mark.parametrize("left", [1, 9])
def test_it_is_resumed_where_it_stopped(
    plain: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, left: int
) -> None:
    small(monkeypatch)
    folder = tmp_path / "run"
    played = 0

    def stop(*_: object) -> None:
        nonlocal played
        played += 1
        if played == 20 - left:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pool.run(CONFIG, folder, progress=stop)
    before = names(folder)
    assert before[0].endswith(".zst")
    pool.run(CONFIG, folder, resume=True)
    assert names(folder)[: len(before) - 1] == before[:-1]
    assert summary(folder) == summary(plain)
    assert len(RunStore.read_only(folder).rows()) == 20


def damage_frame(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 3] ^= 0xFF
    path.write_bytes(content)


def damage_table(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5])


@pytest.mark.parametrize("damage", [damage_frame, damage_table, Path.unlink])
def test_a_damaged_part_is_named_set_aside_and_played_again(
    plain: Path, folder: Path, damage: Callable[[Path], None]
) -> None:
    path = RunStore.read_only(folder).lines.files()[1]
    damage(path)
    with pytest.raises(ConfigError, match=r"--resume sets it aside"):
        list(RunStore.read_only(folder).episodes())
    store = pool.run(CONFIG, folder, resume=True)
    assert damage is Path.unlink or f"{path.name}.damaged" in store.notes[0]
    assert summary(folder) == summary(plain)
    assert len(list(RunStore.read_only(folder).episodes())) == 20
    assert pool.run(CONFIG, folder, resume=True).notes == []


def test_a_record_of_a_part_that_says_something_else_is_played_again(plain: Path, folder: Path) -> None:
    store = RunStore.read_only(folder)
    path = store.lines.files()[1]
    content = packed.zstd.decompress(path.read_bytes()).replace(b'"outcome":"failure"', b'"outcome":"success"', 1)
    path.with_suffix("").write_bytes(content)
    path.unlink()
    packed.compress(path.with_suffix(""), path)
    path.with_suffix("").unlink()
    with pytest.raises(ConfigError, match="its bytes are not those that were written"):
        list(store.episodes())
    pool.run(CONFIG, folder, resume=True)
    assert summary(folder) == summary(plain)
    assert (folder / "damaged.jsonl").read_bytes().count(b"\n") == 1


def test_its_listing_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small(monkeypatch)
    monkeypatch.setattr(listing, "KEPT", 4)
    store = pool.run(CONFIG, tmp_path / "run")
    monkeypatch.setattr(RunStore, "indexed", None)  # nothing is read a second time
    assert len(listing.read(store)) == 20


def test_a_tournament_ends_in_compressed_parts_and_says_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    players = tuple(Player(name, name) for name in ("tft", "all-c", "random"))
    wanted = Tournament("ibench/TrustGame-v1", players, "round-robin", arguments={"matches": 1}, repeats=3)
    tournament.run(wanted, tmp_path / "plain")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for name, value in SETTINGS.items():
        monkeypatch.setattr(parts, name, value // 8)
    store = tournament.run(wanted, tmp_path / "run")
    assert [path.suffix for path in store.lines.files()] == [".zst"] * len(store.lines.files())
    assert summary(tmp_path / "run") == summary(tmp_path / "plain")
    texts = [
        {record.match: record.texts for record in TournamentStore.read_only(tmp_path / name).matches()}
        for name in ("plain", "run")
    ]
    assert texts[0].keys() == texts[1].keys()
    assert all([t.text for t in texts[0][name]] == [t.text for t in texts[1][name]] for name in texts[0])
    ibench("replay", tmp_path / "run")
    ibench("report", tmp_path / "run")
    with pytest.raises(ConfigError, match="holds a tournament already"):
        tournament.run(wanted, tmp_path / "run")
    assert tournament.run(wanted, tmp_path / "run", resume=True).notes == []


def test_keys_are_as_a_set() -> None:
    draw = random.Random(1)
    made, wanted = Keys(), set[tuple[int, int, int]]()
    for _ in range(500):
        key = (draw.randrange(3), draw.choice((0, 1, 1023, 1024, 2**52)), draw.randrange(4))
        assert (key in made) == (key in wanted)
        made.add(key)
        wanted.add(key)
        assert len(made) == len(wanted)


@pytest.mark.long
def test_runs_that_are_killed_at_any_moment_of_compressing_are_whole_in_the_end(plain: Path, tmp_path: Path) -> None:
    draw, folder, killed = random.Random(7), tmp_path / "run", 0
    code = (
        "import sys; from pathlib import Path; from interactive_envs.evaluation.run import pool; "
        "from interactive_envs.reporting.records import RunConfig, Cell; "
        "from interactive_envs.system import packed, parts; "
        f"parts.PART, parts.CLOSING, packed.FRAME = 8_000, 4_000, 1_000; "
        f"cells = tuple(Cell({PUZZLE!r}, {{}}, name) for name in ('random', 'rule')); "
        "pool.run(RunConfig(cells, 10, 4), Path(sys.argv[1]), resume=True)"
    )
    for _ in range(25):
        with subprocess.Popen([sys.executable, "-c", code, str(folder)], stderr=subprocess.DEVNULL) as process:
            # New names come and go only while parts are closed and compressed.
            begun, wanted = time.monotonic(), draw.randrange(1, 4)
            before = seen = set(os.listdir(folder)) if folder.exists() else set()
            while process.poll() is None and wanted and time.monotonic() < begun + 60:
                now = set(os.listdir(folder)) if folder.exists() else set()
                wanted -= now != seen and any(name.startswith("episodes.0") for name in now ^ seen)
                seen = now
            time.sleep(draw.random() * 0.002)
            killed += process.poll() is None and seen != before
            process.send_signal(signal.SIGKILL)
    assert killed >= 5
    pool.run(CONFIG, folder, resume=True)
    assert summary(folder) == summary(plain)
    assert len(list(RunStore.read_only(folder).records())) == 20
