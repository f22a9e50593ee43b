"""A run's folder: what a crash, a stale index or a second writer can and cannot do to it."""

from __future__ import annotations

import dataclasses
import fcntl
import json
import random
import tracemalloc
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from interactive_envs.errors import ConfigError
from interactive_envs.reporting.records import Cell, EpisodeRow, RunConfig, row_of
from interactive_envs.reporting.store import RunStore
from interactive_envs.seeds import episode_seed
from interactive_envs.system import parts
from interactive_envs.system.disk import write_atomically

ENV = "ibench/SituationPuzzle-v1"
CONFIG = RunConfig((Cell(ENV, {"mode": "menu"}, "random"),), episodes=9, seed=3)
STEP = {"kind": "query", "valid": True, "reason": None, "reply": "No.", "reward": 0.0, "verdict": None}


def record(number: int, *, cell: int = 0, text: str = "ü") -> dict[str, Any]:
    """A finished episode, as the runner writes it, as far as the store looks at it."""
    tokens = {"prompt": 10, "completion": 2, "reasoning": 1, "cached": 0}
    return {
        "schema": 1,
        "cell": cell,
        "case": f"case-{number}",
        "case_index": number,
        "epoch": 0,
        "seed": episode_seed(3, ENV, number, 0),
        "env": {"id": ENV, "key": ENV},
        "agent": {"spec": "random"},
        "steps": [{"observation": text, "action": text, **STEP}],
        "outcome": "success",
        "reward": 1.0,
        "turns": 3,
        "won_by": "round",
        "first_final": True,
        "queries": 2,
        "finals": 1,
        "invalid": 0,
        "abstained": 0,
        "tokens": tokens,
        "judge_tokens": tokens,
        "cost": None,
        "judge_cost": 0.5,
        "seconds": 0.25,
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run with three episodes, ended in the order 2, 0, 1."""
    with RunStore.create(tmp_path / "run", CONFIG) as store:
        for number in (2, 0, 1):
            store.append(record(number))
    return tmp_path / "run"


def numbers(rows: Iterator[EpisodeRow] | list[EpisodeRow]) -> list[int]:
    return [row.case_index for row in rows]


def check_whole(folder: Path, expected: list[int]) -> None:
    """The rows are those, each finds its record, and another episode can be appended."""
    store = RunStore.read_only(folder)
    assert numbers(store.iterate()) == expected
    assert [store.record(row)["case_index"] for row in store.iterate()] == expected
    with RunStore.open(folder) as store:
        assert numbers(store.iterate()) == expected
        store.append(record(7))
    store = RunStore.read_only(folder)
    assert numbers(store.iterate()) == [*expected, 7]
    assert [store.record(row) for row in store.rows()] == [record(n) for n in sorted([*expected, 7])]
    index = [json.loads(line) for line in (folder / "index.jsonl").read_text().splitlines()]
    assert [row[2] for row in index] == [*expected, 7]


def test_rows_come_in_order_and_find_their_records(folder: Path) -> None:
    store = RunStore.read_only(folder)
    assert numbers(store.iterate()) == [2, 0, 1]
    assert numbers(store.rows()) == [0, 1, 2]
    assert store.record(store.rows()[1]) == record(1)
    assert store.config == CONFIG
    check_whole(folder, [2, 0, 1])


def test_a_row_is_all_that_summaries_need() -> None:
    row = row_of(record(4, cell=1), 100, b"123456789")
    assert row.key == (1, 4, 0)
    assert dataclasses.asdict(row) == {
        **{name: record(4, cell=1)[name] for name in ("cell", "case", "case_index", "epoch", "outcome", "reward")},
        **{name: record(4)[name] for name in ("turns", "won_by", "first_final", "queries", "finals", "invalid")},
        "illegal": 0,
        **{name: record(4)[name] for name in ("abstained", "cost", "judge_cost", "seconds")},
        "prompt_tokens": 10,
        "completion_tokens": 2,
        "reasoning_tokens": 1,
        "judge_tokens": 12,
        "offset": 100,
        "length": 9,
        "crc": 0xCBF43926,  # the check value of CRC-32
    }


# Crashes


@pytest.mark.parametrize("cut", [1, 2, 30, 10_000])
def test_a_record_that_a_crash_cut_off_is_dropped(folder: Path, cut: int) -> None:
    episodes = folder / "episodes.jsonl"
    whole = episodes.read_bytes()
    with RunStore.open(folder) as store:
        store.append(record(5, text="x" * 200_000))
    content = episodes.read_bytes()
    episodes.write_bytes(content[:-cut])
    assert numbers(RunStore.read_only(folder).iterate()) == [2, 0, 1]  # looking changes nothing
    assert episodes.stat().st_size == len(content) - cut
    RunStore.open(folder).close()
    assert episodes.read_bytes() == whole
    check_whole(folder, [2, 0, 1])


def test_every_possible_cut_keeps_all_whole_records(folder: Path) -> None:
    episodes, index = folder / "episodes.jsonl", folder / "index.jsonl"
    content, rows = episodes.read_bytes(), index.read_bytes()
    ends = [row.offset + row.length for row in RunStore.read_only(folder).iterate()]
    for cut in range(0, len(content) + 1, 7):
        episodes.write_bytes(content[:cut])
        index.write_bytes(rows)
        with RunStore.open(folder) as store:
            assert numbers(store.iterate()) == [2, 0, 1][: sum(end <= cut for end in ends)]


def test_a_first_record_without_an_end_leaves_nothing(folder: Path) -> None:
    (folder / "episodes.jsonl").write_bytes(b"x" * 200_000)
    check_whole(folder, [])


def test_a_record_without_its_index_row_is_found(folder: Path) -> None:
    line = json.dumps(record(5), ensure_ascii=False).encode() + b"\n"
    with (folder / "episodes.jsonl").open("ab") as file:
        file.write(line)
    check_whole(folder, [2, 0, 1, 5])


# The index


def lines_of(folder: Path) -> list[str]:
    return (folder / "index.jsonl").read_text().splitlines(keepends=True)


def test_a_missing_index_is_rebuilt(folder: Path) -> None:
    before = lines_of(folder)
    (folder / "index.jsonl").unlink()
    assert numbers(RunStore.read_only(folder).iterate()) == [2, 0, 1]
    assert not (folder / "index.jsonl").exists()
    RunStore.open(folder).close()
    assert lines_of(folder) == before
    check_whole(folder, [2, 0, 1])


def test_an_index_in_order_is_left_as_it_is(folder: Path) -> None:
    before = (folder / "index.jsonl").stat()
    RunStore.open(folder).close()
    assert (folder / "index.jsonl").stat().st_ino == before.st_ino
    assert not (folder / "index.jsonl.new").exists()


@pytest.mark.parametrize("keep", [0, 1, 40, -1, -2, -40])
def test_a_truncated_index_is_mended(folder: Path, keep: int) -> None:
    index = folder / "index.jsonl"
    index.write_bytes(index.read_bytes()[:keep])
    check_whole(folder, [2, 0, 1])


@pytest.mark.parametrize(
    "garbled",
    [
        ["nonsense\n"],
        ["\n"],
        ["5\n", "{}\n", "null\n", "[]\n"],
        ["[" + "9" * 5000 + "]\n"],
        [json.dumps([None] * 22) + "\n"],
        ["\x00" * 100 + "\n"],
    ],
)
@pytest.mark.parametrize("place", [0, 1, 3])
def test_garbage_in_the_index_is_read_round_and_mended(folder: Path, garbled: list[str], place: int) -> None:
    lines = lines_of(folder)
    (folder / "index.jsonl").write_text("".join(lines[:place] + garbled + lines[place:]))
    check_whole(folder, [2, 0, 1])


FIELDS = [field.name for field in dataclasses.fields(EpisodeRow)]


def summed(row: list[Any]) -> str:
    """A row of the index with its checksum, as nobody but its writer or a forger makes it."""
    content = json.dumps(row, separators=(",", ":"))[:-1]
    return f"{content},{zlib.crc32(content.encode())}]\n"


def test_a_row_ends_with_its_checksum(folder: Path) -> None:
    assert [summed(json.loads(line)[:-1]) for line in lines_of(folder)] == lines_of(folder)


@pytest.mark.parametrize("position", [0, 1, 2])
@pytest.mark.parametrize("length", [12, 10**9, -3, 0])
@pytest.mark.parametrize("last", [False, True])
def test_an_index_row_of_the_wrong_length_is_not_believed(folder: Path, position: int, length: int, last: bool) -> None:
    rows = [json.loads(line)[:-1] for line in lines_of(folder)]
    rows[position][FIELDS.index("length")] = length
    (folder / "index.jsonl").write_text("".join(map(summed, rows[: position + 1 if last else 9])))
    check_whole(folder, [2, 0, 1])


@pytest.mark.parametrize("value", ["3", None, 2.5, [], 10**30, True])
@pytest.mark.parametrize("field", ["offset", "length", "turns", "cell"])
def test_an_index_row_of_the_wrong_type_is_not_believed(folder: Path, field: str, value: Any) -> None:
    rows = [json.loads(line)[:-1] for line in lines_of(folder)]
    rows[0][FIELDS.index(field)] = value
    (folder / "index.jsonl").write_text("".join(map(summed, rows)))
    check_whole(folder, [2, 0, 1])


@pytest.mark.parametrize(("field", "value"), [("cell", 1), ("cell", -1), ("case_index", -1), ("reward", 1e300)])
def test_an_index_row_that_cannot_be_is_not_believed(folder: Path, field: str, value: Any) -> None:
    rows = [json.loads(line)[:-1] for line in lines_of(folder)]
    rows[1][FIELDS.index(field)] = value
    (folder / "index.jsonl").write_text("".join(map(summed, rows)))
    check_whole(folder, [2, 0, 1])


def test_an_index_without_checksums_is_made_new(folder: Path) -> None:
    before = lines_of(folder)
    (folder / "index.jsonl").write_text("".join(json.dumps(json.loads(line)[:-2]) + "\n" for line in before))
    assert numbers(RunStore.read_only(folder).iterate()) == [2, 0, 1]
    RunStore.open(folder).close()
    assert lines_of(folder) == before


def test_an_index_without_records_is_emptied(folder: Path) -> None:
    (folder / "episodes.jsonl").unlink()
    check_whole(folder, [])


def test_an_index_of_a_longer_run_is_stale(folder: Path) -> None:
    lines = lines_of(folder)
    last = dict(zip(FIELDS, json.loads(lines[-1])[:-1], strict=True))
    last |= {"offset": last["offset"] + last["length"], "case_index": 5}
    (folder / "index.jsonl").write_text("".join([*lines, summed([*last.values()])]))
    check_whole(folder, [2, 0, 1])


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6), flips=st.integers(1, 6))
def test_whatever_happens_to_the_index_every_record_is_found(folder: Path, seed: int, flips: int) -> None:
    index = folder / "index.jsonl"
    if not (folder / "good").exists():
        (folder / "good").write_bytes(index.read_bytes())
    garbled = bytearray((folder / "good").read_bytes())
    rng = random.Random(seed)
    start = garbled.rfind(b",", 0, garbled.find(b"\n"))  # in the numbers of the first row and whatever follows
    for _ in range(flips):
        place = rng.randrange(start, len(garbled))
        if rng.random() < 0.5:
            garbled[place : place + rng.randrange(4)] = b""
        else:
            garbled.insert(place, rng.randrange(256))
    index.write_bytes(bytes(garbled))
    store = RunStore.read_only(folder)
    rows = list(store.iterate())
    assert len(rows) == 3
    assert [store.record(row)["case_index"] for row in rows] == [2, 0, 1]


# Configurations


def changed(**changes: Any) -> RunConfig:
    return dataclasses.replace(CONFIG, **changes)


def cell(**changes: Any) -> RunConfig:
    return changed(cells=(dataclasses.replace(CONFIG.cells[0], **changes),))


@pytest.mark.parametrize(
    ("config", "difference"),
    [
        (changed(seed=4), "seed was 3, now 4"),
        (changed(seed=4, time_limit=2.5), "seed was 3, now 4; time_limit was null, now 2.5"),
        (cell(agent="rule"), 'cells[0].agent was "random", now "rule"'),
        (cell(arguments={"mode": "free"}), 'cells[0].arguments.mode was "menu", now "free"'),
        (cell(arguments={}), 'cells[0].arguments.mode was "menu", now absent'),
        (cell(arguments={"mode": "menu", "case": None}), "cells[0].arguments.case was absent, now null"),
        (cell(arguments={"mode": ["menu"]}), 'cells[0].arguments.mode was "menu", now ["menu"]'),
        (cell(arguments={"mode": "menü"}), 'cells[0].arguments.mode was "menu", now "menü"'),
        (changed(cells=()), "cells was [{"),
    ],
)
def test_a_resume_refuses_another_configuration_and_says_where(
    folder: Path, config: RunConfig, difference: str
) -> None:
    with pytest.raises(ConfigError) as raised:
        RunStore.open(folder, config)
    assert str(raised.value).startswith(f"cannot resume {folder}: the configuration changed: {difference}")
    RunStore.open(folder, CONFIG).close()


def test_one_character_lists_are_no_texts(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", cell(arguments={"case": ["a"]})):
        pass
    with pytest.raises(ConfigError, match=r'case was \["a"\], now "a"'):
        RunStore.open(tmp_path / "run", cell(arguments={"case": "a"}))


def test_tuples_are_the_lists_they_were_written_as(tmp_path: Path) -> None:
    config = cell(arguments={"cases": ("a", "b")}, axes={"budget": 4})
    RunStore.create(tmp_path / "run", config).close()
    with RunStore.open(tmp_path / "run", config) as store:
        assert store.config.cells[0].arguments == {"cases": ["a", "b"]}


def test_a_run_is_not_begun_where_one_lies(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(
        ConfigError, match="holds a run already; set resume to continue it, or choose another out folder"
    ):
        RunStore.create(folder, CONFIG)
    (folder / "config.json").unlink()
    with pytest.raises(ConfigError, match="holds a run already"):
        RunStore.create(folder, CONFIG)
    with pytest.raises(ConfigError, match=r"holds no run: config\.json is missing"):
        RunStore.open(tmp_path)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", "config.json is not JSON: Expecting value"),
        ("[]", "config.json cannot be read as a run's configuration: it is no object"),
        ('{"schema": 1}', "config.json cannot be read as a run's configuration: 'cells'"),
        ('{"schema": 1, "cells": [{}]}', "config.json cannot be read as a run's configuration: "),
        ('{"schema": 2}', "config.json has schema 2, this version reads 1"),
        ("[" * 5000, "config.json is nested too deeply to be read"),
        (json.dumps(CONFIG.as_json() | {"seed": 0}).replace("0", "9" * 5000), "holds a number of too many digits"),
        (json.dumps(CONFIG.as_json() | {"episodes": "9"}), "configuration: episodes is '9'"),
        (json.dumps(CONFIG.as_json() | {"seed": True}), "configuration: seed is True"),
        (json.dumps(CONFIG.as_json() | {"time_limit": [1]}), "configuration: time_limit is [1]"),
        (json.dumps(CONFIG.as_json() | {"content": [1]}), "configuration: content is no list of objects"),
        (json.dumps(CONFIG.as_json())[:-40], "config.json is not JSON"),
        (json.dumps(CONFIG.as_json()).replace('"random"', "{}"), "configuration: agent is {}"),
        (json.dumps(CONFIG.as_json()).replace('"menu"', "[" * 60 + "]" * 60), "configuration: it is nested too deeply"),
    ],
)
def test_a_configuration_that_cannot_be_read_is_named(folder: Path, content: str, problem: str) -> None:
    (folder / "config.json").write_text(content)
    with pytest.raises(ConfigError) as raised:
        RunStore.open(folder)
    assert problem in str(raised.value)


# Writers and readers


def test_only_one_writer_at_a_time(folder: Path) -> None:
    with RunStore.open(folder):
        with pytest.raises(ConfigError, match=r"another process is writing the run in .*; wait for it or stop it"):
            RunStore.open(folder)
        assert numbers(RunStore.read_only(folder).iterate()) == [2, 0, 1]
    with RunStore.open(folder) as store, (folder / ".lock").open() as lock:
        with pytest.raises(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        store.close()
        store.close()
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_reader_sees_what_is_written_and_writes_nothing(folder: Path) -> None:
    reader = RunStore.read_only(folder)
    with pytest.raises(ConfigError, match="is open for reading only"):
        reader.append(record(5))
    with RunStore.open(folder) as writer:
        assert writer.append(record(5)).case_index == 5
        assert numbers(reader.iterate()) == [2, 0, 1, 5]
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    reader.rows()
    reader.faults()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_an_empty_run_has_no_rows(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "deep" / "run", CONFIG) as store:
        assert store.rows() == []
        assert store.faults() == 0
    (tmp_path / "deep" / "run" / "episodes.jsonl").unlink()
    assert RunStore.read_only(tmp_path / "deep" / "run").rows() == []


def test_faults_are_counted_apart(folder: Path) -> None:
    with RunStore.open(folder) as store:
        store.append_fault({"fault": "provider_error", "message": "half a pair: \ud83d"})
        store.append_fault({"fault": "judge_error", "message": "line\nline"})
        assert store.faults() == 2
    faults = [json.loads(line) for line in (folder / "faults.jsonl").read_text().splitlines()]
    assert [fault["message"] for fault in faults] == ["half a pair: \ud83d", "line\nline"]
    check_whole(folder, [2, 0, 1])


@pytest.mark.parametrize("text", ["\ud83d", "\\\udc80", "\u2028\x85\r", "🙂", '"\n\x00'])
def test_any_text_survives_a_record(tmp_path: Path, text: str) -> None:
    with RunStore.create(tmp_path / "run", CONFIG) as store:
        store.append(record(1, text=text) | {"case": text})
        store.append(record(2))
    for _ in range(2):
        store = RunStore.read_only(tmp_path / "run")
        assert [row.case for row in store.iterate()] == [text, "case-2"]
        assert store.record(store.rows()[0])["steps"][0]["action"] == text
        (tmp_path / "run" / "index.jsonl").unlink(missing_ok=True)


def test_offsets_beyond_four_gigabytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hole = 5 * 2**30
    monkeypatch.setattr(parts, "PART", 2 * hole)
    monkeypatch.setattr(parts, "CLOSING", 2 * hole)
    folder = tmp_path / "run"
    with RunStore.create(folder, CONFIG) as store, (folder / "episodes.jsonl").open("r+b") as file:
        file.truncate(hole)  # zeros that take no room
        store.end = hole
        assert store.append(record(2)).offset == hole
    row = [json.loads(line)[:-1] for line in lines_of(folder)]
    first = row_of(record(1), 0, b"")
    row.insert(0, [*dataclasses.astuple(first)[:-2], hole, 0])
    with (folder / "episodes.jsonl").open("r+b") as file:
        file.seek(hole - 1)
        file.write(b"\n")
    (folder / "index.jsonl").write_text("".join(map(summed, row)))
    store = RunStore.read_only(folder)
    assert numbers(store.iterate()) == [1, 2]
    assert store.record(store.rows()[1]) == record(2)
    with (folder / "episodes.jsonl").open("ab") as file:
        file.write(b'{"cut')
    store.drop_cut_record()
    assert numbers(store.iterate()) == [1, 2]
    (folder / "episodes.jsonl").unlink()


@pytest.mark.parametrize(("episodes", "length"), [(2_000, 10_000), pytest.param(20_000, 1000, marks=pytest.mark.long)])
def test_thousands_of_episodes_are_resumed_without_reading_their_transcripts(
    tmp_path: Path, episodes: int, length: int
) -> None:
    folder, text = tmp_path / "run", "x" * length
    config = changed(episodes=episodes)
    with RunStore.create(folder, config) as store:
        for number in range(episodes):
            store.append(record(number, text=text))
    tracemalloc.start()
    with RunStore.open(folder, config) as store:
        assert sum(row.reward for row in store.iterate()) == episodes
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert store.end > 40_000_000
    assert peak < store.end / 4


def test_atomic_writing_leaves_the_old_file_or_the_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.json"
    write_atomically(path, "old")
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", lambda self, target: (_ for _ in ()).throw(OSError("crash")))
        with pytest.raises(OSError, match="crash"):
            write_atomically(path, "new")
    assert path.read_text() == "old"
    write_atomically(path, "new")
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]
    assert path.read_text() == "new"
