"""Processes and threads that work for this one: they end with it, however it ends, and a signal ends it in order."""

from __future__ import annotations

import concurrent.futures
import concurrent.futures.process
import contextlib
import functools
import math
import multiprocessing
import os
import queue
import signal
import threading
import time
import weakref
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, TypeVar

from interactive_envs.errors import ConfigError
from interactive_envs.system.terminal import guard

LOOK = 1.0
"""Seconds between two looks at the parent."""
GRACE = 5.0
"""Seconds that work under way has to end once a signal asks to stop."""

ResultT = TypeVar("ResultT")


def _silent(_: str) -> None:
    """What a library says."""


on_stop: Callable[[str], None] = _silent
"""Called by a signal's handler with what happens now; the command line prints it."""


class TerminatedError(KeyboardInterrupt):
    """SIGTERM asked this process to stop; apart from the exit status, 143, it is as Ctrl-C."""


def end_with(parent: int) -> None:
    """End this process soon after its parent.

    The kernel's own signal (PR_SET_PDEATHSIG) comes already when the parent's thread ends that started this process.

    Args:
        parent: the parent's id, as the parent knows it: it may be gone already.
    """

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOK)
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="parent").start()


_open: weakref.WeakSet[Processes] = weakref.WeakSet()


def abandon_all() -> None:
    """End the workers of all :class:`Processes`, such as those that another thread waits for."""
    for one in list(_open):
        one.abandon()


class Processes(concurrent.futures.ProcessPoolExecutor):
    """Worker processes, each with an interpreter of its own, that end with this process.

    A signal from the terminal reaches this process alone, which decides what becomes of the work. A ``with`` block
    that an exception leaves ends the workers, whatever they do; if one died, it raises ConfigError.

    Args:
        workers: how many.
    """

    def __init__(self, workers: int) -> None:
        super().__init__(workers, multiprocessing.get_context("spawn"), _begin, (os.getpid(),))
        _open.add(self)

    def abandon(self) -> None:
        """End the workers; what they do is lost."""
        for process in list((self._processes or {}).values()):
            process.kill()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self.abandon()
        self.shutdown(wait=True, cancel_futures=error is not None)
        if isinstance(error, concurrent.futures.process.BrokenProcessPool):
            raise ConfigError(
                "a worker process died, perhaps for want of memory; use fewer workers, and resume"
            ) from error


def _begin(parent: int) -> None:
    os.setsid()
    guard()
    end_with(parent)


class Threads(concurrent.futures.Executor):
    """Threads that do not hold up the end of the process, which those of the standard library do.

    A ``with`` block that an exception leaves does not wait for what they do.

    Args:
        workers: how many.
        name: what their names begin with.
    """

    def __init__(self, workers: int, name: str) -> None:
        self._work: queue.SimpleQueue[tuple[concurrent.futures.Future[Any], Callable[[], Any]] | None]
        self._work = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._serve, daemon=True, name=f"{name}_{number}") for number in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    def submit(
        self, function: Callable[..., ResultT], /, *args: Any, **named: Any
    ) -> concurrent.futures.Future[ResultT]:
        """Call a function in one of the threads."""
        future: concurrent.futures.Future[ResultT] = concurrent.futures.Future()
        self._work.put((future, functools.partial(function, *args, **named)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the threads when the work is done, or with ``cancel_futures`` when that is done which has begun."""
        while cancel_futures and not self._work.empty():
            with contextlib.suppress(queue.Empty):
                work = self._work.get_nowait()
                if work is not None:
                    work[0].cancel()
        for _ in self._threads:
            self._work.put(None)
        for thread in self._threads if wait else ():
            thread.join()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown(wait=error is None, cancel_futures=error is not None)

    def _serve(self) -> None:
        while (work := self._work.get()) is not None:
            future, call = work
            if future.set_running_or_notify_cancel():
                try:
                    result = call()
                except BaseException as error:  # an interrupt too is for who asked
                    future.set_exception(error)
                else:
                    future.set_result(result)
            del work, future, call  # an idle thread keeps nothing alive


class Stopping:
    """While it is open, Ctrl-C and SIGTERM are noted, and raised where it is safe: nothing is left half written.

    A second signal is raised at once. Whoever has handlers of their own keeps them, and so do threads other than the
    main one, which get no signals.
    """

    def __init__(self) -> None:
        self._asked: type[KeyboardInterrupt] | None = None
        self._usual: dict[int, Any] = {}
        self.deadline = math.inf
        """Until when (time.monotonic) work under way may go on."""

    def __enter__(self) -> Stopping:
        if threading.current_thread() is threading.main_thread():
            for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
                if signal.getsignal(number) == usual:
                    self._usual[number] = signal.signal(number, self._note)
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        for number, usual in self._usual.items():
            signal.signal(number, usual)
        if kind is None:
            self.check()  # what came after the last look is not lost

    def check(self) -> None:
        """Raise what was noted.

        Raises:
            KeyboardInterrupt: Ctrl-C.
            TerminatedError: SIGTERM.
        """
        if self._asked is not None:
            raise self._asked

    def _note(self, number: int, _: FrameType | None) -> None:
        again, self._asked = self._asked, TerminatedError if number == signal.SIGTERM else KeyboardInterrupt
        if again:
            self.check()
        self.deadline = time.monotonic() + GRACE
        on_stop(f"Stopping: what is under way has {GRACE:g} s to end. Ctrl-C again stops at once.")
