"""Resources that belong to one process: a forked child builds its own and never touches its parent's."""

from __future__ import annotations

import ctypes
import os
import threading
import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

_live: weakref.WeakSet[PerProcess[object]] = weakref.WeakSet()


class PerProcess(Generic[T]):
    """A lazily built value, one per process.

    Args:
        build: makes the value, called once per process.
        dispose: gives it back in :meth:`close`.
    """

    def __init__(self, build: Callable[[], T], dispose: Callable[[T], None] = lambda _: None) -> None:
        self._build = build
        self._dispose = dispose
        self.lock = threading.Lock()
        self.value: T | None = None
        _live.add(self)  # type: ignore[arg-type]

    def get(self) -> T:
        """The value of this process."""
        value = self.value
        if value is not None:
            return value
        with self.lock:
            if self.value is None:
                self.value = self._build()
            return self.value

    def close(self) -> None:
        """Dispose of the value; the next :meth:`get` builds a fresh one."""
        with self.lock:
            value, self.value = self.value, None
        if value is not None:
            self._dispose(value)

    def abandon(self) -> None:
        """Forget the parent's value in a child, without running its destructor.

        Sockets and database locks are the parent's, and a server whose threads did not survive the fork
        aborts the process when it is destroyed: so the reference is leaked on purpose.
        """
        if self.value is not None:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self.value))
        self.value = None
        self.lock = threading.Lock()


def _abandon_all() -> None:
    for resource in list(_live):
        resource.abandon()


os.register_at_fork(after_in_child=_abandon_all)
