"""A process of its own that reads, decides and grades, so that a text made to take for ever ends with it.

The parent writes a request in a line of JSON and reads the reply in a line. The kernel ends a worker that uses more
CPU time than a request may; the next request starts another. Only this end is the text's doing: a worker that dies
earlier, or that a busy machine keeps from replying, is a fault.
"""

from __future__ import annotations

import collections
import contextlib
import json
import os
import resource
import select
import signal
import subprocess
import sys
import threading
import time
import weakref
from typing import Any, TextIO

from interactive_envs.errors import ConfigError, JudgeError
from interactive_envs.system.workers import end_with

CPU_S = 5
"""Seconds of CPU time for a request, to the second."""
MARGIN = 0.9
"""Share of the CPU time from which on the limit ended a worker: the kernel counts in ticks, what it tells is exact."""
WALL_S = 60.0
"""Seconds on the clock for a request; a busy machine must not change a verdict, so what takes longer is a fault."""
START_S = 120.0
END_S = 10.0
"""Seconds that a worker which has closed its end has to be gone."""
MEMORY = 2 << 30
"""Bytes of address space."""
KEPT = 64
"""Problems that a worker keeps prepared."""
LONGEST_REPLY = 1 << 20

_BOOT = """
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from interactive_envs.mathematics.judge.worker import main
main()
"""


class WorkerError(Exception):
    """A request that takes too long or too much to answer, and why."""


class DiedError(JudgeError):
    """The worker died, and not of the request.

    Attributes:
        code: its exit code, as :class:`subprocess.Popen` tells it.
    """

    def __init__(self, code: int) -> None:
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        super().__init__(f"the worker of mathematics {how} before its CPU time was over")
        self.code = code


class Worker:
    """The parent's end; thread-safe, one request at a time.

    Args:
        cpu_s: seconds of CPU time for a request.
        wall_s: seconds on the clock for a request.
    """

    def __init__(self, *, cpu_s: int = CPU_S, wall_s: float = WALL_S) -> None:
        self._cpu_s = cpu_s
        self._wall_s = wall_s
        self._lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None
        """The one that runs now."""
        self._finalizer: Any = None
        self._buffer = b""
        self._used: float | None = None

    @property
    def pid(self) -> int | None:
        """Of the process that runs now."""
        return self.process.pid if self.process else None

    def ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to a request.

        Raises:
            WorkerError: it took too long or too much; the worker was ended.
            JudgeError: the worker died of something else, twice, or had no time to reply.
            ConfigError: the worker cannot start.
        """
        with self._lock:
            try:
                return self._exchange(request)
            except DiedError:  # somebody killed it, perhaps the system for want of memory; another may live
                return self._exchange(request)

    def close(self) -> None:
        """End the process; the next request starts another."""
        with self._lock:
            self._end()

    def start(self) -> None:
        """Start the process, ending one that runs; a request starts it by itself.

        Raises:
            ConfigError: it cannot start.
            DiedError: it was killed while it started.
        """
        self._end()
        command = [sys.executable, "-I", "-X", "utf8", "-c", _BOOT, json.dumps(sys.path)]
        limits = [str(self._cpu_s), str(MEMORY)]
        try:
            process = subprocess.Popen(  # noqa: S603
                [*command, *limits],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise ConfigError(f"the judge's worker cannot start: {error}") from error
        self.process = process
        self._finalizer = weakref.finalize(self, _finish, os.getpid(), process)
        try:
            ready = self._read(START_S)
        except JudgeError as error:
            self._end()
            if isinstance(error, DiedError) and error.code < 0:
                raise
            raise ConfigError(f"the judge's worker cannot start: {error}") from None
        if "fault" in ready:
            self._end()
            raise ConfigError(f"{ready['fault']}; install it with: pip install 'interactive-envs[math]'")
        self._used = ready["cpu"]

    def _exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.process is None or self.process.poll() is not None:
            self.start()
        try:
            reply = self._answered(request)
        except BaseException:  # an interrupt too: a late reply would answer the next request
            self._end()
            raise
        self._used = reply.pop("cpu")
        return reply

    def _answered(self, request: dict[str, Any]) -> dict[str, Any]:
        if self.process is None or self.process.stdin is None:
            raise JudgeError("the worker has ended")
        with contextlib.suppress(BrokenPipeError):  # it has died: reading says how
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        return self._read(self._wall_s)

    def _read(self, seconds: float) -> dict[str, Any]:
        if self.process is None or self.process.stdout is None:
            raise JudgeError("the worker has ended")
        end = time.monotonic() + seconds
        poll = select.poll()
        poll.register(self.process.stdout, select.POLLIN)
        while b"\n" not in self._buffer:
            if not poll.poll(max(0.0, 1000 * (end - time.monotonic()))):
                raise JudgeError(f"the worker of mathematics said nothing for {seconds:g} s: the machine is too busy")
            part = os.read(self.process.stdout.fileno(), 1 << 16)
            if not part:
                raise self._death(self.process)
            self._buffer += part
            if len(self._buffer) > LONGEST_REPLY:
                raise WorkerError("too long a reply")
        line, _, self._buffer = self._buffer.partition(b"\n")
        reply: dict[str, Any] = json.loads(line)
        return reply

    def _death(self, process: subprocess.Popen[bytes]) -> Exception:
        """Why it closed its end: the request's CPU time, or somebody else."""
        end = time.monotonic() + END_S
        while not (found := os.wait4(process.pid, os.WNOHANG))[0]:  # it ends soon after
            time.sleep(0.01)
            if time.monotonic() > end:
                os.kill(process.pid, signal.SIGKILL)
        _, status, usage = found
        process.returncode = os.waitstatus_to_exitcode(status)
        if self._used is not None and usage.ru_utime + usage.ru_stime - self._used >= MARGIN * self._cpu_s:
            return WorkerError(f"more than {self._cpu_s} s of CPU time or too much memory")
        return DiedError(process.returncode)

    def _end(self) -> None:
        self._buffer = b""
        self._used = None
        if self._finalizer is not None:
            self._finalizer()
        self.process = self._finalizer = None


def _finish(owner: int, process: subprocess.Popen[bytes]) -> None:
    """End a process and close what leads to it; in a forked child the process is the parent's and stays."""
    for stream in (process.stdin, process.stdout):
        if stream:
            with contextlib.suppress(OSError):
                stream.close()
    if owner != os.getpid():
        process.returncode = 0
        return
    process.kill()
    process.wait()


def main() -> None:
    """Answer requests until the parent is gone."""
    cpu_s, memory = int(sys.argv[2]), int(sys.argv[3])
    out = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a library prints is no reply
    end_with(os.getppid())
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    try:
        import sympy  # noqa: F401
    except ImportError as error:
        _say(out, {"fault": f"the offline judge of mathematics needs sympy: {error}"})
        return
    _say(out, {"ready": True})
    answers = Answers()
    for line in sys.stdin:
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + 1 + cpu_s, hard))
        _say(out, answers.answer(json.loads(line)))


def _say(out: TextIO, reply: dict[str, Any]) -> None:
    """Write a reply, with the CPU time that was used so far."""
    out.write(json.dumps(reply | {"cpu": time.process_time()}) + "\n")
    out.flush()


class Answers:
    """What the worker process replies, with the problems that it was last asked about."""

    def __init__(self) -> None:
        self._judges: collections.OrderedDict[str, Any] = collections.OrderedDict()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to a request: ``do`` (claim, subject or grade), ``problem`` and ``text``."""
        from interactive_envs.mathematics.judge.grading import grade

        try:
            judge = self._judge(request["problem"])
            if request["do"] == "grade":
                found = grade(judge, request["text"])
                return {"right": found.right, "detail": found.detail}
            if request["do"] == "subject":
                return {"answer": judge.is_about_answer(request["text"])}
            reply = judge.reply(request["text"])
            return {"label": reply.label, "detail": reply.detail, "abstained": reply.abstained}
        except (MemoryError, RecursionError) as error:
            return {"failed": f"too much to compute: {type(error).__name__}"}
        except Exception as error:  # sympy raises what it likes; the parent must hear of it and the worker go on
            return {"failed": f"{type(error).__name__}: {error}"[:300]}

    def _judge(self, record: dict[str, Any]) -> Any:
        from interactive_envs.mathematics.generators.base import Problem
        from interactive_envs.mathematics.judge.claims import ClaimJudge

        key = json.dumps(record, sort_keys=True)
        if key not in self._judges:
            self._judges[key] = ClaimJudge(Problem.from_json(record))
            if len(self._judges) > KEPT:
                self._judges.popitem(last=False)
        self._judges.move_to_end(key)
        return self._judges[key]
