"""Run in an environment with Hugging Face's datasets: what is exported loads there, and rows do."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner
from datasets import Dataset, load_dataset

from interactive_envs.api import evaluate
from interactive_envs.cli.main import main
from interactive_envs.training.llm.rows import read_row, rows, split_of

PUZZLE = "ibench/SituationPuzzle-v1"


def test_exported_runs_load_and_hold_nothing_of_the_held_out_split(tmp_path: Path) -> None:
    evaluate(PUZZLE, ["reference", "random"], episodes=60, out=tmp_path / "run")
    for kind in ("sft", "preferences"):
        done = CliRunner().invoke(
            main, ["export", kind, str(tmp_path / "run"), "--out", str(tmp_path / f"{kind}.jsonl")]
        )
        assert done.exit_code == 0, done.output
    dialogues = load_dataset("json", data_files=str(tmp_path / "sft.jsonl"), split="train", cache_dir=str(tmp_path))
    pairs = load_dataset("json", data_files=str(tmp_path / "preferences.jsonl"), split="train", cache_dir=str(tmp_path))
    assert {message["role"] for message in dialogues[0]["messages"]} == {"system", "user", "assistant"}
    assert pairs[0]["chosen"][0]["role"] == pairs[0]["rejected"][0]["role"] == "assistant"
    held_out = {row["case"] for row in rows(PUZZLE, 40, split="held-out")}
    for data in (dialogues, pairs):
        assert len(data)
        assert not held_out & set(data["case"])
        assert {split_of(seed, case, True) for seed, case in zip(data["seed"], data["case"], strict=True)} == {"train"}


def test_rows_are_the_same_after_a_data_set() -> None:
    chosen = rows([PUZZLE, "ibench/TrustGame-v1"], 6)
    loaded = list(Dataset.from_list(chosen))
    assert [read_row(row) for row in loaded] == [read_row(row) for row in chosen]
    assert [row["prompt"] for row in loaded] == [row["prompt"] for row in chosen]
