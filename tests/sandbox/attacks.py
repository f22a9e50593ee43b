"""Runs every hostile program at one level and checks from outside that nothing came of it.

    python tests/sandbox/attacks.py LEVEL [--user ID] [--without-landlock] [--one-a-kind] [NAME...]

As a script it becomes the user first and prints one JSON line a program: its name, how it ended, what is wrong. With
names it runs these, also where the level does not claim to hold them.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from interactive_envs.errors import IbenchError
from interactive_envs.sandbox import Limits, Sandbox, SandboxError, kernel, run

HOSTILE = Path(__file__).parent / "hostile"
LIMITS = Limits(cpu_s=0.4, wall_s=2.5, memory=64 << 20)
PATIENCE_S = 60.0
"""Seconds a program may take in all, on a busy machine; without the limits some never end."""
CLEAN = """
import json, math, os, random, sys
def f(): return [math.pi, len("abc"), json.dumps([1]), random.random(), sorted(os.listdir.__name__), len(sys.path)]
"""


class Program(NamedTuple):
    """A hostile program, and what its header says of it."""

    name: str
    source: str
    ends: frozenset[str]
    value: Any
    gap: str

    def held_at(self, level: int, root: bool) -> bool:
        """Whether the level claims to hold it."""
        return not (level == 1 and self.gap and not ("as a user" in self.gap and root))


def programs() -> list[Program]:
    """All of them, by name."""
    found = []
    for path in sorted(HOSTILE.glob("*.py")):
        source = path.read_text()
        header = dict(re.findall(r"^# (\w+): (.*)$", source, re.M))
        value = json.loads(header.get("value", "null"))
        found.append(Program(path.stem, source, frozenset(header["ends"].split(", ")), value, header.get("gap", "")))
    return found


def attack_all(
    level: int, names: frozenset[str] = frozenset(), one_a_kind: bool = False
) -> Iterator[tuple[str, str, list[str]]]:
    """Run every program that the level claims to hold: its name, how it ended, and what is wrong with that.

    With ``one_a_kind``, one alone of those that may end in the same ways.
    """
    root = os.geteuid() == 0
    os.environ["IBENCH_SECRET_KEY"] = "IBENCH_SECRET"
    secret_in, secret_out = os.pipe()
    os.set_inheritable(secret_in, True)
    os.write(secret_out, b"IBENCH_SECRET" * 100)
    signals: list[int] = []
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGUSR1, signal.SIGALRM):
        signal.signal(number, lambda number, _: signals.append(number))
    with tempfile.TemporaryDirectory() as name, Sandbox(level, LIMITS) as sandbox:
        folder = Path(name)
        folder.chmod(0o777)
        (folder / "canary").write_text("sings")
        (folder / "canary").chmod(0o666)
        listeners = [socket.create_server(("127.0.0.1", 0))]
        port = listeners[0].getsockname()[1]
        datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        datagrams.bind(("127.0.0.1", port))
        abstract = f"ibench-{os.getpid()}"
        for address in (str(folder / "socket"), "\0" + abstract):
            listeners.append(socket.socket(socket.AF_UNIX))
            listeners[-1].bind(address)
            listeners[-1].listen()
        for listener in (*listeners, datagrams):
            listener.setblocking(False)
        world = {
            "folder": name,
            "port": port,
            "abstract": abstract,
            "pid": os.getpid(),
            "site": str(Path(os.__file__).parent / "site-packages"),
            "package": str(Path.cwd()),
        }
        before, clean = _state(folder), sandbox.call(CLEAN, "f")
        zygote = sandbox.zygote
        ends = set[frozenset[str]]()
        for program in programs():
            if program.name not in names if names else not program.held_at(level, root):
                continue
            if one_a_kind and program.ends in ends:
                continue
            ends.add(program.ends)
            start, wrong = time.monotonic(), []
            try:
                value = sandbox.call(program.source, "attack", [world])
                ended = "value"
                if value != program.value:
                    wrong.append(f"returned {value!r:.200}")
            except SandboxError as error:
                ended = str(error.reason)
                if len(str(error)) > 400 or not str(error).isprintable():
                    wrong.append(f"its words are not escaped: {error}")
                told = str(error)
            except IbenchError as error:
                ended = f"fault: {error}"
            if ended not in program.ends:
                wrong.append(f"ended with {ended} ({told if ended != 'value' else ''})")
            if time.monotonic() - start > PATIENCE_S:
                wrong.append("took too long")
            if sandbox.zygote is not zygote or not zygote.usable():
                wrong.append("broke the zygote")
                zygote = sandbox.zygote
            if sandbox.call(CLEAN, "f") != clean:
                wrong.append("changed the next call")
            if _state(folder) != before:
                wrong.append(f"changed files: {_state(folder)}")
            if _accepted([*listeners, datagrams]):
                wrong.append("made a connection")
            if _descendants(zygote.process.pid):
                wrong.append("left a process")
            if signals:
                wrong.append(f"sent signals {signals}")
            yield program.name, ended, wrong
        for opened in (*listeners, datagrams):
            opened.close()
    os.close(secret_in)
    os.close(secret_out)


def _state(folder: Path) -> list[tuple[str, int, int]]:
    """Everything in the folder and what an attack could make where everybody may write."""
    found = [*folder.iterdir(), *(Path(place) / name for place in ("/tmp", "/dev/shm", "/") for name in NAMES)]
    return sorted(
        (str(path), path.lstat().st_mode, path.lstat().st_size) for path in found if path.is_symlink() or path.exists()
    )


NAMES = ("written", "made", "link", "node", "climbed", "core", "spawned", "shell", "executed", "atexit")


def _accepted(listeners: list[socket.socket]) -> bool:
    for listener in listeners:
        try:
            if listener.type == socket.SOCK_DGRAM:
                listener.recv(10)
            else:
                listener.accept()[0].close()
        except BlockingIOError:
            continue
        return True
    return False


def _descendants(zygote: int) -> list[int]:
    """Living processes in the zygote's session, which it leads, beyond itself and the programs that wrap it."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[3]) == zygote and int(entry.name) != zygote:
                found.append(int(entry.name))
    return found


def hide_landlock() -> None:
    """Make this process, and the zygotes it starts, find a kernel without Landlock."""
    without = "from interactive_envs.sandbox import kernel\nkernel.landlock_abi = lambda: 0\nmain("
    kernel.landlock_abi, run.BOOT = lambda: 0, run.BOOT.replace("main(", without)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("level", type=int)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--user", type=int)
    parser.add_argument("--without-landlock", action="store_true")
    parser.add_argument("--one-a-kind", action="store_true")
    given = parser.parse_intermixed_args()
    if given.user:
        os.setgroups([])
        os.setgid(given.user)
        os.setuid(given.user)
    if given.without_landlock:
        hide_landlock()
    for result in attack_all(given.level, frozenset(given.names), given.one_a_kind):
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()
