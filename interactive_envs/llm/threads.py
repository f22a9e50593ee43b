"""Work in threads of its own: whoever waits for it can leave at any moment, whatever holds it up."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, InvalidStateError
from typing import Any, TypeVar

T = TypeVar("T")

MOST_LEFT = 256
"""Pieces of work still under way that nobody waits for any more: with so many, no further one begins."""
KEPT = 1.0
"""Seconds that a thread without work waits for the next piece."""


class LateError(Exception):
    """The work takes longer than it may."""


class ClosedError(Exception):
    """The threads were closed before the work was done."""


class CallThreads:
    """Threads that end with the process and never hold it up, one for each piece of work that is under way."""

    def __init__(self) -> None:
        self._work: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._waited: set[Future[Any]] = set()
        self._free = 0  # idle threads, less the pieces that wait in the queue
        self._left = 0
        self._closed = False

    def run(self, work: Callable[[], T], seconds: float, cut: Callable[[], None] = lambda: None) -> T:
        """What the work returns or raises.

        Args:
            work: what may hang.
            seconds: how long it may take.
            cut: called when nobody waits any more, to make the work fail soon; its thread lasts as long as it does.

        Raises:
            LateError: it takes longer, or too many pieces that did so are still under way.
            ClosedError: the threads are closed, or were meanwhile.
        """
        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                raise ClosedError
            if self._left >= MOST_LEFT:
                raise LateError(f"{self._left} earlier calls still hang")
            self._waited.add(future)
            self._free -= 1
            if self._free < 0:
                self._free = 0
                threading.Thread(target=self._serve, name="ibench-call", daemon=True).start()
        self._work.put((future, work))
        try:
            return future.result(seconds)
        except CancelledError:
            raise ClosedError from None
        except TimeoutError:
            if future.done():  # the work's own
                raise
            raise LateError(f"no reply within {round(seconds, 1):g} s") from None
        finally:
            with self._lock:
                self._waited.discard(future)
                left = future.cancel()
                self._left += left
            if left:
                cut()

    def close(self) -> None:
        """Let nobody wait any longer, now or later."""
        with self._lock:
            self._closed = True
            waited = list(self._waited)
        for future in waited:
            future.cancel()

    def _serve(self) -> None:
        while True:
            try:
                future, work = self._work.get(timeout=KEPT)
            except queue.Empty:
                with self._lock:
                    if self._free:
                        self._free -= 1
                        return
                continue  # a piece is on its way
            with contextlib.suppress(InvalidStateError):  # nobody waits any more
                try:
                    if not future.cancelled():
                        future.set_result(work())
                except InvalidStateError:
                    raise
                except BaseException as error:  # for whoever waits
                    future.set_exception(error)
            with self._lock:
                self._left -= future.cancelled()
                self._free += 1
            del future, work
