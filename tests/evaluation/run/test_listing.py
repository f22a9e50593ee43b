"""The listing of a run, which is kept beside it: right while files grow, and nothing once they have changed."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from interactive_envs.api import evaluate
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.run import listing
from interactive_envs.evaluation.run.listing import OUTCOMES, TABLE, Listing
from interactive_envs.reporting.records import EpisodeRow
from interactive_envs.reporting.store import RunStore
from interactive_envs.seeds import episode_seed
from interactive_envs.system import parts
from tests.replicated import Counted, replicated


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("run") / "small"
    evaluate(["ibench/TrustGame-v1"], ["tft", "all-d"], arguments={"matches": 1}, episodes=3, out=folder)
    return folder


@pytest.fixture
def run(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(listing, "KEPT", 20)
    replicated(small, tmp_path / "run", 40)
    return tmp_path / "run"


def rows_of(store: RunStore, known: Listing) -> list[EpisodeRow]:
    return [known.row(store, place) for place in range(len(known))]


def same(store: RunStore, known: Listing) -> bool:
    """Whether a listing has what the store's own rows have."""
    rows = store.rows()
    columns = [
        (*row.key, OUTCOMES.index(row.outcome), row.invalid, row.case, row.reward)  # type: ignore[arg-type]
        for row in rows
    ]
    table = [
        (*known.key(place), int(one["outcome"]), int(one["invalid"]), known.cases[one["case"]], float(one["reward"]))
        for place, one in enumerate(known.table)
    ]
    return rows_of(store, known) == rows and table == columns


def test_it_has_what_the_rows_have_and_is_kept(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = RunStore.read_only(run)
    assert same(store, listing.read(store))
    monkeypatch.setattr(RunStore, "indexed", None)  # nothing is read a second time
    kept = listing.read(RunStore.read_only(run))
    assert len(kept) == 80
    assert (kept.place((1, 7, 0)), kept.place((1, 40, 0)), kept.place((2, 0, 0))) == (47, None, None)


def test_a_small_run_has_no_file_of_it(small: Path) -> None:
    assert len(listing.read(RunStore.read_only(small))) == 6
    assert not (small / listing.FILE).exists()


def test_of_a_run_that_grows_only_what_is_new_is_read(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = listing.read(RunStore.read_only(run))
    grow(run)
    store = RunStore.read_only(run)
    counted = Counted(monkeypatch)
    now = listing.read(store, known)
    assert counted.work == {"rows": 1, "records": 0}
    assert len(now) == 81
    assert same(store, now)


def grow(run: Path) -> None:
    """One more episode, as the runner writes it."""
    store = RunStore.read_only(run)
    last = store.rows()[-1]
    config = (run / "config.json").read_text().replace('"episodes": 40', '"episodes": 41')
    (run / "config.json").write_text(config)
    with RunStore.open(run) as writer:
        record = store.record(last) | {"case_index": 40}
        record["seed"] = episode_seed(writer.config.seed, record["env"]["key"], 40, 0)
        writer.append(record)


def cut(run: Path) -> None:
    """The index ends earlier: the rest is read from the records."""
    lines = (run / "index.jsonl").read_bytes().splitlines(keepends=True)
    (run / "index.jsonl").write_bytes(b"".join(lines[:50]))


def lose(run: Path) -> None:
    (run / "index.jsonl").unlink()


def change(run: Path) -> None:
    """A digit of the index, in place."""
    before = os.stat(run / "index.jsonl")
    content = (run / "index.jsonl").read_bytes().replace(b"scored", b"failed", 1)
    (run / "index.jsonl").write_bytes(content)
    os.utime(run / "index.jsonl", ns=(before.st_atime_ns, before.st_mtime_ns))


def other(run: Path) -> None:
    """Another file of the same name, with fewer episodes."""
    lines = (run / "episodes.jsonl").read_bytes().splitlines(keepends=True)
    (run / "episodes.new").write_bytes(b"".join(lines[1:]))
    (run / "episodes.new").replace(run / "episodes.jsonl")


def copy(run: Path) -> None:
    shutil.copytree(run, run.with_name("copy"))
    shutil.rmtree(run)
    run.with_name("copy").rename(run)


def damage(run: Path) -> None:
    (run / listing.FILE).write_bytes((run / listing.FILE).read_bytes()[: -TABLE.itemsize])


def nonsense(run: Path) -> None:
    (run / listing.FILE).write_bytes(b"[1]\n")


@pytest.mark.parametrize("happens", [grow, cut, lose, change, other, copy, damage, nonsense])
@pytest.mark.parametrize("is_served", [False, True])
def test_it_is_never_stale(run: Path, happens: Callable[[Path], None], is_served: bool) -> None:
    known = listing.read(RunStore.read_only(run))
    happens(run)
    store = RunStore.read_only(run)
    now = listing.read(store, known if is_served else None)
    assert same(store, now)
    assert same(store, listing.read(store, now))


def test_what_the_index_gets_later_is_listed_once(run: Path) -> None:
    whole = (run / "index.jsonl").read_bytes()
    cut(run)
    store = RunStore.read_only(run)
    known = listing.read(store)
    assert len(known.extra) == 30
    with (run / "index.jsonl").open("ab") as file:
        file.write(whole[(run / "index.jsonl").stat().st_size :])
    now = listing.read(store, known)
    assert not now.extra
    assert same(store, now)


def test_a_row_that_moved_meanwhile_is_no_other_row(run: Path) -> None:
    store = RunStore.read_only(run)
    known = listing.read(store)
    lines = (run / "index.jsonl").read_bytes().splitlines(keepends=True)
    (run / "index.jsonl").write_bytes(b"".join(reversed(lines)))
    with pytest.raises(ConfigError, match="load the page again"):
        rows_of(store, known)


def test_a_folder_of_somebody_else_is_listed_without_a_file(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(listing, "write_atomically", refuse)
    assert len(listing.read(RunStore.read_only(run))) == 80
    assert not (run / listing.FILE).exists()


def test_a_large_run_has_it_when_it_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "KEPT", 4)
    evaluate(["ibench/TrustGame-v1"], ["tft"], arguments={"matches": 1}, episodes=4, out=tmp_path / "run")
    assert (tmp_path / "run" / listing.FILE).stat().st_mode & 0o077 == 0


@pytest.mark.long
def test_100_000_episodes_are_listed_in_less_time_than_their_file_takes_to_read(small: Path, tmp_path: Path) -> None:
    replicated(small, tmp_path / "run", 50_000)
    store = RunStore.read_only(tmp_path / "run")
    assert len(listing.read(store)) == 100_000

    def seconds(work: Callable[[], object]) -> float:
        begun = time.perf_counter()
        work()
        return time.perf_counter() - begun

    def all_lines() -> None:
        with parts.Lines(tmp_path / "run" / "episodes.jsonl").open() as lines:
            while lines.read(1 << 20):
                pass

    raw = min(seconds(all_lines) for _ in range(3))

    def first_page() -> None:
        known = listing.read(store)
        places = np.flatnonzero(known.table["outcome"] == OUTCOMES.index("scored"))  # type: ignore[arg-type]
        assert len([known.row(store, int(place)) for place in places[:50]]) == 50

    assert min(seconds(first_page) for _ in range(3)) < raw
