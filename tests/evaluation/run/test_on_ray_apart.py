"""A Ray cluster whose machines have nothing in common but a cable: each has a network and a /tmp/ray of its own.

The machines are network namespaces, joined by a bridge; so root and Linux are needed, and no firewall between them.
A second bridge leads to the endpoint of a model.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from interactive_envs.evaluation.run import pool
from interactive_envs.reporting.records import Cell, RunConfig
from interactive_envs.system import ray_workers
from tests.loopback import Loopback
from tests.processes import until

NETS = {"ibb": "10.203.77", "ibc": "10.203.78"}
"""Bridges: between the machines, and to the endpoint."""
BRIDGE, NET = next(iter(NETS.items()))
ROOT = Path(__file__).parents[3]
PORT = 6499
EPISODES = 40
GIVEN_UP = 200.0
"""Seconds after a cut in which a run ends; Ray by itself takes seven minutes."""
ENV = "ibench/SituationPuzzle-v1"


def shell(command: str) -> None:
    subprocess.run(command.split(), check=True, capture_output=True)


def quietly(command: str) -> None:
    with contextlib.suppress(subprocess.CalledProcessError):
        shell(command)


def possible() -> str:
    """Why machines cannot be made here; '' where they can."""
    if os.geteuid() or not shutil.which("ip"):
        return "network namespaces need root, and the program ip"
    try:
        shell("ip netns add ibtry")
        shell("ip netns del ibtry")
    except subprocess.CalledProcessError as error:
        return f"no network namespaces here: {error.stderr}"
    return ""


pytestmark = [
    pytest.mark.long,
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(bool(possible()), reason=possible()),
]


def ray_start(number: int, *arguments: str) -> subprocess.Popen[bytes]:
    """Start Ray on a machine; it runs as long as the process. Machine 1 is this one."""
    ray = [sys.executable, "-m", "ray.scripts.scripts", "start", "--block", f"--node-ip-address={NET}.{number}"]
    own = 'mkdir -p /tmp/ray && mount -t tmpfs tmpfs /tmp/ray && exec "$@"'
    inside = ["ip", "netns", "exec", f"ib{number}", "unshare", "-m", "sh", "-c", own, "sh"] if number > 1 else []
    environment = os.environ | {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}
    return subprocess.Popen(
        [*inside, *ray, "--object-store-memory=80000000", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env=environment,
    )


@pytest.fixture
def machines() -> Iterator[str]:
    """A head on this machine and two others; their common address."""
    processes: list[subprocess.Popen[bytes]] = []
    try:
        for bridge, net in NETS.items():
            shell(f"ip link add {bridge} type bridge")
            shell(f"ip addr add {net}.1/24 dev {bridge}")
            shell(f"ip link set {bridge} up")
        for number in (2, 3):
            shell(f"ip netns add ib{number}")
            shell(f"ip -n ib{number} link set lo up")
            for bridge, net in NETS.items():
                shell(f"ip link add {bridge}{number} type veth peer name {bridge} netns ib{number}")
                shell(f"ip link set {bridge}{number} master {bridge} up")
                shell(f"ip -n ib{number} addr add {net}.{number}/24 dev {bridge}")
                shell(f"ip -n ib{number} link set {bridge} up")
        processes.append(ray_start(1, "--head", f"--port={PORT}", "--num-cpus=0", "--include-dashboard=false"))
        until(lambda: listens(f"{NET}.1", PORT), "the head")
        processes += [ray_start(number, f"--address={NET}.1:{PORT}", "--num-cpus=1") for number in (2, 3)]
        yield f"{NET}.1:{PORT}"
    finally:
        for process in processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
        for process in processes:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(20)
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
        for number in (2, 3):
            found = subprocess.run(["ip", "netns", "pids", f"ib{number}"], capture_output=True, text=True, check=False)
            for pid in map(int, found.stdout.split()):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            quietly(f"ip netns del ib{number}")
            for bridge in NETS:
                quietly(f"ip link del {bridge}{number}")
        for bridge in NETS:
            quietly(f"ip link del {bridge}")


def prices(path: Path) -> list[float]:
    """The price of every call that was completed; each is there once."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return [json.loads(value)["cost"] for (value,) in connection.execute("SELECT value FROM calls")]


def listens(host: str, port: int) -> bool:
    with contextlib.suppress(OSError):
        socket.create_connection((host, port), 1).close()
        return True
    return False


@contextlib.contextmanager
def on_the_cable(port: int) -> Iterator[tuple[str, set[str]]]:
    """The server at a port of this machine's own, for the others, too, on the second bridge; and who has come."""
    came: set[str] = set()
    with socket.create_server((f"{NETS['ibc']}.1", 0)) as server:

        def pump(source: socket.socket, to: socket.socket) -> None:
            with contextlib.suppress(OSError):
                while block := source.recv(1 << 16):
                    to.sendall(block)
                to.shutdown(socket.SHUT_WR)

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    near, (host, _) = server.accept()
                    came.add(host)
                    far = socket.create_connection(("127.0.0.1", port))
                    for pair in ((near, far), (far, near)):
                        threading.Thread(target=pump, args=pair, daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        yield "http://{}:{}/v1".format(*server.getsockname()), came


def reply(messages: Sequence[Any]) -> str:
    asked = sum(str(message["role"]) == "assistant" for message in messages)
    return ["<ask>1</ask>", "Q: 2", "<answer>B</answer>"][min(asked, 2)]


def test_machines_with_networks_of_their_own_give_the_same_summary(
    machines: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("IBENCH_CACHE", str(tmp_path / "calls.sqlite"))
    try:
        with Loopback(reply, latency=0.1) as server, on_the_cable(server.port) as (url, _):
            config = RunConfig((Cell(ENV, {}, f"llm:openai/fake?base_url={url}&timeout=5"),), 24)
            ray, _ = ray_workers.connect(2, machines)
            until(lambda: sum(node["Resources"].get("CPU", 0) for node in ray.nodes() if node["Alive"]) == 2, "two")
            where = {node["NodeManagerAddress"] for node in ray.nodes()}
            assert where == {f"{NET}.{number}" for number in (1, 2, 3)}
            how: dict[str, Any] = {"workers": 2, "backend": "ray", "address": machines}
            store = pool.run(config, tmp_path / "run", **how)
            monkeypatch.setenv("IBENCH_CACHE", str(tmp_path / "other.sqlite"))
            whole = pool.run(config, tmp_path / "whole", workers=4)
            assert store.faults() == 0
            assert (store.folder / "summary.json").read_bytes() == (whole.folder / "summary.json").read_bytes()
    finally:
        import ray

        ray.shutdown()


def test_a_machine_whose_cable_is_cut_is_given_up(
    machines: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing on the cable says that it is cut, and the machine behind it goes on and reaches the endpoint."""
    (tmp_path / "prices.json").write_text(
        '{"openai/fake": {"input_cost_per_token": 0.001, "output_cost_per_token": 0.002}}'
    )
    monkeypatch.setenv("IBENCH_PRICES", str(tmp_path / "prices.json"))
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    monkeypatch.setenv("IBENCH_CACHE", str(tmp_path / "calls.sqlite"))
    out, said = tmp_path / "run", tmp_path / "said"
    lines = out / "episodes.jsonl"
    with Loopback(reply, latency=0.3) as server, on_the_cable(server.port) as (url, came):
        agent = f"llm:openai/fake?base_url={url}&timeout=5"
        command = [sys.executable, "-c", "from interactive_envs.cli.main import main; main()", "run", ENV]
        command += ["--agent", agent, "--episodes", str(EPISODES), "--workers", "2", "--limit-cost", "1000"]
        command += ["--backend", "ray", "--address", machines, "--out", str(out)]
        with said.open("wb") as file:
            driver = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=file, cwd=ROOT)
        try:
            until(lambda: f"{NETS['ibc']}.3" in came and lines.exists(), "both machines play")
            shell(f"ip link set {BRIDGE}3 nomaster")
            assert driver.wait(GIVEN_UP) == 0, said.read_text()[-3000:]
        finally:
            driver.kill()
            driver.wait()
        asked = len(server.bodies)
        monkeypatch.setenv("IBENCH_CACHE", str(tmp_path / "other.sqlite"))
        whole = pool.run(RunConfig((Cell(ENV, {}, agent),), EPISODES), tmp_path / "whole", workers=4)
    assert (out / "summary.json").read_bytes() == (whole.folder / "summary.json").read_bytes()
    records = [json.loads(line) for line in lines.read_text().splitlines()]
    assert len({(record["case_index"], record["epoch"]) for record in records}) == len(records) == EPISODES
    faults = (out / "faults.jsonl").read_text()
    assert faults.count("the worker or its machine was lost") == faults.count("\n") == 1
    calls = prices(tmp_path / "calls.sqlite")
    assert sum(calls) == pytest.approx(sum(prices(tmp_path / "other.sqlite"))), "the same calls, each once"
    assert json.loads((out / "spent.json").read_text()) == pytest.approx(sum(calls), abs=2 * max(calls))
    assert asked <= len(calls) + 1, "the machine that nobody hears pays for no more than what it is at"
