"""How a run ends when it is told to: by Ctrl-C, SIGTERM or SIGKILL; nothing is left behind, and --resume goes on."""

from __future__ import annotations

import concurrent.futures
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from click.testing import CliRunner

from interactive_envs.agent import Agent
from interactive_envs.cli.main import main
from interactive_envs.errors import ConfigError
from interactive_envs.evaluation.passk import compare as passk
from interactive_envs.evaluation.run import episode, pool
from interactive_envs.evaluation.tournament import play as tournament
from interactive_envs.evaluation.tournament.play import Player, Tournament
from interactive_envs.llm.calls import ModelCall, Usage
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.reporting.store import RunStore
from interactive_envs.system import workers
from tests.loopback import Loopback
from tests.processes import PATIENCE, descendants, lives, until

ENV = "ibench/SituationPuzzle-v1"
ROOT = Path(__file__).parents[3]
SLEEPY = "tests.evaluation.run.test_stopping:Sleepy"


class Sleepy(Agent):
    """Says where it is, then sleeps as long as the variable tells before it answers."""

    name = "sleepy"

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        if asleep := os.environ.get("SLEEPY"):
            seconds, _, folder = asleep.partition(" ")
            (Path(folder) / f"{os.getpid()}-{time.monotonic_ns()}").touch()
            time.sleep(float(seconds))
        return "<move>cooperate</move>" if "move" in info["action_tags"] else "<answer>A</answer>"


class Deadly(Agent):
    """Ends the process that plays it."""

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        os.kill(os.getpid(), signal.SIGKILL)
        return ""


@pytest.fixture(autouse=True)
def _no_charts(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where matplotlib is not installed: drawing charts takes longer than all the rest."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)


@contextlib.contextmanager
def started(command: list[str], tmp_path: Path, *, asleep: float = 0.0, grace: float = 0.5) -> Iterator[Any]:
    """The command line in a process of its own, its output in a file, with little grace; killed if it still runs."""
    code = (
        "import sys; sys.argv[0] = 'ibench'; sys.modules['matplotlib'] = None; "
        f"from interactive_envs.system import workers; workers.GRACE = {grace}; "
        "from interactive_envs.cli.main import main; main()"
    )
    (tmp_path / "asleep").mkdir(exist_ok=True)
    variables = os.environ | {"PYTHONPATH": str(ROOT), "IBENCH_CACHE": str(tmp_path / "calls.sqlite")}
    variables |= {"SLEEPY": f"{asleep} {tmp_path / 'asleep'}"} if asleep else {}
    with (tmp_path / "said").open("wb") as said:
        process = subprocess.Popen(
            [sys.executable, "-c", code, *command], stdin=subprocess.DEVNULL, stdout=said, stderr=said, env=variables
        )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def resumed(command: list[str]) -> None:
    """Let a run go on and end, in this process and its threads."""
    backend = ["--backend", "thread"] if "--backend" in command else []
    result = CliRunner().invoke(main, [*command, *backend, "--resume"], catch_exceptions=False)
    assert result.exit_code == 0, result.output


def sleeping(tmp_path: Path) -> int:
    return len(list((tmp_path / "asleep").iterdir()))


def sleepy_run(out: Path, backend: str) -> list[str]:
    agents = ["--agent", "random", "--agent", SLEEPY]
    return ["run", ENV, *agents, "--episodes", "4", "--workers", "2", "--backend", backend, "--out", str(out)]


def undisturbed(out: Path) -> dict[str, Any]:
    pool.run(RunConfig((Cell(ENV, {}, "random"), Cell(ENV, {}, SLEEPY)), 4), out)
    return counted(out)


def counted(out: Path) -> dict[str, Any]:
    return json.loads((out / "summary.json").read_text())  # type: ignore[no-any-return]


def test_a_killed_run_leaves_no_worker_and_resumes(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with started(sleepy_run(out, "process"), tmp_path, asleep=1000) as process:
        until(lambda: sleeping(tmp_path) == 2, "two players asleep")
        below = descendants(process.pid)
        assert len(below) >= 2
        process.kill()
        until(lambda: not any(map(lives, below)), "the end of all workers")
    resumed(sleepy_run(out, "process"))
    assert counted(out) == undisturbed(tmp_path / "whole")


@pytest.mark.parametrize("backend", [pytest.param("process", marks=pytest.mark.long), "thread"])
def test_sigterm_ends_a_run_in_order(tmp_path: Path, backend: str) -> None:
    out = tmp_path / "run"
    with started(sleepy_run(out, backend), tmp_path, asleep=1000) as process:
        until(lambda: sleeping(tmp_path) == 2, "two players asleep")
        below = descendants(process.pid)
        process.terminate()
        process.wait(PATIENCE)
        until(lambda: not any(map(lives, below)), "the end of all workers")
        said = (tmp_path / "said").read_text()
        assert f"go on with: ibench run --out {out} --resume" in said
        assert "Traceback" not in said
        assert process.returncode == 143
    assert counted(out)["n_valid"] == 4
    resumed(sleepy_run(out, backend))
    assert counted(out) == undisturbed(tmp_path / "whole")


@pytest.mark.long  # the same as with a player that pays
def test_what_is_under_way_is_kept_if_it_ends_soon(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with started(sleepy_run(out, "process"), tmp_path, asleep=1, grace=100) as process:
        until(lambda: sleeping(tmp_path) == 2, "two players asleep")
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)
    assert counted(out)["n_valid"] >= 6


def hanging_run(server: Loopback, out: Path) -> list[str]:
    return ["run", ENV, "--agent", llm(server), "--episodes", "4", "--workers", "2", "--out", str(out)]


def hanging_panel(server: Loopback, out: Path) -> list[str]:
    judge = "panel:" + ",".join([quote(llm(server), safe="")] * 2)
    free = ["-k", "mode=free", "--judge", judge]
    return ["run", ENV, "--agent", SLEEPY, *free, "--episodes", "1", "--workers", "1", "--out", str(out)]


def llm(server: Loopback) -> str:
    return f"llm:openai/fake?base_url={server.url}&timeout=1000&max_wait=1000&cache=false"


def reply(messages: Sequence[Any]) -> str:
    is_judge = messages[0]["content"].startswith("You are the judge")
    return json.dumps({"verdict": "incorrect"}) if is_judge else "<answer>A</answer>"


@pytest.mark.parametrize("command", [hanging_run, hanging_panel])
def test_ctrl_c_ends_a_run_whose_provider_hangs(tmp_path: Path, command: Callable[[Loopback, Path], list[str]]) -> None:
    out = tmp_path / "run"
    with Loopback(reply, fault_rate=1.0, faults=("hang",), hang=1000.0) as server:
        with started(command(server, out), tmp_path, grace=workers.GRACE) as process:
            until(lambda: server.served["hang"] == 2, "two calls")
            process.send_signal(signal.SIGINT)
            assert process.wait(PATIENCE) == 130
        said = (tmp_path / "said").read_text()
        assert f"go on with: ibench run --out {out} --resume" in said
        assert "Traceback" not in said
        assert counted(out)["n_valid"] == 0
        server.fault_rate = 0.0
        resumed(command(server, out))
    assert counted(out)["n_missing"] == 0


def test_a_second_ctrl_c_waits_for_nothing(tmp_path: Path) -> None:
    with (
        Loopback(fault_rate=1.0, faults=("hang",), hang=1000.0) as server,
        started(hanging_run(server, tmp_path / "run"), tmp_path, grace=1e6) as process,
    ):
        until(lambda: server.served["hang"] == 2, "two calls")
        process.send_signal(signal.SIGINT)
        time.sleep(2)
        assert process.poll() is None
        (line,) = (tmp_path / "said").read_text().splitlines()[-1:]
        assert line.startswith("Stopping: what is under way has 1e+06 s to end."), "at once, not when it is over"
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
    said = (tmp_path / "said").read_text()
    assert "--resume" in said
    assert "Traceback" not in said


class Payer(Agent):
    """Pays a dollar for its answer, and takes a while to give it."""

    name = "payer"
    _mine: tuple[ModelCall, ...] = ()

    def act(self, observation: str, info: Mapping[str, Any]) -> str:
        asleep = os.environ["SLEEPY"].partition(" ")[2]
        (Path(asleep) / f"{os.getpid()}-{time.monotonic_ns()}").touch()
        time.sleep(2)
        self._mine = (ModelCall("m", (), "x", "stop", Usage(1, 1), 1.0, 0.1),)
        return "<answer>A</answer>"

    def drain_calls(self) -> list[ModelCall]:
        mine, self._mine = self._mine, ()
        return list(mine)


@pytest.mark.parametrize("backend", [pytest.param("process", marks=pytest.mark.long), "thread"])
def test_what_ends_within_the_grace_is_kept_and_its_money_counted(tmp_path: Path, backend: str) -> None:
    out = tmp_path / "run"
    spec = "tests.evaluation.run.test_stopping:Payer"
    command = ["run", ENV, "--agent", spec, "--episodes", "40", "--workers", "2", "--backend", backend]
    with started([*command, "--out", str(out)], tmp_path, asleep=2, grace=PATIENCE) as process:
        until(lambda: sleeping(tmp_path) == 2, "two players asleep")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
    store = RunStore.read_only(out)
    paid = sum(store.record(row)["paid"] for row in store.rows())
    assert paid >= 2
    assert store.spent() == paid


def test_an_error_waits_for_no_thread_that_hangs() -> None:
    begun, ended = threading.Event(), threading.Event()

    def work() -> None:
        with workers.Threads(2, "hanging") as pool:
            pool.submit(lambda: (begun.set(), ended.wait(PATIENCE)))
            begun.wait()
            raise ConfigError("stop")

    since = time.monotonic()
    with pytest.raises(ConfigError, match="stop"):
        work()
    assert time.monotonic() - since < PATIENCE / 2
    ended.set()


def test_a_signal_after_the_last_look_is_not_lost() -> None:
    def work() -> None:
        with workers.Stopping():
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.1)

    with pytest.raises(KeyboardInterrupt):
        work()


@pytest.mark.long  # SIGTERM is handled as Ctrl-C is
def test_ctrl_c_ends_a_run_whose_slow_players_are_processes(tmp_path: Path) -> None:
    out = tmp_path / "run"
    with started(sleepy_run(out, "process"), tmp_path, asleep=1000) as process:
        until(lambda: sleeping(tmp_path) == 2, "two players asleep")
        below = descendants(process.pid)
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        until(lambda: not any(map(lives, below)), "the end of all workers")
    assert "Traceback" not in (tmp_path / "said").read_text()


@pytest.mark.long
def test_a_tournament_ends_and_resumes_as_a_run_does(tmp_path: Path) -> None:
    out, config = tmp_path / "league", tmp_path / "league.toml"
    config.write_text(
        f'id = "ibench/TrustGame-v1"\nformat = "round-robin"\n'
        f'players = ["tft", {{name = "sleepy", spec = "{SLEEPY}"}}]\n'
        "repeats = 3\narguments = {max_rounds = 3}\n"
    )
    command = ["tournament", str(config), "--workers", "2", "--backend", "process", "--out", str(out)]
    with started(command, tmp_path, asleep=1000) as process:
        until(lambda: sleeping(tmp_path) >= 2, "two players asleep")
        below = descendants(process.pid)
        process.terminate()
        process.wait(PATIENCE)
        until(lambda: not any(map(lives, below)), "the end of all workers")
    assert "--resume" in (tmp_path / "said").read_text()
    resumed(command)
    assert counted(out)["n_valid"] == counted(out)["n_planned"]


def test_a_worker_that_dies_stops_the_run_and_scores_nothing(tmp_path: Path) -> None:
    cells = (Cell(ENV, {}, "random"), Cell(ENV, {}, "tests.evaluation.run.test_stopping:Deadly"))
    with pytest.raises(ConfigError, match=r"a worker process died.*resume"):
        pool.run(RunConfig(cells, 2), tmp_path / "run", backend="process")
    assert counted(tmp_path / "run")["n_valid"] == 2


def _dies(number: int) -> int:
    os._exit(number)


def test_a_worker_that_dies_elsewhere_is_told_in_a_line() -> None:
    with pytest.raises(ConfigError, match="a worker process died"), workers.Processes(2) as pool:
        list(pool.map(_dies, [3]))


def test_workers_that_another_thread_waits_for_can_be_ended() -> None:
    def wait() -> None:
        with workers.Processes(1) as process:
            begun.set_result(None)
            process.submit(time.sleep, 300).result()

    begun = concurrent.futures.Future[None]()
    with workers.Threads(1, "waiting") as threads:
        waiting = threads.submit(wait)
        begun.result(60)
        while not waiting.done():
            workers.abandon_all()
            concurrent.futures.wait([waiting], 0.1)
        assert "a worker process died" in str(waiting.exception())


@pytest.mark.parametrize("limit", [float("nan"), float("inf"), -1.0])
def test_a_limit_that_is_no_number_is_refused_before_anything_is_played(tmp_path: Path, limit: float) -> None:
    league = Tournament("ibench/TrustGame-v1", (Player("tft", "tft"), Player("all-d", "all-d")), "round-robin")
    comparison = passk.plan("ibench/SituationPuzzle-v1", ["random"], problems=1)
    with pytest.raises(ConfigError, match="limit_cost must be"):
        pool.run(RunConfig((Cell(ENV, {}, "random"),), 1), tmp_path / "run", limit_cost=limit)
    with pytest.raises(ConfigError, match="limit_cost must be"):
        tournament.run(league, tmp_path / "league", limit_cost=limit)
    with pytest.raises(ConfigError, match="limit_cost must be"):
        passk.play(comparison, tmp_path / "passk", watching=lambda *_: contextlib.nullcontext(), limit_cost=limit)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="limit_cost must be"):
        episode.Spending(limit)
    with pytest.raises(ConfigError, match="time_limit must be"):
        pool.run(RunConfig((Cell(ENV, {}, "random"),), 1, time_limit=limit), tmp_path / "run")
    assert not list(tmp_path.iterdir())
