"""verifiers itself on our environments, against an endpoint on loopback. Runs where it is, see test_verifiers.py."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from verifiers.v1.clients import EvalClientConfig, ModelContext
from verifiers.v1.utils.loaders import load_environment, resolve_env_config

from interactive_envs.agent import resolve_agent
from interactive_envs.evaluation.run.episode import Job, play_episode
from interactive_envs.making import make
from interactive_envs.reporting.records import Cell
from interactive_envs.training.llm.rows import rows
from tests.loopback import Answer, Loopback, completion

PACKAGE = Path(__file__).parents[3] / "examples" / "verifiers_ibench"
PUZZLE, TRUST = "ibench/SituationPuzzle-v1", "ibench/TrustGame-v1"
MATCH = {"matches": 1, "max_rounds": 3}
BROKEN = Answer(500, {"error": {"message": "broken"}})


@pytest.fixture(autouse=True)
def package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(PACKAGE))


def says(messages: Sequence[Any]) -> str:
    """A function of the dialogue: two questions, then an answer, never read at first; always the same move."""
    if "COOPERATE" in str(messages[1]["content"]):
        return "<move>COOPERATE</move>"
    said = sum(message["role"] == "assistant" for message in messages)
    return ("Hm.", "<ask>1</ask>", "<ask>2</ask>", "<answer>C</answer>")[min(said, 3)]


def episodes(server: Loopback, n: int, name: str = "verifiers-ibench", **config: Any) -> list[Any]:
    """Episodes as verifiers plays them in this process."""
    taskset = {"id": name, **config.pop("taskset", {"env_ids": [PUZZLE]})}
    env = load_environment(resolve_env_config({"taskset": taskset, **config}))
    ctx = ModelContext(model="fake-1", client=EvalClientConfig(base_url=server.url, api_key_var="NO_KEY"))

    async def play() -> list[Any]:
        async with env.serving():
            return [await env.run_episode(task, ctx) for task in env.taskset.take(n)]

    return asyncio.run(play())


def in_a_run(server: Loopback, env_id: str, arguments: dict[str, Any], row: dict[str, Any]) -> Any:
    """The record of the same model's episode as a run plays it."""
    spec = f"llm:openai/fake-1?base_url={server.url}&cache=false"
    job = Job(0, Cell(env_id, arguments, spec, ""), row["case"], 0, 0, row["seed"])
    return play_episode(make(env_id, **arguments), resolve_agent(spec, env_id)(), job)


def test_vf_eval_gives_the_rewards_of_a_run_and_streams_where_null_plays(tmp_path: Path) -> None:
    with Loopback(says) as server:
        options = ["-n", "3", "-r", "2", "-m", "fake-1", "-o", str(tmp_path), "--no-push"]
        options += ["--client.base-url", server.url, "--client.api-key-var", "NO_KEY"]
        options += ["--env.taskset.env-ids", json.dumps([PUZZLE]), "--env.player.harness.id", "null"]
        done = subprocess.run(
            [Path(sys.executable).with_name("vf-eval"), "verifiers-ibench", *options],
            env={**os.environ, "PYTHONPATH": f"{PACKAGE}{os.pathsep}{Path(__file__).parents[3]}"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert all(body["stream"] for body in server.bodies)
        records = {row["seed"]: in_a_run(server, PUZZLE, {}, row) for row in rows(PUZZLE, 3)}
    (file,) = tmp_path.rglob("traces.jsonl")
    traces = [json.loads(line)["traces"][0] for line in file.read_text().splitlines()]
    assert sorted(trace["task"]["data"]["seed"] for trace in traces) == sorted([*records] * 2)
    for trace in traces:
        record = records[trace["task"]["data"]["seed"]]
        assert (trace["errors"], trace["ok"]) == ([], True)
        assert trace["rewards"]["reward"]["score"] == record.reward
        assert trace["info"]["outcome"] == record.outcome
        assert trace["metrics"]["invalid"] == record.invalid == 1


def test_our_harness_sends_what_a_run_sends() -> None:
    with Loopback(says) as server:
        (episode,) = episodes(server, 1)
        sent = [body["messages"] for body in server.bodies]
        server.bodies.clear()
        record = in_a_run(server, PUZZLE, {}, rows(PUZZLE, 1)[0])
        assert sent == [body["messages"] for body in server.bodies]
    (trace,) = episode.traces
    assert (episode.ok, trace.reward, trace.info["outcome"]) == (True, record.reward, record.outcome)
    assert [node.message.content for node in trace.nodes if node.sampled] == [step.action for step in record.steps]


def test_an_endpoint_that_fails_once_changes_nothing() -> None:
    with Loopback(says, script=[BROKEN]) as server:
        (episode,) = episodes(server, 1)
        record = in_a_run(server, PUZZLE, {}, rows(PUZZLE, 1)[0])
    assert (episode.ok, episode.traces[0].reward) == (True, record.reward)


def test_an_endpoint_that_fails_in_the_middle_leaves_an_error_and_no_reward() -> None:
    with Loopback(says, script=[Answer(200, completion("<ask>1</ask>")), *[BROKEN] * 40]) as server:
        (episode,) = episodes(server, 1)
    (trace,) = episode.traces
    assert (episode.ok, trace.ok, trace.rewards, trace.num_turns) == (False, False, {}, 1)
    assert [error.type for error in trace.errors] == ["ProviderError"]


def test_a_limit_of_turns_leaves_the_episode() -> None:
    with Loopback(says) as server:
        (episode,) = episodes(server, 1, player={"max_turns": 2})
    (trace,) = episode.traces
    assert (episode.ok, trace.info["outcome"], trace.metrics["turns"]) == (True, "unfinished", 2.0)
    assert trace.rewards["reward"].score == 0.0


def test_two_agents_play_a_game_and_one_of_them_is_frozen() -> None:
    taskset = {"env_ids": [TRUST], "arguments": MATCH}
    with Loopback(says) as server:
        played = episodes(server, 2, "verifiers-ibench-two", taskset=taskset)
        row = rows(TRUST, 1, **MATCH)[0]
        record = in_a_run(server, TRUST, {**MATCH, "opponents": "all-c"}, row)
    for number, episode in enumerate(played):
        (player,), (other,) = episode.by_agent["player"], episode.by_agent["other"]
        assert episode.ok
        assert (player.agent.trainable, other.agent.trainable) == (True, False)
        assert (player.metrics["seat"], other.metrics["seat"]) == (number % 2, 1 - number % 2)
    assert played[0].by_agent["player"][0].reward == pytest.approx(record.reward)
    assert record.reward > 0


def test_an_opponent_whose_endpoint_fails_costs_nobody_anything() -> None:
    taskset = {"env_ids": [TRUST], "arguments": MATCH}
    with Loopback(says) as server, Loopback(says, script=[BROKEN] * 40) as broken:
        other = {"client": {"type": "eval", "base_url": broken.url, "api_key_var": "NO_KEY"}, "model": "frozen"}
        (episode,) = episodes(server, 1, "verifiers-ibench-two", taskset=taskset, other=other)
    assert not episode.ok
    assert [trace.rewards for trace in episode.traces] == [{}, {}]
    assert {error.type for trace in episode.traces for error in trace.errors} == {"ProviderError", "FaultError"}
