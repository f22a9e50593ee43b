"""The sandbox as its users see it: one call, or a worker that keeps its state for an episode."""

from __future__ import annotations

import contextlib
import itertools
import json
import math
import os
import secrets
import select
import signal
import socket
import subprocess
import sys
import sysconfig
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Self

from interactive_envs.errors import ConfigError, FaultError, IbenchError
from interactive_envs.sandbox import zygote
from interactive_envs.sandbox.levels import Level, bubblewrap, check_level, parts

START_S = 60.0
"""Seconds a zygote may take to start or to answer; it needs a tenth of one."""
NESTING = 64
"""Lists and objects within each other that an answer may have."""
BOOT = """
import json, sys, types
for name, path in (("interactive_envs", None), ("interactive_envs.sandbox", sys.argv[1])):
    module = sys.modules[name] = types.ModuleType(name)
    module.__path__ = [path] if path else []
from interactive_envs.sandbox.zygote import main
main(int(sys.argv[2]), int(sys.argv[3]), *map(json.loads, sys.argv[4:7]))
"""
"""Loads the two files that the zygote needs without the rest of the package, its dependencies and ``site``."""


class Reason(StrEnum):
    """Why untrusted code gave no value."""

    TIMEOUT = "timeout"
    MEMORY = "memory"
    PROCESSES = "processes"
    """It tried to start a process or a thread."""
    OUTPUT = "output too large"
    FORBIDDEN = "forbidden"
    """It tried to use a file, the network or a system call that it may not."""
    NOT_JSON = "not JSON"
    EXCEPTION = "exception"
    DIED = "died"
    """It ended without an answer."""
    FORGED = "forged answer"
    """It wrote into its answer channel what the sandbox would not have written."""


_OWN_REASONS = {Reason.MEMORY, Reason.PROCESSES, Reason.OUTPUT, Reason.FORBIDDEN, Reason.NOT_JSON, Reason.EXCEPTION}
"""What a child may say of itself."""
_FATAL = {Reason.TIMEOUT, Reason.DIED, Reason.FORGED}
_OWN_SIGNALS = {
    *(signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV, signal.SIGTRAP),
    *(signal.SIGPIPE, signal.SIGSYS, signal.SIGXCPU, signal.SIGXFSZ),
}
"""What a process can end itself by where the filter lets it send no signal; any other comes from outside."""
_NEAR = 0.9
"""Share of the CPU limit from which on the kernel's kill is the limit's: it counts by ticks, which is not exact."""


class SandboxError(IbenchError):
    """Untrusted code failed: a result about the code, never about the machine.

    Attributes:
        reason: what kind of failure.
        detail: one printable line more, partly the code's own words; may be empty.
    """

    def __init__(self, reason: Reason, detail: str = "") -> None:
        self.reason = reason
        self.detail = detail
        super().__init__(f"{reason}: {detail}" if detail else str(reason))


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What untrusted code may use; time is for each request, and a worker's source is its first.

    Attributes:
        cpu_s: CPU seconds.
        wall_s: seconds on the clock, which also counts sleep and a busy machine; so it is the larger.
        memory: bytes, beyond what the interpreter has already.
        output: bytes of the answer as JSON.
        input: bytes of the source and the arguments as JSON.

    Processes, threads, files and written bytes have no number: there are none.
    """

    cpu_s: float = 2.0
    wall_s: float = 10.0
    memory: int = 256 << 20
    output: int = 1 << 20
    input: int = 4 << 20

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if not 0 < value < math.inf:
                raise ConfigError(f"limit {name} must be above 0 and finite, got {value!r}")


class Sandbox:
    """Runs Python code that is not trusted, each call in a process of its own that is locked before it reads the code.

    Args:
        level: 1, 2 or 3 (see :class:`Level`); by default what ``IBENCH_SANDBOX_LEVEL`` says, or else the best of this
            machine, which must be 2. One that it lacks raises :class:`ConfigError`.
        limits: what each call may use.
        libraries: modules beside the standard library's that the code may import, loaded once for all calls.
        modules: further ones by name, each a trusted file that imports none but those and the ones before it.

    Failures of the code raise :class:`SandboxError`; a sandbox that cannot work raises :class:`FaultError`, and the
    next call restarts it. Calls from several threads run side by side; a forked process starts a zygote of its own.

    >>> with Sandbox() as sandbox:
    ...     sandbox.call("def double(x): return 2 * x", "double", [21])
    42
    """

    def __init__(
        self,
        level: int | None = None,
        limits: Limits = Limits(),
        libraries: Sequence[str] = (),
        modules: Mapping[str, str | Path] | None = None,
    ) -> None:
        self.level = check_level(level)
        self.limits = limits
        self.libraries = tuple(libraries)
        self.modules = {name: str(file) for name, file in (modules or {}).items()}
        self._lock = threading.Lock()
        self.zygote: Zygote | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Sandbox, (int(self.level), self.limits, self.libraries, self.modules)

    def call(self, source: str, function: str, arguments: Sequence[Any] | Mapping[str, Any] = ()) -> Any:
        """The JSON value that ``function`` of ``source`` returns for these arguments (by place, or by name)."""
        request = _request(self.limits, source, function, arguments)
        child = Child(self._living(), self.limits, once=True)
        try:
            return child.ask(*request)
        finally:
            child.end()

    def worker(self, source: str) -> Worker:
        """A process that has run ``source`` and answers requests until it is closed or breaks a limit."""
        request = _request(self.limits, source, None, ())
        child = Child(self._living(), self.limits, once=False)
        try:
            child.ask(*request)
        except BaseException:
            child.end()
            raise
        return Worker(child)

    def close(self) -> None:
        """End the zygote and what it runs; the next call starts another."""
        with self._lock:
            zygote, self.zygote = self.zygote, None
        if zygote is not None:
            zygote.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _living(self) -> Zygote:
        with self._lock:
            if self.zygote is not None and not self.zygote.usable():
                self.zygote.close()
                self.zygote = None
            if self.zygote is None:
                self.zygote = Zygote(self.level, self.libraries, self.modules)
            return self.zygote


class Worker:
    """Untrusted code that keeps its state between requests; made by :meth:`Sandbox.worker`, for one episode.

    An exception, or an answer that is too large or no JSON, leaves it alive; a timeout, a death or a forged answer
    ends it, and later requests raise the same reason again.
    """

    def __init__(self, child: Child) -> None:
        self.child = child
        self._lock = threading.Lock()
        self._over: SandboxError | None = None

    def request(self, function: str, arguments: Sequence[Any] | Mapping[str, Any] = ()) -> Any:
        """The JSON value that ``function`` returns for these arguments (by place, or by name)."""
        request = _request(self.child.limits, None, function, arguments)
        with self._lock:
            if self._over is not None:
                raise SandboxError(self._over.reason, f"the worker has ended: {self._over.detail}"[: zygote.DETAIL])
            if self.child.ended:
                raise ConfigError("the worker is closed; start another with Sandbox.worker")
            try:
                return self.child.ask(*request)
            except SandboxError as error:
                if error.reason in _FATAL:
                    self._over = error
                    self.child.end()
                raise
            except FaultError:
                self.child.end()
                raise

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self.child.end()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()


def _request(
    limits: Limits, source: str | None, function: str | None, arguments: Sequence[Any] | Mapping[str, Any]
) -> tuple[str, bytes]:
    """A nonce, and the frame that asks under it."""
    nonce = secrets.token_hex(8)
    given = dict(arguments) if isinstance(arguments, Mapping) else list(arguments)
    message = {"nonce": nonce, "source": source, "function": function, "arguments": given}
    try:
        frame = _ENCODER.encode(message).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise ConfigError(f"the arguments of {function} are not JSON: {error}") from None
    if len(frame) > limits.input:
        raise ConfigError(f"source and arguments are {len(frame)} bytes, the limit is {limits.input}")
    return nonce, len(frame).to_bytes(4, "big") + frame


class Zygote:
    """The parent's end of the process that forks."""

    def __init__(self, level: Level, libraries: Sequence[str], modules: Mapping[str, str]) -> None:
        self.level = level
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._broken = False
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours.settimeout(START_S)
        prefix: list[str] = []
        if level == Level.BUBBLEWRAP:
            prefix = bubblewrap(next(part.found for part in parts() if part.level == level), modules.values())
        command = [sys.executable, "-P", "-s", "-S", "-B", "-X", "utf8", "-c", BOOT, str(Path(__file__).parent)]
        path = [sysconfig.get_path(kind) for kind in ("purelib", "platlib")] if libraries else []
        command_line = [str(theirs.fileno()), str(int(level)), *map(json.dumps, (libraries, path, modules))]
        with theirs:
            try:
                process = subprocess.Popen(  # noqa: S603
                    [*prefix, *command, *command_line],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    cwd=os.sep,
                    env={"PYTHONHASHSEED": "0", "LC_ALL": "C.UTF-8"},
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,
                )
            except OSError as error:
                ours.close()
                raise FaultError(f"the sandbox cannot start: {error}") from error
        self._socket = ours
        self.process = process
        self._finalizer = weakref.finalize(self, _finish, self._owner, ours, process)
        try:
            self._receive()
        except FaultError as error:
            process.kill()
            lines = process.stderr.read().decode(errors="replace").strip().splitlines() if process.stderr else []
            self.close()
            why = f"{error}: {lines[-1]}" if lines else str(error)
            raise FaultError(f"the sandbox cannot start at level {int(level)}: {why}") from error

    def usable(self) -> bool:
        """Whether it runs and is this process's own."""
        return not self._broken and self._owner == os.getpid() and self.process.poll() is None

    def close(self) -> None:
        """End it; its children end with it."""
        self._broken = True
        self._finalizer()

    def start(self, limits: dict[str, Any], descriptors: list[int]) -> tuple[int, int]:
        """Fork a child with these pipes: its number and its process id as the zygote sees it."""
        number = next(self._numbers)
        reply = self._do({"do": "start", "child": number, "limits": limits}, descriptors)
        return number, reply["pid"]

    def cpu_time(self, child: int, pid: int) -> float:
        """CPU seconds a child has used."""
        if self.level == Level.BUBBLEWRAP:  # the process id means something else here
            return float(self._do({"do": "measure", "child": child})["cpu_s"])
        return zygote.cpu_time(pid)

    def end(self, child: int, *, wait: bool) -> dict[str, Any]:
        """Kill a child, or with ``wait`` give it a moment to end by itself; how it ended and what it used."""
        return self._do({"do": "end", "child": child, "wait": wait})

    def _do(self, message: dict[str, Any], descriptors: Sequence[int] = ()) -> dict[str, Any]:
        if self._owner != os.getpid():
            raise FaultError("this worker belongs to the process that forked this one")
        with self._lock:
            try:
                if self._broken:
                    raise FaultError("the sandbox has ended")
                socket.send_fds(self._socket, [json.dumps(message).encode()], descriptors)
                reply = self._receive()
            except OSError as error:
                self._broken = True
                raise FaultError(f"the sandbox broke: {error}") from error
            except BaseException:  # also an interrupt: the reply that is still to come would answer the next question
                self._broken = True
                raise
        if "problem" in reply:
            raise FaultError(f"the sandbox cannot {message['do']} a process: {reply['problem']}")
        return reply

    def _receive(self) -> dict[str, Any]:
        try:
            data = self._socket.recv(1 << 16)
        except OSError as error:
            raise FaultError(f"the zygote does not answer: {error}") from error
        if not data:
            raise FaultError("the zygote died")
        reply: dict[str, Any] = json.loads(data)
        return reply


def _finish(owner: int, control: socket.socket, process: subprocess.Popen[bytes]) -> None:
    control.close()
    if process.stderr:
        process.stderr.close()
    if owner != os.getpid():  # the zygote is the parent's; only its descriptor is ours to close
        process.returncode = 0
        return
    try:
        process.wait(1.0)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


class Child:
    """One forked process, with the pipes that lead to it."""

    def __init__(self, zygote: Zygote, limits: Limits, *, once: bool) -> None:
        self.limits = limits
        self.ended = False
        self.zygote = zygote
        self._ready = False
        self._buffer = bytearray()
        try:
            theirs_in, self._requests = os.pipe()
            try:
                self.answers, theirs_out = os.pipe()
            except OSError:
                os.close(theirs_in)
                os.close(self._requests)
                raise
        except OSError as error:
            self.ended = True
            raise FaultError(f"the sandbox has no pipe for another process: {error}") from error
        os.set_blocking(self._requests, False)
        # The kernel's own limit holds if this process is gone; a worker's time has no sum. It is far above the one that
        # is watched: the kernel counts by ticks, on a busy machine much more than was used.
        seconds = math.ceil(2 * limits.cpu_s) + 1 if once else None
        try:
            caps = {"memory": limits.memory, "output": limits.output, "cpu_s": seconds}
            self._number, self.pid = zygote.start(caps, [theirs_in, theirs_out])
        except BaseException:
            os.close(self._requests)
            os.close(self.answers)
            self.ended = True
            raise
        finally:
            os.close(theirs_in)
            os.close(theirs_out)
        self._fresh = True

    def end(self) -> None:
        """Kill it, if it lives, and close the pipes."""
        if not self.ended:
            with contextlib.suppress(FaultError):
                self._reap(wait=False)

    def ask(self, nonce: str, request: bytes) -> Any:
        """Write the request, read the answer within the limits and check every part of it."""
        if self._buffer or (not self._fresh and select.select([self.answers], [], [], 0)[0]):
            self._silence(self._buffer or os.read(self.answers, 1))
        base = 0.0 if self._fresh else self._cpu()
        self._fresh = False
        answer = _read_json(self._exchange(memoryview(request), base))
        if answer.get("nonce") != nonce:
            raise SandboxError(Reason.FORGED, "an answer to another request")
        if answer.keys() == {"nonce", "value"}:
            return answer["value"]
        reason, detail = answer.get("reason"), answer.get("detail")
        if answer.keys() != {"nonce", "reason", "detail"} or reason not in _OWN_REASONS or not isinstance(detail, str):
            raise SandboxError(Reason.FORGED, "an answer with other parts")
        raise SandboxError(Reason(reason), _printable(detail))

    def _silence(self, early: bytes | bytearray) -> NoReturn:
        if early:
            raise SandboxError(Reason.FORGED, "an answer before the request")
        self._explain(math.inf)

    def _exchange(self, request: memoryview, base: float) -> bytes:
        limits, start = self.limits, time.monotonic()
        check = limits.cpu_s  # CPU time cannot pass faster than the clock: there is one thread
        poll = select.poll()
        poll.register(self.answers, select.POLLIN)
        request = self._write(request)
        if request:
            poll.register(self._requests, select.POLLOUT)
        while True:
            frame = self._frame()
            if frame is not None:
                return frame
            elapsed = time.monotonic() - start
            if elapsed >= limits.wall_s:
                raise SandboxError(Reason.TIMEOUT, f"{limits.wall_s:g} s on the clock")
            if elapsed >= check:
                used = self._cpu() - base
                if used >= limits.cpu_s:
                    raise SandboxError(Reason.TIMEOUT, f"{limits.cpu_s:g} s of CPU time")
                check = elapsed + max(0.01, limits.cpu_s - used)
            events = dict(poll.poll(1000 * max(0.001, min(check, limits.wall_s) - elapsed)))
            if self._requests in events:
                request = self._write(request)
                if not request:
                    poll.unregister(self._requests)
            if self.answers in events:
                part = os.read(self.answers, 1 << 16)
                if not part:
                    self._explain(base)
                self._buffer += part

    def _write(self, request: memoryview) -> memoryview:
        try:
            return request[os.write(self._requests, request) :]
        except BlockingIOError:
            return request
        except BrokenPipeError:  # its end tells why
            return request[:0]

    def _frame(self) -> bytes | None:
        """The first whole frame of what was read, if there is one; the first byte ever says whether it is locked."""
        buffer = self._buffer
        if not self._ready and buffer:
            if buffer[:1] != zygote.READY:
                self._unlocked()
            del buffer[:1]
            self._ready = True
        if len(buffer) < 4:
            return None
        size = int.from_bytes(buffer[:4], "big")
        if size > self.limits.output + 4096:
            raise SandboxError(Reason.OUTPUT, f"at most {self.limits.output} bytes")
        if len(buffer) < 4 + size:
            return None
        frame = bytes(buffer[4 : 4 + size])
        del buffer[: 4 + size]
        return frame

    def _unlocked(self) -> NoReturn:
        while part := os.read(self.answers, 4096):
            self._buffer += part
        problem = _printable(self._buffer[1:].decode("ascii", "replace"))
        raise FaultError(f"the sandbox cannot lock a process at level {int(self.zygote.level)}: {problem}")

    def _explain(self, base: float) -> NoReturn:
        """Its pipe ended without an answer: how the process ended, and its CPU time since ``base``, say why."""
        ended = self._reap(wait=True)
        if not self._ready:
            raise FaultError(f"a process of the sandbox ended before it was locked (status {ended['status']})")
        status = ended["status"]
        if status is None:
            raise SandboxError(Reason.DIED, "closed its answer channel")
        if not os.WIFSIGNALED(status):
            raise SandboxError(Reason.DIED, f"exit status {os.waitstatus_to_exitcode(status)}")
        number = os.WTERMSIG(status)
        if number in (signal.SIGKILL, signal.SIGXCPU) and ended["cpu_s"] - base >= _NEAR * self.limits.cpu_s:
            raise SandboxError(Reason.TIMEOUT, f"{self.limits.cpu_s:g} s of CPU time")
        if number in (signal.SIGSYS, signal.SIGXFSZ):
            raise SandboxError(Reason.FORBIDDEN, signal.Signals(number).name)
        name = signal.Signals(number).name if number in set(signal.Signals) else f"signal {number}"
        if self.zygote.level >= Level.SECCOMP and number not in _OWN_SIGNALS:
            raise FaultError(f"a process of the sandbox was killed from outside: {name}")
        raise SandboxError(Reason.DIED, name)

    def _cpu(self) -> float:
        try:
            return self.zygote.cpu_time(self._number, self.pid)
        except OSError:  # it has ended, which the pipe tells
            return 0.0

    def _reap(self, *, wait: bool) -> dict[str, Any]:
        self.ended = True
        os.close(self._requests)
        os.close(self.answers)
        return self.zygote.end(self._number, wait=wait)


def _read_json(frame: bytes) -> dict[str, Any]:
    try:
        text = frame.decode("utf-8")
        answer = _DECODER.decode(text)
        if "\\ud" in text or "\\uD" in text:
            json.dumps(answer, ensure_ascii=False).encode("utf-8")  # half a surrogate pair is no text
        if text.count("[") + text.count("{") > NESTING:
            _check_nesting(answer)
    except SandboxError:
        raise
    except (ValueError, RecursionError) as error:
        raise SandboxError(Reason.NOT_JSON, _printable(str(error))) from None
    if not isinstance(answer, dict):
        raise SandboxError(Reason.FORGED, "an answer of another form")
    return answer


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


def _finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(f"{text[:40]} is too large for a number")
    return value


_ENCODER = json.JSONEncoder(allow_nan=False)
_DECODER = json.JSONDecoder(parse_constant=_refuse, parse_float=_finite)


def _check_nesting(value: Any) -> None:
    level = [value]
    for _ in range(NESTING + 2):
        nested = [part for part in level if isinstance(part, dict | list)]
        if not nested:
            return
        level = [item for part in nested for item in (part.values() if isinstance(part, dict) else part)]
    raise SandboxError(Reason.NOT_JSON, f"more than {NESTING} lists and objects within each other")


def _printable(text: str) -> str:
    return "".join(character if " " <= character <= "~" else "?" for character in text[: zygote.DETAIL])
