"""Runs as training data: what was said, to the letter; nothing held out; pairs that differ by a message."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interactive_envs.api import evaluate
from interactive_envs.cli.main import main
from interactive_envs.evaluation.results import Run
from interactive_envs.training.llm.chat import Chat
from interactive_envs.training.llm.rollout import rollout
from interactive_envs.training.llm.rows import id_split, rows, split_of
from tests.training.llm.tokens import chatml

PUZZLE, QUERY = "ibench/SituationPuzzle-v1", "ibench/Query-set-deductive-adding-up-ends-by-count-mirror-neighbours-v1"
BOX = "ibench/BlackBox-puzzle-random-v1"


def ibench(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "mine"
    evaluate([PUZZLE, QUERY], ["reference", "random"], episodes=60, out=folder)
    return folder


def test_won_episodes_are_written_as_they_were_played_and_nothing_held_out(run: Path) -> None:
    done = ibench("export", "sft", run)
    written = lines(run / "sft.jsonl")
    won = [record for record in Run(run).episodes if record.outcome == "success" and not record.invalid]
    kept = [record for record in won if split_of(record.seed, record.case, record.env.id == PUZZLE) == "train"]
    assert {record.env.id for record in won} == {PUZZLE, QUERY}
    assert 0 < len(kept) < len(won)
    assert done.output.splitlines()[0] == f"{len(kept)} dialogues: {run}/sft.jsonl"
    assert done.output.splitlines()[1].startswith(f"Left out: {len(won) - len(kept)} of the held-out split")
    by_key = {(record.seed, record.agent["spec"]): record for record in kept}
    for line in written:
        record = by_key.pop((line["seed"], line["player"]))
        said = [message["content"] for message in line["messages"] if message["role"] == "assistant"]
        heard = [message["content"] for message in line["messages"] if message["role"] == "user"]
        assert said == [step.action for step in record.steps]
        assert heard == [step.observation for step in record.steps]
        assert (line["env_id"], line["reward"], line["case"]) == (record.env.id, record.reward, record.case)
    assert not by_key


def test_a_dialogue_begins_as_the_prompt_of_its_row(run: Path) -> None:
    ibench("export", "sft", run)
    prompts = {row["seed"]: row["prompt"] for row in rows(PUZZLE, 60)}
    for line in lines(run / "sft.jsonl"):
        assert line["env_id"] != PUZZLE or line["messages"][:2] == prompts[line["seed"]]


def test_what_is_written_is_what_a_rollout_shows(tmp_path: Path) -> None:
    evaluate([(BOX, {"items": 2})], ["reference"], episodes=4, out=tmp_path / "run")
    ibench("export", "sft", tmp_path / "run", "--min-reward", "0")
    tokenizer = chatml()
    for line in lines(tmp_path / "run" / "sft.jsonl"):
        texts = iter([message["content"] for message in line["messages"] if message["role"] == "assistant"])
        one = rollout(
            lambda ids, texts=texts: [
                *tokenizer.encode(next(texts), add_special_tokens=False),
                tokenizer.eos_token_id or 0,
            ],  # type: ignore[misc]
            BOX,
            json.loads(line["arguments"]),
            line["seed"],
            chat=Chat(tokenizer),
            max_tokens=10**6,
        )
        whole = tokenizer.decode([*one.prompt_ids, *one.completion_ids], skip_special_tokens=False)
        rendered = tokenizer.apply_chat_template(line["messages"], tokenize=False, add_generation_prompt=False)
        assert rendered == f"{whole}\n"


def test_filters_hold_and_finding_nothing_is_said(run: Path, tmp_path: Path) -> None:
    out = tmp_path / "few.jsonl"
    ibench("export", "sft", run, "--out", out, "--max-turns", "2", "--min-reward", "1")
    assert {len(line["messages"]) // 2 for line in lines(out)} <= {1, 2}
    done = ibench("export", "sft", run, "--out", tmp_path / "none.jsonl", "--min-reward", "1000")
    assert done.exit_code == 2
    assert "no episode passed the filter" in done.output
    assert not (tmp_path / "none.jsonl").exists()
    assert "say where to write it" in ibench("export", "sft", run, run).output


def test_ids_can_be_held_out_whole(run: Path) -> None:
    done = ibench("export", "sft", run, "--split-by", "id", "--min-reward", "-1000", "--max-invalid", "9")
    written = lines(run / "sft.jsonl")
    assert {line["env_id"] for line in written} == {e for e in (PUZZLE, QUERY) if id_split(e) == "train"}
    assert done.exit_code == 0


def test_pairs_share_their_prompt_and_part_with_a_message(run: Path) -> None:
    done = ibench("export", "preferences", run, "--min-reward", "1")
    assert done.exit_code == 0, done.output
    pairs = [line for line in lines(run / "preferences.jsonl") if line["env_id"] == PUZZLE]
    assert pairs
    records = {(record.case, record.agent["spec"]): record for record in Run(run).episodes if record.env.id == PUZZLE}
    for pair in pairs:
        assert split_of(pair["seed"], pair["case"], True) == "train"
        assert pair["reward"] > pair["rejected_reward"]
        better, worse = (records[pair["case"], pair[player]] for player in ("player", "rejected_player"))
        assert better.seed == worse.seed == pair["seed"]
        assert pair["chosen"][0]["role"] == pair["rejected"][0]["role"] == "assistant"
        assert pair["chosen"][0] != pair["rejected"][0]
        for record, tail in ((better, "chosen"), (worse, "rejected")):
            said = [m["content"] for m in [*pair["prompt"], *pair[tail]] if m["role"] == "assistant"]
            assert said == [step.action for step in record.steps]


def test_the_first_difference_alone_can_be_asked_for(run: Path) -> None:
    ibench("export", "preferences", run, "--first", "--min-gap", "1")
    for pair in lines(run / "preferences.jsonl"):
        assert len(pair["chosen"]) == len(pair["rejected"]) == 1
        assert pair["reward"] - pair["rejected_reward"] >= 1


def test_a_preface_of_a_probe_is_written(tmp_path: Path) -> None:
    evaluate([(QUERY, {"probes": ["boundary"]})], ["reference"], episodes=6, out=tmp_path / "run")
    assert ibench("export", "sft", tmp_path / "run", "--min-reward", "0").exit_code == 0
    for line in lines(tmp_path / "run" / "sft.jsonl"):
        row = next(r for r in rows(QUERY, 20, probes=["boundary"]) if r["seed"] == line["seed"])
        assert line["messages"][: len(row["prompt"])] == row["prompt"]
