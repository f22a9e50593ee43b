"""Runs as inspect_ai's logs: every value in them is what the records say. inspect_ai itself is not needed here."""

from __future__ import annotations

import dataclasses
import importlib.util
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from interactive_envs.api import evaluate, tournament
from interactive_envs.cli.main import main
from interactive_envs.evaluation.results import Run
from interactive_envs.integrations.inspect import log
from interactive_envs.integrations.inspect.samples import NOT_PLAYED, UNSCORED, chat, sample_of, scores_of_record
from interactive_envs.llm.calls import Usage
from interactive_envs.reporting.records import CallRecord, EpisodeRecord
from interactive_envs.reporting.store import RunStore
from tests.loopback import Loopback

PUZZLE, TRUST = "ibench/SituationPuzzle-v1", "ibench/TrustGame-v1"
MENU = {"mode": "menu", "budget": 4}


def asks(messages: Any) -> str:
    """Two questions, something unreadable, an answer."""
    said = sum(message["role"] == "assistant" for message in messages)
    return ("<ask>1</ask>", "Hm. <ask>2</ask>", "<b>hm</b> \ud83d", "<answer>B</answer>")[said]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, list[dict[str, Any]]]]:
    """A run of a language model and of a player without one, and what the endpoint was sent."""
    folder = tmp_path_factory.mktemp("runs") / "mine"
    with pytest.MonkeyPatch.context() as patch, Loopback(asks) as server:
        patch.setenv("OPENAI_API_KEY", "sk-test")
        model = f"llm:openai/fake?base_url={server.url}&cache=false"
        evaluate([(PUZZLE, MENU), (TRUST, {"delta": 0.5})], [model, "random"], episodes=3, out=folder)
        yield folder, server.bodies


@pytest.fixture(scope="module")
def logs(served: tuple[Path, Any]) -> list[dict[str, Any]]:
    store = RunStore.read_only(served[0])
    return [log.log_of(store, part) for part in log.parts_of(store)]


def ibench(*arguments: object) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


def events(sample: dict[str, Any], kind: str) -> list[dict[str, Any]]:
    return [event for event in sample["events"] if event["event"] == kind]


def test_a_log_per_cell_a_sample_per_episode(served: tuple[Path, Any], logs: list[dict[str, Any]]) -> None:
    records = list(Run(served[0]).episodes)
    assert [one["eval"]["model"] for one in logs] == ["openai/fake", "ibench/random"] * 2
    assert [one["eval"]["task"] for one in logs[:3:2]] == [
        "SituationPuzzle-v1 budget=4 mode=menu",
        "TrustGame-v1 delta=0.5",
    ]
    assert logs[0]["eval"]["task_args"] == {"env_id": PUZZLE, "episodes": 3, "seed": 0, **MENU}
    assert len({one["eval"]["task_id"] for one in logs}) == len({log.file_name(one["eval"]) for one in logs}) == 4
    for cell, one in enumerate(logs):
        mine = [record for record in records if record.cell == cell]
        assert (one["status"], one["results"]["total_samples"], one["results"]["completed_samples"]) == (
            "success",
            3,
            3,
        )
        for sample, record in zip(one["samples"], mine, strict=True):
            assert (sample["id"], sample["epoch"]) == (record.case_index + 1, 1)
            assert (sample["metadata"]["seed"], sample["metadata"]["case"]) == (record.seed, record.case)
            assert sample["scores"]["reward"]["value"] == record.reward
            assert sample["scores"]["turns"]["value"] == record.turns
            assert ("success" in sample["scores"]) is (record.outcome != "scored")
            assert "error" not in sample


def test_the_events_hold_exactly_what_the_model_was_sent_and_said(
    served: tuple[Path, list[dict[str, Any]]], logs: list[dict[str, Any]]
) -> None:
    sent = [body["messages"] for body in served[1]]
    calls = [call for one in logs for sample in one["samples"] for call in events(sample, "model")]
    assert [[{"role": m["role"], "content": m["content"]} for m in call["input"]] for call in calls] == sent
    assert len({m["id"] for m in calls[0]["input"]} & {m["id"] for m in calls[1]["input"]}) == 2, "stored once"
    puzzle = logs[0]["samples"][0]
    assert [call["output"]["completion"] for call in events(puzzle, "model")] == [
        "<ask>1</ask>", "Hm. <ask>2</ask>", "<b>hm</b> ?", "<answer>B</answer>"
    ]  # fmt: skip
    last = events(puzzle, "model")[-1]
    dialogue = [(m["role"], m["content"]) for m in puzzle["messages"]]
    assert dialogue[:-2] == [(m["role"], m["content"]) for m in last["input"]]
    assert dialogue[-2] == ("assistant", "<answer>B</answer>")
    assert puzzle["input"] == dialogue[1][1]
    assert [m["metadata"]["kind"] for m in puzzle["messages"] if m["role"] == "assistant"] == [
        "query", "query", "invalid", "final"
    ]  # fmt: skip
    assert puzzle["scores"]["success"]["answer"] == "<answer>B</answer>"
    usage, tokens = puzzle["model_usage"]["openai/fake"], next(iter(Run(served[0]).episodes)).tokens
    assert (usage["input_tokens"], usage["output_tokens"]) == (tokens.prompt, tokens.completion)
    assert usage["total_cost"] is None, "the price of an endpoint of one's own is unknown, not 0"


def test_spans_nest_and_times_do_not_run_backwards(logs: list[dict[str, Any]]) -> None:
    for sample in (sample for one in logs for sample in one["samples"]):
        inside = None
        for event in sample["events"]:
            if event["event"] == "span_begin":
                inside = event["id"]
            elif event["event"] == "span_end":
                assert event["id"] == inside
                inside = None
            else:
                assert event["span_id"] == inside
        times = [event["timestamp"] for event in sample["events"]]
        assert times == sorted(times)
        assert len({event["uuid"] for event in sample["events"]}) == len(times)


def test_the_results_are_the_summary_of_the_run(served: tuple[Path, Any], logs: list[dict[str, Any]]) -> None:
    for cell, one in zip(Run(served[0]).summary["cells"], logs, strict=True):
        own = next(score for score in one["results"]["scores"] if score["name"] == "ibench")["metrics"]
        for name in ("reward", "invalid_share", "accuracy"):
            if cell[name] is None or cell[name]["value"] is None:
                assert name not in own
            else:
                assert {"value": own[name]["value"], **own[name]["metadata"]} == cell[name]
        rewards = [sample["scores"]["reward"]["value"] for sample in one["samples"]]
        mean = next(score for score in one["results"]["scores"] if score["name"] == "reward")["metrics"]["mean"][
            "value"
        ]
        assert mean == pytest.approx(sum(rewards) / 3)
    assert log.stderr([1.0, 2.0, 4.0]) == pytest.approx(math.sqrt(7 / 3 / 3))
    assert log.stderr([1.0]) == 0.0


def test_a_second_export_is_the_first(served: tuple[Path, Any], logs: list[dict[str, Any]]) -> None:
    store = RunStore.read_only(served[0])
    assert json.dumps([log.log_of(store, part) for part in log.parts_of(store)]) == json.dumps(logs)


def test_faults_are_errors_and_never_a_score(tmp_path: Path) -> None:
    evaluate((PUZZLE, MENU), ["random"], episodes=4, workers=1, out=tmp_path / "run")
    store = RunStore.read_only(tmp_path / "run")
    lines = store.path.read_bytes().splitlines(keepends=True)
    store.path.write_bytes(b"".join(lines[:2]))  # episodes 3 and 4 never ended
    (tmp_path / "run" / "index.jsonl").unlink()
    fault = {"cell": 0, "case": "x", "epoch": 0, "fault": "provider_error", "attempt": 1}
    (tmp_path / "run" / "faults.jsonl").write_text(
        "".join(
            f"{json.dumps(fault | {'case_index': index, 'message': message})}\n"
            for index, message in ((1, "once"), (2, "first"), (2, "<b>last</b>"))
        )
        + "no JSON\n[]\n"
    )
    (part,) = log.parts_of(store)
    found = log.log_of(store, part)
    assert found["status"] == "cancelled"  # episode 4 was neither played nor broken
    assert (found["results"]["total_samples"], found["results"]["completed_samples"]) == (4, 2)
    first, second, broken = found["samples"]
    assert first["error_retries"] is None
    assert [one["message"] for one in second["error_retries"]] == ["provider_error: once"]
    assert "error" not in second
    assert (broken["id"], broken["input"], "scores" in broken) == (3, NOT_PLAYED, False)
    assert broken["error"]["message"] == "provider_error: <b>last</b>"
    assert [one["message"] for one in broken["error_retries"]] == ["provider_error: first"]
    reward = next(score for score in found["results"]["scores"] if score["name"] == "reward")
    assert (reward["scored_samples"], reward["unscored_samples"]) == (2, 0)


def test_a_cell_that_never_played_is_a_log_of_errors(tmp_path: Path) -> None:
    evaluate((PUZZLE, MENU), ["random"], episodes=1, out=tmp_path / "run")
    store = RunStore.read_only(tmp_path / "run")
    store.path.write_bytes(b"")
    (tmp_path / "run" / "index.jsonl").unlink()
    assert list(log.parts_of(store)) == []
    fault = {"cell": 0, "case": "x", "case_index": 0, "epoch": 0, "fault": "env_error", "message": "m", "attempt": 1}
    (tmp_path / "run" / "faults.jsonl").write_text(json.dumps(fault))
    (part,) = log.parts_of(store)
    found = log.log_of(store, part)
    assert (found["eval"]["model"], found["results"]["scores"], len(found["samples"])) == ("ibench/random", [], 1)


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> EpisodeRecord:
    return evaluate((PUZZLE, MENU), ["rule"], episodes=1, out=tmp_path_factory.mktemp("runs") / "one").episodes[0]


@pytest.mark.parametrize(
    ("outcome", "won_by", "success"),
    [("success", "round", 1.0), ("success", "forced", 0.0), ("failure", None, 0.0), ("timeout", None, 0.0)],
)
def test_success_is_what_reports_count(record: EpisodeRecord, outcome: str, won_by: str, success: float) -> None:
    scores = scores_of_record(dataclasses.replace(record, outcome=outcome, won_by=won_by, reward=0.25))
    assert (scores["success"]["value"], scores["reward"]["value"]) == (success, 0.25)


def test_an_unscored_episode_has_no_score_and_a_scored_one_no_success(record: EpisodeRecord) -> None:
    unscored = scores_of_record(dataclasses.replace(record, outcome="unscored"))
    assert math.isnan(unscored["reward"]["value"])
    assert math.isnan(unscored["success"]["value"])
    assert {unscored[name]["reason"] for name in ("reward", "success")} == {UNSCORED}
    assert unscored["turns"]["value"] == record.turns
    assert "success" not in scores_of_record(dataclasses.replace(record, outcome="scored"))


def test_pictures_are_pictures_and_unknown_parts_are_text(record: EpisodeRecord) -> None:
    parts = [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"url": "data:x"}}, {"type": "odd"}]
    asked = {"role": "user", "content": parts}
    wanted = [
        {"type": "text", "text": "see"},
        {"type": "image", "image": "data:x"},
        {"type": "text", "text": '{"type":"odd"}'},
    ]
    assert chat(asked) == {"role": "user", "content": wanted}
    usage = Usage(10, 4, 1, 3)
    system = {"role": "system", "content": "s"}
    call = CallRecord("m", (system, asked), 0, "hm", "length", usage, 0.5, 2.0, "m-1", (), 3, True)
    step = dataclasses.replace(record.steps[0], calls=(call,), judge_calls=(call,), observation="see")
    sample = sample_of(dataclasses.replace(record, steps=(step,), judge_tokens=usage), "m")
    assert [message["content"] for message in sample["messages"][:2]] == ["s", wanted]
    called, judged = events(sample, "model")
    assert (called["role"], judged["role"], called["cache"], called["retries"]) == (None, "judge", "read", 2)
    assert called["output"]["choices"][0]["stop_reason"] == "max_tokens"
    assert called["output"]["usage"] == sample["role_usage"]["judge"] | {"total_cost": 0.5}
    assert called["output"]["usage"]["input_tokens"] == 7
    assert called["output"]["usage"]["input_tokens_cache_read"] == 3


def test_a_cell_too_long_for_one_log_is_several(served: tuple[Path, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(log, "LONGEST_LOG", 2)
    store = RunStore.read_only(served[0])
    found = [log.log_of(store, part) for part in log.parts_of(store) if part.cell == 0]
    assert [[sample["id"] for sample in one["samples"]] for one in found] == [[1, 2], [3]]
    assert [one["eval"]["task_display_name"][-13:] for one in found] == [", part 1 of 2", ", part 2 of 2"]
    assert len({log.file_name(one["eval"]) for one in found}) == 2


def test_what_cannot_be_exported_is_one_line(served: tuple[Path, Any], tmp_path: Path) -> None:
    tournament(TRUST, ["trust/tft", "trust/grim"], out=tmp_path / "league")
    for folders, reason in (
        ([tmp_path / "league"], "is no run; inspect_ai's logs hold episodes of one player"),
        ([served[0], served[0]], "several runs make one folder of logs; say where to write them: --out DIR"),
        ([tmp_path / "none"], "holds no run: config.json is missing"),
    ):
        done = ibench("export", "inspect", *folders)
        assert (done.exit_code, done.output.count("\n")) == (2, 1)
        assert reason in done.output


@pytest.mark.skipif(importlib.util.find_spec("inspect_ai") is not None, reason="inspect_ai is installed")
def test_without_inspect_ai_the_remedy_is_said(served: tuple[Path, Any]) -> None:
    done = ibench("export", "inspect", served[0])
    assert done.exit_code == 2
    assert "needs an extra that is not installed: pip install 'interactive-envs[inspect]'" in done.output
    assert not (served[0] / log.FOLDER).exists()
