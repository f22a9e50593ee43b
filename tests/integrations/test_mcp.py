"""The official client plays: over standard input and output, over HTTP, two at once, with a fault."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interactive_envs import evaluate
from interactive_envs.agent import Agent
from interactive_envs.evaluation.run.replay import mismatch
from interactive_envs.evaluation.verify import verify
from interactive_envs.reporting.records import EpisodeRecord
from interactive_envs.reporting.store import RunStore
from tests.environments import environment

pytestmark = [pytest.mark.long, pytest.mark.timeout(1800)]

PUZZLE = "ibench/SituationPuzzle-v1"
CLIENT = Path(__file__).parent / "clients" / "mcp_client.py"
ASK_AND_ANSWER = [["ask", {"question": "1"}], ["ask", {"question": "2"}], ["answer", {"text": "A"}]]
TEXTS = ["<ask>1</ask>", "<ask>2</ask>", "<answer>A</answer>"]


@pytest.fixture(scope="session")
def python() -> Path:
    return environment("mcp", ["mcp==2.3.0"])


class Reads(Agent):
    """Says the texts that the client's calls should have become."""

    name = "reads"

    def reset(self, **_: Any) -> None:
        self._left = list(TEXTS)

    def act(self, observation: str, info: Any) -> str:
        return self._left.pop(0)


def play(python: Path, **task: Any) -> list[dict[str, Any]]:
    done = subprocess.run([python, CLIENT, json.dumps(task)], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    return found


def records(folder: Path) -> list[EpisodeRecord]:
    return list(RunStore.read_only(folder).episodes())


@contextlib.contextmanager
def serving(python: Path, *arguments: str) -> Iterator[tuple[str, str]]:
    command = [python.parent / "ibench", "mcp", *arguments, "--http", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            address = server.stdout.readline().split()[-1]
            yield address, server.stdout.readline().split()[-1]
        finally:
            server.send_signal(signal.SIGTERM)
            assert server.wait(60) == 143


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_the_official_client_plays_an_episode_and_its_record_is_that_of_a_run(
    python: Path, tmp_path: Path, mode: str
) -> None:
    ibench = str(python.parent / "ibench")
    command = [ibench, "mcp", PUZZLE, "-k", "budget=5", "--seed", "4", "--out", str(tmp_path / "run")]
    (seen,) = play(python, command=command, sessions=[ASK_AND_ANSWER], mode=mode)
    assert seen["instructions"].endswith(seen["rules"])
    assert seen["refused"] == "there is no resource ibench://truth; there is ibench://rules"
    assert set(seen["tools"]) == {"rules", "new_episode", "ask", "answer"}
    assert seen["tools"]["ask"]["required"] == ["question"]
    assert [failed for _, failed in seen["replies"]] == [False] * 3
    assert "The episode is over. Outcome: " in seen["replies"][-1][0]
    (record,) = records(tmp_path / "run")
    assert record.agent == {"spec": "mcp:official-client", "name": "mcp", "client": "official-client"}
    assert mismatch(record) is None
    assert verify(tmp_path / "run").findings == ()
    (other,) = evaluate((PUZZLE, {"budget": 5}), Reads, episodes=1, seed=4, out=tmp_path / "other").episodes
    assert [vars_of(step) for step in record.steps] == [vars_of(step) for step in other.steps]
    assert (record.seed, record.case, record.outcome, record.reward) == (
        other.seed, other.case, other.outcome, other.reward,
    )  # fmt: skip
    shown = subprocess.run([ibench, "report", str(tmp_path / "run")], capture_output=True, text=True, check=True)
    assert "mcp:official-client" in shown.stdout


def vars_of(step: Any) -> tuple[Any, ...]:
    return step.observation, step.action, step.kind, step.valid, step.reply, step.reward


def test_two_servers_at_once_write_a_run_each(python: Path, tmp_path: Path) -> None:
    command = [str(python.parent / "ibench"), "mcp", PUZZLE, "--seed", "{n}", "--out", str(tmp_path / "{n}")]
    first, second = play(python, command=command, sessions=[ASK_AND_ANSWER, ASK_AND_ANSWER])
    assert first["rules"] != second["rules"]
    for number in range(2):
        (record,) = records(tmp_path / str(number))
        assert mismatch(record) is None


def test_two_sessions_of_one_server_play_episodes_of_their_own(python: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with serving(python, PUZZLE, "-k", "budget=3", "--episodes", "3", "--out", str(out)) as (url, token):
        first, second = play(python, url=url, token=token, sessions=[ASK_AND_ANSWER, ASK_AND_ANSWER[:1]])
        assert first["rules"] != second["rules"]
        assert not any(failed for seen in (first, second) for _, failed in seen["replies"])
        for headers, code in (
            ({}, 401),
            ({"Authorization": f"Bearer {token}", "Origin": "http://example.org"}, 403),
            ({"Authorization": f"Bearer {token}", "Host": "example.org"}, 421),
        ):
            asked = urllib.request.Request(url, b"{}", {"Content-Type": "application/json", **headers})
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(asked, timeout=60)
            assert refused.value.code == code
            refused.value.close()
    one, other = records(out)
    assert {len(one.steps), len(other.steps)} == {3}
    assert [record.agent.get("left") for record in (one, other)] in ([None, 1], [1, None])
    assert [mismatch(record) for record in (one, other)] == [None, None]
    assert not (out / "live.json").exists()


def test_a_fault_reaches_the_client_as_an_error_and_is_no_score(python: Path, tmp_path: Path) -> None:
    (tmp_path / "failing.py").write_text(
        "from interactive_envs.errors import JudgeError\n"
        "from interactive_envs.judges.base import Judge\n\n\n"
        "class Down(Judge):\n"
        '    name = "down"\n\n'
        "    def judge(self, request):\n"
        '        raise JudgeError("the judge is down")\n'
    )
    ibench = str(python.parent / "ibench")
    command = [ibench, "mcp", PUZZLE, "-k", "mode=free", "--judge", "failing:Down", "--out", str(tmp_path / "run")]
    calls = [["ask", {"question": "Was it raining?"}], ["ask", {"question": "Was it raining?"}], ["rules", {}]]
    (seen,) = play(python, command=command, cwd=str(tmp_path), sessions=[calls])
    (broken, was_error), (_, again), _ = seen["replies"]
    assert (was_error, again) == (True, True)
    assert "the judge is down" in broken
    store = RunStore.read_only(tmp_path / "run")
    assert (store.rows(), store.faults()) == ([], 1)
