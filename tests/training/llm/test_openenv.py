"""OpenEnv's own client and checks: two sessions at once, rewards as ours, faults, ``openenv validate``."""

from __future__ import annotations

import contextlib
import json
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interactive_envs import evaluate
from interactive_envs.training.llm.rows import rows
from tests.environments import ROOT, environment

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

TRUST, PUZZLE = "ibench/TrustGame-v1", "ibench/SituationPuzzle-v1"
CLIENT = ROOT / "tests" / "integrations" / "clients" / "openenv_client.py"
DEFECT = "<move>DEFECT</move>"


@pytest.fixture(scope="session")
def python() -> Path:
    return environment("openenv", ["openenv==0.10.0"])


@contextlib.contextmanager
def running(command: list[Any], port: int, **more: Any) -> Iterator[str]:
    url = f"http://127.0.0.1:{port}"
    with subprocess.Popen(command, **more) as server:
        try:
            for _ in range(600):
                with contextlib.suppress(OSError), urllib.request.urlopen(f"{url}/health", timeout=10):
                    break
                assert server.poll() is None
                time.sleep(0.2)
            yield url
        finally:
            server.terminate()


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def play(python: Path, url: str, sessions: list[Any]) -> list[Any]:
    done = subprocess.run(
        [python, CLIENT, url, json.dumps(sessions)], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    found: list[Any] = json.loads(done.stdout)
    return found


def validated(python: Path, *arguments: str) -> str:
    done = subprocess.run(
        [python.parent / "openenv", "validate", *arguments], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_two_sessions_at_once_meet_the_episodes_of_a_run(python: Path, tmp_path: Path) -> None:
    records = list(evaluate(PUZZLE, "random", episodes=2, seed=0, out=tmp_path).episodes)
    resets = [
        [{"seed": record.seed, "case": record.case}, [step.action for step in record.steps]] for record in records
    ]
    port = free_port()
    command = [python.parent / "ibench", "openenv", "serve", PUZZLE, TRUST, "--tasks", "4", "--port", str(port)]
    with running(command, port) as url:
        first, second = play(python, url, [resets, resets[::-1]])
        halves = len(records[0].steps) + 2, len(records[1].steps) + 2
        assert first[: halves[0]] == second[halves[1] :]
        assert first[halves[0] :] == second[: halves[1]]
        assert first[0][0]["text"] != second[0][0]["text"]
        for record, seen in zip(records, (first[: halves[0]], first[halves[0] :]), strict=True):
            begun, *replies, state = seen
            assert begun[0]["text"] == record.steps[0].observation
            assert begun[0]["messages"][-1]["content"] == begun[0]["text"]
            assert [reply[0]["text"] for reply in replies] == [step.reply for step in record.steps]
            assert [reply[1] for reply in replies] == [step.reward for step in record.steps]
            assert [reply[2] for reply in replies] == [False] * (len(replies) - 1) + [True]
            assert replies[-1][0]["outcome"] == record.outcome
            assert (state[0]["reward"], state[0]["step_count"]) == (record.reward, len(record.steps))
        row = rows((PUZZLE, TRUST), 2, 0, "held-out")[1]
        ((begun, reply, _),) = play(python, url, [[[{"split": "held-out", "index": 1}, ["<ask>1</ask>"]]]])
        assert (begun[0]["env_id"], begun[0]["seed"]) == (TRUST, row["seed"])
        assert begun[0]["messages"] == row["prompt"]
        assert (reply[0]["metrics"]["invalid"], reply[1:]) == (1, [0.0, False])
        asked = urllib.request.Request(
            f"{url}/ibench/task", b'{"split": "held-out", "index": 1}', {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(asked, timeout=60) as answer:
            task = json.load(answer)["task"]
        assert (task["env_id"], task["seed"], task["case"]) == (row["env_id"], row["seed"], row["case"])
        assert "Verdict: PASS" in validated(python, "--url", url)


def test_a_fault_is_an_error_for_the_client_and_no_reward(python: Path, tmp_path: Path) -> None:
    (tmp_path / "failing.py").write_text(
        "from interactive_envs.agent import Agent\n"
        "from interactive_envs.errors import ProviderError\n\n\n"
        "class Down(Agent):\n"
        '    name = "down"\n\n'
        "    def act(self, observation, info):\n"
        '        raise ProviderError("the provider is down")\n'
    )
    port = free_port()
    command = [python.parent / "ibench", "openenv", "serve", TRUST, "-k", "opponents=failing:Down"]
    with running([*command, "--port", str(port)], port, cwd=tmp_path) as url:
        ((_, broken, after, state),) = play(python, url, [[[{"seed": 1}, [DEFECT, DEFECT]]]])
    assert "the provider is down" in broken[0]
    assert "the episode is over" in after[0]
    assert state[0]["reward"] is None


def test_the_folder_passes_what_needs_no_docker_and_serves(python: Path, tmp_path: Path) -> None:
    folder = tmp_path / "ibench"
    subprocess.run([python.parent / "ibench", "openenv", "export", PUZZLE, "--tasks", "2", "--out", folder], check=True)
    assert "PASS  static.manifest" in validated(python, str(folder), "--skip-build")
    port = free_port()
    with running([python, "-m", "server.app", "--port", str(port)], port, cwd=folder) as url:
        assert "Verdict: PASS" in validated(python, "--url", url)
        typed = (
            "from ibench import IbenchAction, IbenchEnv\n"
            f"with IbenchEnv(base_url={url!r}).sync() as env:\n"
            "    assert 'rounds' in env.reset(seed=3).observation.text\n"
            "    result = env.step(IbenchAction(text='<ask>1</ask>'))\n"
            "    assert (result.reward, result.done) == (0.0, False)\n"
            "    assert env.state().step_count == 1\n"
        )
        subprocess.run([python, "-c", typed], cwd=tmp_path, check=True, timeout=300)
