"""Completed model calls kept in SQLite, so that a repeated or resumed run pays for no call twice."""

from __future__ import annotations

import contextlib
import dataclasses
import hashlib
import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn, Protocol

from interactive_envs.errors import ConfigError
from interactive_envs.llm.base import CompletionRequest
from interactive_envs.llm.calls import ModelCall, Usage
from interactive_envs.llm.process import PerProcess
from interactive_envs.llm.retry import RetryingClient
from interactive_envs.system.files import make_private_folder, open_private

VERSION = 1
"""Part of every key: raise it when what is stored, or how a call is made, changes."""


def default_path() -> Path:
    """``$IBENCH_CACHE``, else ``~/.cache/ibench/calls.sqlite``."""
    return Path(os.environ.get("IBENCH_CACHE") or Path.home() / ".cache" / "ibench" / "calls.sqlite")


def request_key(model: str, base: str, request: CompletionRequest) -> str:
    """The key of a call: a hash of everything that decides its reply, and of nothing secret."""
    constraint = dataclasses.asdict(request.constraint) if request.constraint else None
    parts = [VERSION, model, base, request.messages, request.parameters, constraint, request.salt]
    text = json.dumps(parts, sort_keys=True, separators=(",", ":"), default=_plain)
    return hashlib.sha256(text.encode()).hexdigest()


class Cache(Protocol):
    """Where completed calls are kept."""

    def get(self, key: str) -> ModelCall | None:
        """The stored call without its messages, marked ``from_cache``; None where there is none."""

    def put(self, key: str, call: ModelCall) -> None:
        """Store a completed call; one that is stored already stays."""

    def close(self) -> None:
        """Give back what it holds; it may be used again."""


_shared: Cache | None = None


def share(cache: Cache | None) -> None:
    """Let clients that this process makes from now on keep their calls in this cache, None for a file of its own."""
    global _shared
    _shared = cache


def usual() -> Cache:
    """The cache of a new client."""
    return _shared or CallCache()


def stored(call: ModelCall) -> dict[str, Any]:
    """A call as JSON, without its messages."""
    return dataclasses.asdict(dataclasses.replace(call, messages=()))


def restored(content: Mapping[str, Any]) -> ModelCall:
    """The call that :func:`stored` made JSON of, marked ``from_cache``."""
    given = {"usage": Usage(**content["usage"]), "refused_parameters": tuple(content["refused_parameters"])}
    return ModelCall(**{**content, **given, "messages": (), "latency": 0.0, "from_cache": True})


class CallCache:
    """A file of completed calls, safe among threads and processes.

    Args:
        path: the file, :func:`default_path` where None.
    """

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or default_path()
        self._connection = PerProcess(self._open, lambda held: held[1].close())

    def get(self, key: str) -> ModelCall | None:
        """The stored call without its messages, marked ``from_cache``; None where there is none.

        Raises:
            ConfigError: the file is damaged or cannot be read.
        """
        try:
            lock, connection = self._connection.get()
            with lock:
                row = connection.execute("SELECT value FROM calls WHERE key = ?", (key,)).fetchone()
            return None if row is None else restored(json.loads(row[0]))
        except (sqlite3.Error, OSError, ConfigError, ValueError, TypeError, KeyError) as error:
            self._unusable(error)

    def put(self, key: str, call: ModelCall) -> None:
        """Store a completed call; one that is stored already stays.

        Raises:
            ConfigError: the file is damaged or cannot be written.
        """
        try:
            lock, connection = self._connection.get()
            with lock:
                connection.execute("INSERT OR IGNORE INTO calls VALUES (?, ?)", (key, json.dumps(stored(call))))
        except (sqlite3.Error, OSError, ConfigError) as error:
            self._unusable(error)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def _open(self) -> tuple[threading.Lock, sqlite3.Connection]:
        make_private_folder(self.path.parent)
        # The path may be a link of its owner's. SQLite gives the files beside it the same mode.
        open_private(self.path.resolve(), "ab").close()
        connection = sqlite3.connect(self.path, timeout=60.0, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("CREATE TABLE IF NOT EXISTS calls (key TEXT PRIMARY KEY, value TEXT NOT NULL)")
        except sqlite3.Error:
            connection.close()
            raise
        return threading.Lock(), connection

    def _unusable(self, error: Exception) -> NoReturn:
        raise ConfigError(
            f"the cache of model calls {self.path} cannot be used ({error}); delete it, "
            "set IBENCH_CACHE to another file, or turn it off with cache=false"
        ) from error


class CachedClient:
    """A model client that asks once: what the cache holds is not asked again. Faults are never stored.

    Args:
        client: the client to ask.
        cache: where completed calls are kept.
    """

    def __init__(self, client: RetryingClient, cache: Cache) -> None:
        self.model = client.model
        self._client = client
        self._cache = cache
        self._asking = PerProcess(_Asking)

    def __repr__(self) -> str:
        return f"CachedClient({self._client!r})"

    @property
    def priced(self) -> bool:
        """Whether the cost of a call is known."""
        return self._client.priced

    def complete(self, request: CompletionRequest) -> ModelCall:
        """Complete one dialogue, from the cache where it is there."""
        key = request_key(self.model, self._client.base, request)
        with self._asking.get().turn(key):
            call = self._cache.get(key)
            if call is not None:
                return dataclasses.replace(call, messages=tuple(request.messages))
            call = self._client.complete(request)
            self._cache.put(key, call)
            return call

    def close(self) -> None:
        """Close connections and file."""
        self._client.close()
        self._cache.close()


class _Asking:
    """Lets threads that ask the same thing at the same time take turns, so that one asks for all."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._turns: dict[str, tuple[threading.Lock, int]] = {}

    @contextlib.contextmanager
    def turn(self, key: str) -> Iterator[None]:
        with self._lock:
            lock, waiting = self._turns.get(key, (threading.Lock(), 0))
            self._turns[key] = (lock, waiting + 1)
        try:
            with lock:
                yield
        finally:
            with self._lock:
                lock, waiting = self._turns.pop(key)
                if waiting > 1:
                    self._turns[key] = (lock, waiting - 1)


def _plain(value: Any) -> Any:
    """Numbers of numpy and read-only mappings as JSON."""
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"a request holds a {type(value).__name__}, which is no JSON value")
