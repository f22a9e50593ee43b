"""With inspect_ai itself: it reads and shows our logs, its task plays our episodes, and faults are its errors."""

from __future__ import annotations

import json
import math
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from interactive_envs.api import evaluate
from interactive_envs.evaluation.results import Run
from interactive_envs.integrations.inspect.samples import dialogue_of
from tests.loopback import Loopback

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

HERE = Path(__file__).parent
PUZZLE, TRUST = "ibench/SituationPuzzle-v1", "ibench/TrustGame-v1"
MENU = {"mode": "menu", "budget": 4}
HOSTILE = (
    "<script>window.hacked=1</script><img src='http://127.0.0.1:9/x.png' onerror='window.hacked=1'>"
    "![p](http://127.0.0.1:9/y.png) [l](javascript:window.hacked=1) \x1b[31m \ud83d"
)
READ = """
import json, sys
from inspect_ai.log import list_eval_logs, read_eval_log
print(json.dumps([
    {
        "model": log.eval.model, "task": log.eval.task, "status": log.status,
        "samples": [
            {
                "id": one.id, "epoch": one.epoch, "error": one.error and one.error.message,
                "retries": [retry.message for retry in one.error_retries or []],
                "scores": {name: score.value for name, score in (one.scores or {}).items()},
                "messages": [[message.role, message.text] for message in one.messages],
                "inputs": [[m.text for m in event.input] for event in one.events if event.event == "model"],
            }
            for one in log.samples
        ],
    }
    for log in (read_eval_log(one, resolve_attachments=True) for one in list_eval_logs(sys.argv[1], descending=False))
]))
"""


def environment() -> dict[str, str]:
    """Without what would make Python look elsewhere first."""
    return {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}


def said(*command: object) -> str:
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, env=environment(), timeout=900
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def exported(inspect_bin: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs of a real run of a model that says hostile things, with one fault mended and one episode broken."""
    folder = tmp_path_factory.mktemp("runs") / "mine"

    def reply(messages: Any) -> str:
        turn = sum(message["role"] == "assistant" for message in messages)
        return HOSTILE + (f"<ask>{turn + 1}</ask>" if turn < 3 else "<answer>B</answer>")

    with pytest.MonkeyPatch.context() as patch, Loopback(reply) as server:
        patch.setenv("OPENAI_API_KEY", "sk-test")
        model = f"llm:openai/fake?base_url={server.url}&cache=false"
        evaluate([(PUZZLE, MENU), (TRUST, {"delta": 0.5})], [model, "random"], episodes=3, out=folder)
    path = folder / "episodes.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    kept = [line for line in lines if (json.loads(line)["cell"], json.loads(line)["case_index"]) != (0, 2)]
    assert len(kept) == len(lines) - 1
    path.write_bytes(b"".join(kept))
    (folder / "index.jsonl").unlink()
    fault = {"cell": 0, "case": "x", "epoch": 0, "fault": "provider_error", "attempt": 1}
    (folder / "faults.jsonl").write_text(
        "".join(f"{json.dumps(fault | {'case_index': i, 'message': f'HTTP 500 <b>{i}</b>'})}\n" for i in (1, 2))
    )
    written = said(inspect_bin / "python", "-m", "interactive_envs.cli.main", "export", "inspect", folder)
    assert written.startswith(f"4 logs, 12 samples: {folder}/inspect\n")
    return folder


def test_inspect_ai_reads_back_what_the_records_say(inspect_bin: Path, exported: Path) -> None:
    read = json.loads(said(inspect_bin / "python", "-c", READ, exported / "inspect"))
    found = {(one["task"], one["model"]): {sample["id"]: sample for sample in one["samples"]} for one in read}
    assert {one["status"] for one in read} == {"success"}
    run = Run(exported)
    for record in run.episodes:
        cell = run.config.cells[record.cell]
        task = "SituationPuzzle-v1 budget=4 mode=menu" if cell.env_id == PUZZLE else "TrustGame-v1 delta=0.5"
        samples = found[task, "ibench/random" if cell.agent == "random" else "openai/fake"]
        sample = samples.pop(record.case_index + 1)
        assert sample["error"] is None
        assert sample["scores"]["reward"] == record.reward
        assert sample["scores"]["invalid"] == record.invalid
        told = [[one["role"], one["content"].replace("\ud83d", "?")] for one in dialogue_of(record, "x")]
        assert sample["messages"] == told
        sent = [[text for _, text in told[:place]] for place, (role, _) in enumerate(told) if role == "assistant"]
        assert sample["inputs"] == (sent if cell.agent != "random" else [])
        faults = ["provider_error: HTTP 500 <b>1</b>"] if (record.cell, record.case_index) == (0, 1) else []
        assert sample["retries"] == faults
    left = [sample for samples in found.values() for sample in samples.values()]
    assert [(one["id"], one["error"], one["scores"]) for one in left] == [
        (3, "provider_error: HTTP 500 <b>2</b>", {})
    ]  # fmt: skip


@pytest.fixture
def viewer(inspect_bin: Path, exported: Path) -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [inspect_bin / "inspect", "view", "start", "--log-dir", exported / "inspect", "--port", port]
    with subprocess.Popen(
        list(map(str, command)),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment(),
        start_new_session=True,
    ) as server:
        try:
            url, end = f"http://127.0.0.1:{port}", time.monotonic() + 120
            while True:
                try:
                    assert httpx.get(url).status_code == 200
                    break
                except httpx.TransportError:
                    assert time.monotonic() < end
                    time.sleep(0.3)
            yield url
        finally:
            os.killpg(server.pid, signal.SIGKILL)


def test_inspect_view_shows_the_list_an_episode_and_an_error(viewer: str, browser: Any, exported: Path) -> None:
    page, elsewhere = browser.new_page(), []
    page.set_default_timeout(180_000)
    page.on("request", lambda request: elsewhere.append(request.url))
    page.goto(viewer)
    page.get_by_text("SituationPuzzle-v1 budget=4 mode=menu").first.wait_for()
    assert page.get_by_text("openai/fake").count() == 2
    name = next(path.name for path in sorted((exported / "inspect").iterdir()) if "Puzzle" in path.name)
    page.goto(f"{viewer}/#/logs/{name}/samples/sample/1/1/messages")
    page.get_by_text("<ask>1</ask>", exact=False).first.wait_for()
    assert page.get_by_text("<script>window.hacked=1</script>", exact=False).count() > 0
    page.goto(f"{viewer}/#/logs/{name}/samples/sample/1/1/transcript")
    page.get_by_text("turn 1: query", exact=False).first.wait_for()
    page.goto(f"{viewer}/#/logs/{name}/samples/sample/1/1/scoring")
    page.get_by_text("outcome: failure", exact=False).first.wait_for()
    page.goto(f"{viewer}/#/logs/{name}/samples/sample/3/1/error")
    page.get_by_text("HTTP 500 <b>2</b>", exact=False).first.wait_for()
    assert page.evaluate("window.hacked") is None
    assert [url for url in elsewhere if not url.startswith((viewer, "data:", "blob:"))] == []
    page.close()


def test_the_task_is_found_by_its_name_and_runs_with_no_key(inspect_bin: Path, tmp_path: Path) -> None:
    options = ["-T", f"env_id={PUZZLE}", "-T", "mode=menu", "-T", "episodes=3", "--model", "ibench/reference"]
    command = [inspect_bin / "inspect", "eval", "interactive_envs/ibench", *options, "--log-dir", tmp_path / "logs"]
    told = said(*command, "--display", "plain")
    run = evaluate((PUZZLE, {"mode": "menu"}), ["reference"], episodes=3, out=tmp_path / "run").episodes
    mean = sum(record.reward for record in run) / 3
    assert f"mean     {mean:.3f}" in told
    assert len(list((tmp_path / "logs").glob("*.eval"))) == 1


@pytest.fixture(scope="module")
def evals(inspect_bin: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What inspect_ai's logs of evaluations of several kinds hold; see evals.py."""
    told = said(inspect_bin / "python", HERE / "evals.py", tmp_path_factory.mktemp("logs"))
    found: dict[str, Any] = json.loads(told.splitlines()[-1])
    return found


@pytest.mark.parametrize(
    ("player", "env", "episodes"),
    [("reference", (PUZZLE, {"mode": "menu"}), 4), ("random", (TRUST, {"delta": 0.5}), 3)],
)
def test_our_players_earn_there_what_they_earn_in_a_run(
    evals: dict[str, Any], tmp_path: Path, player: str, env: tuple[str, dict[str, Any]], episodes: int
) -> None:
    run = evaluate(env, [player], episodes=episodes, seed=3, out=tmp_path / "run").episodes
    samples = evals[player]["samples"]
    assert [
        (one["id"], one["seed"], one["case"], one["outcome"], one["scores"]["reward"], one["kinds"]) for one in samples
    ] == [
        (one.case_index + 1, one.seed, one.case, one.outcome, one.reward, [step.kind for step in one.steps])
        for one in run
    ]
    assert [one["calls"] for one in samples] == [len(one.steps) for one in run]
    mean = sum(record.reward for record in run) / len(run)
    assert evals[player]["scores"]["reward"]["mean"] == pytest.approx(mean)
    assert all(("success" in one["scores"]) is (env[0] == PUZZLE) for one in samples)


def test_epochs_and_limit_play_the_cases_of_a_run(evals: dict[str, Any], tmp_path: Path) -> None:
    samples = evals["epochs"]["samples"]
    assert sorted((one["id"], one["epoch"]) for one in samples) == [(1, 1), (1, 2), (2, 1), (2, 2)]
    run = evaluate((PUZZLE, MENU), ["random"], episodes=60, out=tmp_path / "run").episodes
    seeds = {(one.case_index + 1, one.epoch + 1): (one.seed, one.reward) for one in run}
    for one in samples:
        if one["epoch"] == 1 or (one["id"], one["epoch"]) in seeds:
            assert (one["seed"], one["scores"]["reward"]) == seeds[one["id"], one["epoch"]]
    assert len({one["seed"] for one in samples}) == 4


def test_a_model_there_is_sent_what_our_player_sends(
    evals: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    plain = ("role", "content")

    def reply(messages: Any) -> str:
        return f"<ask>{len(str([{name: one[name] for name in plain} for one in messages])) % 5 + 1}</ask>"

    with Loopback(reply) as server:
        spec = f"llm:openai/x?base_url={server.url}&cache=false"
        evaluate((PUZZLE, MENU), [spec], episodes=2, out=tmp_path / "run")
        assert evals["sent"] == [body["messages"] for body in server.bodies]


def test_faults_are_errors_and_never_scores(evals: dict[str, Any]) -> None:
    first, second, third = evals["broken"]["samples"]
    assert "the endpoint is down" in first["error"]
    assert first["scores"] == {}
    assert all(one["error"] is None and one["scores"]["turns"] == 4 for one in (second, third))
    assert evals["broken"]["completed"] == 2
    for name, reason in (("filtered", "content_filter"), ("judge", "the judge is down")):
        (sample,) = evals[name]["samples"]
        assert reason in sample["error"]
        assert sample["scores"] == {}


def test_what_only_estimates_decided_is_unscored(evals: dict[str, Any]) -> None:
    for sample in evals["unscored"]["samples"]:
        assert sample["outcome"] == "unscored"
        assert math.isnan(sample["scores"]["reward"])
        assert sample["reasons"]["reward"] == "approximate judge"


def test_a_limit_of_inspect_ai_ends_the_sample_as_one(evals: dict[str, Any]) -> None:
    (sample,) = evals["limit"]["samples"]
    assert (sample["limit"], sample["error"], sample["scores"]) == ("message", None, {})
