"""Workers on a Ray cluster: an executor of tasks that keep nothing, and that Ray never repeats by itself."""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import functools
import importlib
import os
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any

from interactive_envs.errors import ConfigError, FaultError, MissingExtraError

LOCAL = "127.0.0.1"
REACH = 10.0
"""Seconds that a cluster has to answer at its address."""
STORE = 256 << 20
"""Bytes of shared memory that a cluster of our own takes: what tasks return is small."""


ANSWER = 120.0
"""Seconds that a machine has to answer what it has."""
SILENCE = {"RAY_grpc_client_keepalive_time_ms": "65000", "RAY_grpc_client_keepalive_timeout_ms": "25000"}
"""After 65 s of silence a machine that plays is asked whether it is there, and has 25 s to say so.

A cable that is cut ends no connection. Ray finds that out after seven minutes by itself, and refuses (in
``grpc_server.cc``) to be asked more than once a minute.
"""
AVOIDED = 30.0
"""Seconds for which a machine that lost a task gets no other, if there is another machine."""


class LostError(FaultError):
    """The worker or the machine that did a task is gone, and what it did with it."""


def connect(workers: int, address: str | None) -> tuple[Any, bool]:
    """Join a Ray cluster, or start one on this machine; one that this process has joined is used as it is.

    Args:
        workers: processors of a cluster that is started here.
        address: of a running cluster, None to start one.

    Returns:
        The module ``ray``, and whether it is for the caller to shut down.

    Raises:
        MissingExtraError: Ray is not installed.
        ConfigError: no cluster is found at the address.
    """
    if address is not None and "://" in address:
        raise ConfigError(
            f"address {address!r}: nothing is sent through Ray Client; start this on a machine of the cluster, and "
            "give its HOST:PORT, or auto"
        )
    for name, value in ({"RAY_USAGE_STATS_ENABLED": "0"} | SILENCE).items():
        os.environ.setdefault(name, value)
    if address is not None and _has_token():
        # Clusters that ray start made want the token then; those that want none take it, too.
        os.environ.setdefault("RAY_AUTH_MODE", "token")
    try:
        ray = importlib.import_module("ray")
    except ImportError as error:
        raise MissingExtraError("the backend ray", "ray") from error
    if ray.is_initialized():
        return ray, False
    if address not in (None, "auto"):
        _reach(str(address))
    size: dict[str, Any] = {"address": address}
    if address is None:
        # "local" is a new one even where this machine is in a cluster already.
        size = {"address": "local", "num_cpus": workers, "object_store_memory": STORE, "include_dashboard": False}
    # Ray puts the folder that its workers begin in before the standard library: files of a stranger's would run.
    with _handlers_kept(), tempfile.TemporaryDirectory() as empty:
        try:
            ray.init(log_to_driver=False, logging_level="error", runtime_env={"working_dir": empty}, **size)
        except Exception as error:  # Ray raises plain exceptions, too
            why = str(error).strip().partition("\n")[0]
            raise ConfigError(f"Ray cannot be used at {address or 'this machine'}: {why}") from error
    return ray, True


def _has_token() -> bool:
    """Whether Ray has a token for clusters on this machine; what it is only Ray looks at."""
    named = any(os.environ.get(name) for name in ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"))
    return named or (Path.home() / ".ray" / "auth_token").exists()


def _reach(address: str) -> None:
    """Refuse an address where nobody listens: Ray itself tries for minutes."""
    host, _, port = address.rpartition(":")
    if not (host and port.isdecimal()):
        raise ConfigError(f"address must be HOST:PORT or auto, got {address!r}")
    try:
        socket.create_connection((host, int(port)), REACH).close()
    except (OSError, OverflowError) as error:
        raise ConfigError(
            f"no Ray cluster answers at {address} ({error}); start one there: ray start --head --port {port}"
        ) from error


@contextlib.contextmanager
def _handlers_kept() -> Iterator[None]:
    """Ray has a handler of its own for SIGTERM, which ends the process without a word."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in usual.items():
            signal.signal(number, handler)


class Ray(concurrent.futures.Executor):
    """Tasks on a Ray cluster; a ``with`` block holds the connection, and one that an exception leaves ends the tasks.

    No more than ``workers`` tasks are with Ray at a time; what waits for them here can be cancelled.

    Args:
        workers: tasks at once, one processor each.
        address: of a running cluster, None to start one on this machine.
        opened: makes what a future gives of what a task returned; what it raises is the future's exception.
    """

    def __init__(
        self, workers: int, address: str | None = None, opened: Callable[[Any], Any] = lambda returned: returned
    ) -> None:
        self._workers, self._address, self._opened = workers, address, opened
        self._lock = threading.Lock()
        self._queue: collections.deque[tuple[concurrent.futures.Future[Any], tuple[Any, ...]]] = collections.deque()
        self._running: dict[concurrent.futures.Future[Any], Any] = {}
        self._nodes: dict[concurrent.futures.Future[Any], tuple[str, ...]] = {}
        self._given: collections.Counter[str] = collections.Counter()
        self._avoided: dict[str, float] = {}
        self._ray: Any = None
        self._ours = False

    @property
    def host(self) -> str:
        """The address of this machine, as the workers know it."""
        return LOCAL if self._ours and self._address is None else str(self._ray.util.get_node_ip_address())

    def __enter__(self) -> Ray:
        self._ray, self._ours = connect(self._workers, self._address)
        self._remote = self._ray.remote(num_cpus=1, max_retries=0)(_work)
        return self

    def submit(self, function: Callable[..., Any], /, *args: Any, **named: Any) -> concurrent.futures.Future[Any]:
        """Call a function of an installed module on a worker."""
        return self.submit_to((), function, *args, **named)

    def submit_to(
        self, nodes: tuple[str, ...], function: Callable[..., Any], /, *args: Any, **named: Any
    ) -> concurrent.futures.Future[Any]:
        """Call a function of an installed module on a worker of one of these machines; of any where none is named."""
        future: concurrent.futures.Future[Any] = concurrent.futures.Future()
        with self._lock:
            self._queue.append((future, (function, args, named)))
            self._nodes[future] = nodes
        self._feed()
        return future

    def nodes(self) -> list[str]:
        """The ids of the machines that have processors; one that was lost may still be among them."""
        return [node["NodeID"] for node in self._ray.nodes() if node["Alive"] and node["Resources"].get("CPU")]

    def ask_nodes(self, nodes: Iterable[str], function: Callable[..., Any], /, *args: Any) -> dict[str, Any]:
        """Call a function on each of some machines; those that do not answer within ``ANSWER`` are left out."""
        tasks = {node: self._on(node, num_cpus=0).remote(function, args, {}) for node in nodes}
        if not tasks:
            return {}
        self._ray.wait(list(tasks.values()), num_returns=len(tasks), timeout=ANSWER)
        answers = {}
        for node, task in tasks.items():
            with contextlib.suppress(self._ray.exceptions.RayError):
                answers[node] = self._ray.get(task, timeout=0)
        return answers

    def _on(self, node: str, **options: Any) -> Any:
        """The task on a machine, and nowhere else."""
        affinity = self._ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(node, soft=False)
        return self._remote.options(scheduling_strategy=affinity, **options)

    def _choose(self, nodes: tuple[str, ...]) -> str:
        """The machine that has the least to do, one that was lost only where there is no other."""
        now = time.monotonic()
        return min(nodes, key=lambda node: (self._avoided.get(node, 0.0) > now, self._given[node]))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Let tasks end, or with ``cancel_futures`` end them; then leave the cluster, which goes if it is ours."""
        with self._lock:
            waiting = [future for future, _ in self._queue]
            running = dict(self._running)
        if cancel_futures:
            for future in waiting:
                future.cancel()
            for task in running.values():
                self._ray.cancel(task, force=True)
        elif wait:
            concurrent.futures.wait([*waiting, *running])
        if self._ours:
            self._ours = False
            self._ray.shutdown()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown(cancel_futures=error is not None)

    def _feed(self) -> None:
        """Give Ray what there is room for."""
        begun = []
        with self._lock:
            while self._queue and len(self._running) < self._workers:
                future, call = self._queue.popleft()
                nodes = self._nodes.pop(future)
                if future.set_running_or_notify_cancel():
                    node = self._choose(nodes) if nodes else ""
                    self._given[node] += 1
                    self._running[future] = (self._on(node) if node else self._remote).remote(*call)
                    begun.append((future, node, self._running[future]))
        for future, node, task in begun:
            task.future().add_done_callback(functools.partial(self._ended, future, node))

    def _ended(self, future: concurrent.futures.Future[Any], node: str, task: concurrent.futures.Future[Any]) -> None:
        with self._lock:
            self._running.pop(future, None)
            self._given[node] -= 1
        try:
            error = task.exception()
            if error is not None:
                meaning = self._meaning(error)
                if isinstance(meaning, LostError):
                    self._avoided[node] = time.monotonic() + AVOIDED
                raise meaning
            result = self._opened(task.result())
        except BaseException as raised:  # for who asked
            future.set_exception(raised)
        else:
            future.set_result(result)
        self._feed()

    def _meaning(self, error: BaseException) -> BaseException:
        """What went wrong, in words of ours where it is not the task's own exception."""
        errors = self._ray.exceptions
        if isinstance(error, errors.RayTaskError):
            cause = getattr(error, "cause", error)
            if isinstance(cause, ImportError):
                return ConfigError(f"a worker cannot import what it needs: {cause}; install the same there as here")
            return cause if isinstance(cause, BaseException) else error
        if isinstance(error, errors.RuntimeEnvSetupError):
            return ConfigError(f"a worker cannot be set up: {error}")
        if isinstance(error, errors.RayError):
            why = str(error).strip().partition("\n")[0]
            return LostError(f"the worker or its machine was lost ({type(error).__name__}: {why})")
        return error


def _work(function: Callable[..., Any], args: tuple[Any, ...], named: dict[str, Any]) -> Any:
    return function(*args, **named)
