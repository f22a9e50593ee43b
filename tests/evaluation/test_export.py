"""Runs and tournaments as tables: what others read back is what the records say."""

from __future__ import annotations

import csv
import json
import sys
import tracemalloc
from pathlib import Path

import pyarrow.parquet
import pytest
from click.testing import CliRunner, Result

from interactive_envs.api import evaluate, tournament
from interactive_envs.cli.main import main
from interactive_envs.evaluation import export
from interactive_envs.evaluation.results import Run, TournamentRun
from interactive_envs.evaluation.rows import EPISODE_COLUMNS, SEAT_COLUMNS

PUZZLE, TRUST = "ibench/SituationPuzzle-v1", "ibench/TrustGame-v1"


def ibench(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "mine"
    evaluate([PUZZLE, (TRUST, {"delta": 0.5})], ["random"], episodes=3, out=folder)
    fault = {"cell": 0, "case": "", "case_index": 1, "epoch": 0, "fault": "provider_error", "message": "", "attempt": 1}
    (folder / "faults.jsonl").write_text(f"{json.dumps(fault)}\n[]\nno JSON\n" + json.dumps(fault | {"fault": "x"}))
    return folder


def test_csv_has_a_row_per_episode(run: Path) -> None:
    done = ibench("export", "csv", run)
    assert (done.exit_code, done.output) == (0, f"6 rows: {run}/episodes.csv\n")
    with (run / "episodes.csv").open(newline="", encoding="utf-8") as file:
        table = {(int(row["cell"]), row["case"], int(row["epoch"])): row for row in csv.DictReader(file)}
    for record in Run(run).episodes:
        row = table.pop((record.cell, record.case, record.epoch))
        assert list(row) == list(EPISODE_COLUMNS)
        assert (row["run"], row["player"], row["env"]) == ("mine", "random", record.env.id)
        assert json.loads(row["arguments"]).get("delta") == (0.5 if record.env.id == TRUST else None)
        assert (int(row["seed"]), float(row["reward"]), row["outcome"]) == (record.seed, record.reward, record.outcome)
        broken = record.cell == 0 and record.case_index == 1
        assert (row["faults"], row["fault"]) == (("2", "x") if broken else ("0", ""))
    assert not table


def test_parquet_keeps_types_and_joins_runs(run: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    evaluate(PUZZLE, ["random"], episodes=2, out=other)
    done = ibench("export", "parquet", run, other, "--out", tmp_path / "all.parquet")
    assert done.output == f"8 rows: {tmp_path}/all.parquet\n"
    table = pyarrow.parquet.read_table(tmp_path / "all.parquet")
    rows = sorted(table.to_pylist(), key=lambda row: (row["run"], row["cell"], row["case_index"], row["epoch"]))
    assert rows == [*Run(run).to_rows(), *Run(other).to_rows()]
    assert [str(table.schema.field(name).type) for name in ("judge", "cost", "seed", "success")] == [
        *("string", "double", "int64", "bool")
    ]
    assert (tmp_path / "all.parquet").stat().st_mode & 0o077 == 0


def test_a_tournament_has_a_row_per_match_and_seat(tmp_path: Path) -> None:
    tournament(TRUST, {"=1+1": "trust/tft", "b": "trust/all-d"}, out=tmp_path / "league")
    assert ibench("export", "parquet", tmp_path / "league").output.startswith("4 rows: ")
    rows = pyarrow.parquet.read_table(tmp_path / "league" / "matches.parquet").to_pylist()
    assert sorted(rows, key=lambda row: (row["match"], row["seat"])) == TournamentRun(tmp_path / "league").to_rows()
    assert list(rows[0]) == list(SEAT_COLUMNS)
    assert ibench("export", "csv", tmp_path / "league").exit_code == 0
    with (tmp_path / "league" / "matches.csv").open(newline="") as file:
        assert {row["player"] for row in csv.DictReader(file)} == {"'=1+1", "b"}, "no formula reaches a spreadsheet"


def test_texts_and_numbers_in_csv(tmp_path: Path) -> None:
    values = ["=SUM(A1)", "+1", "-1", "@x", "\t=1", -1.5, None, True, "a,b\n\"c\"", "half \ud800", "plain"]  # fmt: skip
    path = export.write_csv(tmp_path / "x.csv", [dict(enumerate(values))], map(str, range(len(values))))
    with path.open(newline="", encoding="utf-8") as file:
        _, row = csv.reader(file)
    assert row[:5] == ["'=SUM(A1)", "'+1", "'-1", "'@x", "'\t=1"]
    assert row[5:] == ["-1.5", "", "True", 'a,b\n"c"', "half ?", "plain"]


def test_what_cannot_be_exported_is_one_line(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament(TRUST, ["trust/tft", "trust/grim"], out=tmp_path / "league")
    for folders, reason in (
        ([run, tmp_path / "league"], "runs and tournaments have different columns; export them one kind at a time"),
        ([run, run], "several folders make one table; say where to write it: --out FILE"),
        ([tmp_path / "none"], "holds no run: config.json is missing"),
        ([tmp_path], f"{tmp_path / 'league'} does"),
    ):
        done = ibench("export", "csv", *folders)
        assert done.exit_code == 2
        assert reason in done.output
        assert done.output.count("\n") == 1
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    done = ibench("export", "parquet", run, "--out", tmp_path / "x")
    assert "Parquet needs an extra that is not installed: pip install 'interactive-envs[parquet]'" in done.output
    assert not list(tmp_path.glob("x*"))


def test_memory_does_not_grow_with_the_table(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export, "GROUP", 500)
    row = Run(run).to_rows()[0]
    peaks = []
    for count in (1_000, 10_000):
        for write in (export.write_csv, export.write_parquet):
            tracemalloc.start()
            write(tmp_path / "table", (dict(row) for _ in range(count)), EPISODE_COLUMNS)
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    assert peaks[2] < 2 * peaks[0]
    assert peaks[3] < 2 * peaks[1]
