"""The process that forks: it holds a warm interpreter, and locks every child before the child reads any code.

It speaks JSON messages with the sandbox over one socket. A child has two pipes of its own and nothing else: a request
comes in, a frame that answers it goes out. A frame is four bytes of length and JSON.
"""

from __future__ import annotations

import codecs
import contextlib
import errno
import gc
import importlib
import json
import mmap
import os
import random
import resource
import signal
import socket
import sys
import tempfile
import time
import types
from collections.abc import Callable
from importlib.machinery import PathFinder
from typing import Any, NoReturn

from interactive_envs.sandbox import kernel

REQUESTS, ANSWERS = 3, 4
"""A child's only descriptors beyond its three standard ones, which lead nowhere."""
READY = b"R"
"""What a child writes once it is locked: until then no foreign code has run."""
FAILED = b"X"
"""What a child writes when it cannot be locked, before the reason; it then ends."""
NOBODY = 65534
MODULES = (
    "_strptime array ast base64 binascii bisect calendar cmath codecs collections.abc colorsys contextlib copy "
    "dataclasses datetime decimal difflib enum errno fractions functools graphlib hashlib heapq html inspect io "
    "itertools json keyword locale math numbers operator pprint queue random re secrets statistics string struct "
    "textwrap threading time traceback types typing unicodedata uuid warnings weakref zlib"
).split()
"""What the code may import: it is loaded before the fork, for there is no file to load anything from."""
CODECS = (
    "ascii",
    "cp1252",
    "idna",
    "latin-1",
    "utf-16",
    "utf-32",
    "utf-8",
    "utf-8-sig",
    "hex",
    "rot13",
    "punycode",
    "unicode_escape",
)
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
"""For libraries while they load: a process with more threads must not fork."""
SPARE = 4 << 20
"""Bytes of memory kept back, so that running out of memory can be reported."""
DETAIL = 300
"""Characters of an error that are reported."""
GRACE_S = 0.5
"""How long a child that closed its pipe may take to end by itself, so that its exit status is known."""
WIDE = 1 << 36
"""Bytes of address space in which the interpreter's own are measured."""


def main(control_fd: int, level: int, libraries: list[str], path: list[str], modules: dict[str, str]) -> None:
    """Serve the sandbox until it closes its end of the socket."""
    control = socket.socket(fileno=control_fd)
    sys.path += path
    os.environ.update(ONE_THREAD)
    for name in [*libraries, *MODULES, *["_pylong"] * (sys.version_info >= (3, 12))]:
        importlib.import_module(name)
    for name in ONE_THREAD:
        del os.environ[name]
    for name in CODECS:
        codecs.lookup(name)
    home = tempfile.mkdtemp(prefix="ibench-")
    root = os.open(home, os.O_RDONLY | os.O_DIRECTORY)
    os.chdir(home)
    os.rmdir(home)  # a removed directory stays empty: the kernel makes no file in it
    locked = level >= 2
    abi = kernel.landlock_abi() if locked else 0
    ruleset, program = kernel.landlock_ruleset(abi) if abi else None, kernel.seccomp_program() if locked else None
    kernel.hide_memory()
    for name in [name for name in sys.modules if name.startswith("interactive_envs")]:
        del sys.modules[name]
    _load(modules)
    sys.path[:] = []
    sys.path_hooks[:] = []
    sys.path_importer_cache.clear()
    sys.meta_path[:] = [finder for finder in sys.meta_path if finder is not PathFinder]
    gc.collect()
    gc.freeze()
    lock = _Lock(root, ruleset, program, _virtual_memory())
    children: dict[int, int] = {}
    try:
        _send(control, {"ready": True})
        while True:
            data, descriptors, _, _ = socket.recv_fds(control, 1 << 16, 2)
            if not data:
                return
            message = json.loads(data)
            try:
                reply = _OPERATIONS[message["do"]](message, descriptors, children, lock)
            except OSError as error:
                reply = {"problem": str(error)}
            finally:
                for descriptor in descriptors:
                    os.close(descriptor)
            _send(control, reply)
    except (ConnectionError, BrokenPipeError):
        return
    finally:
        for pid in children.values():
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


def _load(modules: dict[str, str]) -> None:
    """Make modules of files, under names in packages of which nothing else is there."""
    for name, file in modules.items():
        for end in [place for place, letter in enumerate(name) if letter == "."]:
            package = sys.modules.setdefault(name[:end], types.ModuleType(name[:end]))
            package.__path__ = []
        module = sys.modules[name] = types.ModuleType(name)
        with open(file, encoding="utf-8") as source:
            exec(compile(source.read(), f"<{name}>", "exec"), module.__dict__)  # noqa: S102  our own


def _send(control: socket.socket, message: dict[str, Any]) -> None:
    control.send(json.dumps(message).encode())


def _start(message: dict[str, Any], descriptors: list[int], children: dict[int, int], lock: _Lock) -> dict[str, Any]:
    parent = os.getpid()
    pid = os.fork()
    if pid == 0:
        _child(descriptors, lock, message["limits"], parent)
    children[message["child"]] = pid
    return {"pid": pid}


def _measure(message: dict[str, Any], _: list[int], children: dict[int, int], __: _Lock) -> dict[str, Any]:
    return {"cpu_s": cpu_time(children[message["child"]])}


def _end(message: dict[str, Any], _: list[int], children: dict[int, int], __: _Lock) -> dict[str, Any]:
    pid = children.pop(message["child"])
    patience = time.monotonic() + (GRACE_S if message["wait"] else 0)
    while True:
        reaped, status, used = os.wait4(pid, os.WNOHANG)
        if reaped or time.monotonic() >= patience:
            break
        time.sleep(0.001)
    killed = not reaped
    if killed:
        os.kill(pid, signal.SIGKILL)
        reaped, status, used = os.wait4(pid, 0)
        killed = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL  # else it was ending by itself
    return {"status": None if killed else status, "cpu_s": used.ru_utime + used.ru_stime, "peak_kb": used.ru_maxrss}


_OPERATIONS: dict[str, Callable[..., dict[str, Any]]] = {"start": _start, "measure": _measure, "end": _end}


def cpu_time(pid: int) -> float:
    """CPU seconds that another process has used, by the kernel's rule for the clock of a process."""
    return time.clock_gettime((~pid << 3) | 2)


class _Lock:
    """What a child does to itself before it reads foreign code; any step that fails ends it."""

    def __init__(self, root: int, ruleset: int | None, program: bytes | None, own: int) -> None:
        self._root, self._ruleset, self._program, self._own = root, ruleset, program, own

    def close_on(self, descriptors: list[int], limits: dict[str, Any], parent: int) -> None:
        """Keep two pipes, give up every right and resource that is not in the limits."""
        high = [os.dup2(descriptor, 200 + index) for index, descriptor in enumerate(descriptors)]
        if os.geteuid() == 0:
            os.fchdir(self._root)
            with contextlib.suppress(PermissionError):  # root without the right, as in some containers
                os.chroot(".")
            # Root of a user namespace may have no other user to become: then the filter alone denies the fork.
            with contextlib.suppress(OSError) if self._program is not None else contextlib.nullcontext():
                os.setgroups([])
                os.setresgid(NOBODY, NOBODY, NOBODY)
                os.setresuid(NOBODY, NOBODY, NOBODY)
        kernel.drop_privileges()
        kernel.hide_memory()  # a change of user may have undone it
        kernel.die_with_parent()
        if os.getppid() != parent:
            os._exit(1)
        if self._ruleset is not None:
            kernel.landlock_restrict(self._ruleset)
        for descriptor, source in zip((REQUESTS, ANSWERS), high, strict=True):
            os.dup2(source, descriptor)
        os.dup2(0, 2)  # the zygote's own errors go to the sandbox, a child's nowhere
        os.closerange(ANSWERS + 1, 1 << 20)
        self._limit(limits)
        if self._program is not None:
            kernel.seccomp_install(self._program)

    def _limit(self, limits: dict[str, Any]) -> None:
        none = ("RLIMIT_CORE", "RLIMIT_FSIZE", "RLIMIT_MEMLOCK", "RLIMIT_MSGQUEUE", "RLIMIT_NPROC", "RLIMIT_NOFILE")
        hard = {getattr(resource, name): 0 for name in none if hasattr(resource, name)}
        hard[resource.RLIMIT_AS] = self._own + SPARE + limits["memory"]
        hard[resource.RLIMIT_STACK] = 8 << 20
        if limits["cpu_s"] is not None:
            hard[resource.RLIMIT_CPU] = limits["cpu_s"]
        for what, value in hard.items():
            allowed = resource.getrlimit(what)[1]
            value = value if allowed == resource.RLIM_INFINITY else min(value, allowed)
            resource.setrlimit(what, (value, value))


def _child(descriptors: list[int], lock: _Lock, limits: dict[str, Any], parent: int) -> NoReturn:
    status = 1
    try:
        lock.close_on(descriptors, limits, parent)
        random.seed(0)  # a fork draws a new seed from the system, and the same call must give the same value
        if "numpy.random" in sys.modules:
            sys.modules["numpy.random"].seed(0)
        os.write(ANSWERS, READY)
        _serve(limits)
        status = 0
    except OSError as error:
        # Only the lock can fail here: what foreign code raises is caught where it is called.
        for target in (descriptors[1], ANSWERS):
            with contextlib.suppress(OSError):
                os.write(target, FAILED + str(error).encode("ascii", "backslashreplace"))
                break
    finally:
        os._exit(status)


def _virtual_memory() -> int:
    """Bytes of address space that this process has: what does not fit into a limit, as there may be no /proc to ask."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = WIDE if hard == resource.RLIM_INFINITY else min(hard, WIDE)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    fits, fails = 0, limit // mmap.PAGESIZE
    while fails - fits > 1:
        pages = (fits + fails) // 2
        try:
            mmap.mmap(-1, pages * mmap.PAGESIZE, flags=mmap.MAP_PRIVATE, prot=0).close()
            fits = pages
        except OSError:
            fails = pages
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    return limit - fits * mmap.PAGESIZE


def _serve(limits: dict[str, Any]) -> None:
    """Answer requests until the pipe ends. Foreign code shares this process: nothing here holds against it."""
    encode = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode
    decode, write, read = json.loads, os.write, os.read
    module = types.ModuleType("untrusted")
    sys.modules["untrusted"] = module
    sys.argv = [""]
    largest: int = limits["output"]
    while True:
        head = _read(read, 4)
        if not head:
            return
        request = decode(_read(read, int.from_bytes(head, "big")))
        nonce = request["nonce"]
        spare = _spare()
        problem: tuple[str, str] | None = None
        text = ""
        try:
            value = _run(module, request)
            try:
                text = encode(value)
            except (TypeError, ValueError, RecursionError) as error:
                problem = "not JSON", _described(error)
            del value
        except MemoryError as error:
            error.__traceback__ = None
            problem = "memory", ""
        except BaseException as error:  # foreign code may raise anything
            spare.close()
            problem = _reason(error), _described(error)
            error.__traceback__ = None
        spare.close()  # given back for the answer
        try:
            if problem:
                text = encode({"nonce": nonce, "reason": problem[0], "detail": problem[1]})
            elif len(text) > largest:
                detail = f"{len(text)} characters, at most {largest}"
                text = encode({"nonce": nonce, "reason": "output too large", "detail": detail})
            else:
                text = '{"nonce":"' + nonce + '","value":' + text + "}"
            frame = text.encode()
        except MemoryError:
            frame = b'{"nonce":"%s","reason":"memory","detail":""}' % nonce.encode()
        view = memoryview(len(frame).to_bytes(4, "big") + frame)
        while view:
            view = view[write(ANSWERS, view) :]


def _spare() -> mmap.mmap:
    """Memory that is never touched: ``bytes`` would be cleared for every request, longer than a short one takes."""
    try:
        return mmap.mmap(-1, SPARE, flags=mmap.MAP_PRIVATE, prot=0)
    except OSError as error:
        raise MemoryError from error


def _read(read: Callable[[int, int], bytes], size: int) -> bytes:
    parts = []
    while size:
        part = read(REQUESTS, min(size, 1 << 20))
        if not part:
            return b""
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _run(module: types.ModuleType, request: dict[str, Any]) -> Any:
    if request["source"] is not None:
        exec(compile(request["source"], "<untrusted>", "exec"), module.__dict__)  # noqa: S102  the purpose of all this
    if request["function"] is None:
        return None
    function, arguments = getattr(module, request["function"]), request["arguments"]
    return function(**arguments) if isinstance(arguments, dict) else function(*arguments)


def _reason(error: BaseException) -> str:
    number = error.errno if isinstance(error, OSError) else None
    if number == errno.EAGAIN or (type(error) is RuntimeError and error.args == ("can't start new thread",)):
        return "processes"
    if number in (errno.EPERM, errno.EACCES, errno.EMFILE, errno.EFBIG):
        return "forbidden"
    return "exception"


def _described(error: BaseException) -> str:
    try:
        line, trace = None, error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == "<untrusted>":
                line = trace.tb_lineno
            trace = trace.tb_next
        summary = f"{type(error).__name__}: {error}" + (f" (line {line})" if line else "")
        return summary[: 4 * DETAIL].encode("unicode_escape").decode("ascii")[:DETAIL]
    except BaseException:  # even the text of a foreign error is foreign code
        return "an error whose text cannot be read"
