"""Loggers by name, ``NAME`` or ``NAME:TARGET``: none of them can stop, slow or change what it logs."""

from __future__ import annotations

import contextlib
import functools
import math
import queue
import re
import sys
import threading
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from interactive_envs.errors import UnknownNameError
from interactive_envs.llm.retry import safe_text
from interactive_envs.reporting.loggers import adapters

PATIENCE = 30.0
"""Seconds that the end of a run waits for its loggers; a service that is down does not hold it up any longer."""
HURRY = 1.0
"""The same after Ctrl-C or SIGTERM: with the grace of what is under way (``workers.GRACE``) a run ends within 10 s."""

ADAPTERS: dict[str, Callable[[str, Path], Logger]] = {
    "mlflow": adapters.MLflow,
    "tensorboard": adapters.TensorBoard,
    "wandb": adapters.WandB,
}
"""The loggers by name. Each is made of its target and the folder of what is logged."""


class Logger(Protocol):
    """One place that numbers go to. It may raise whatever it likes."""

    def start(self, name: str, config: Mapping[str, Any]) -> None:
        """Begin.

        Args:
            name: what people call the run.
            config: JSON values.
        """

    def scalars(self, step: int, values: Mapping[str, float]) -> None:
        """Take finite numbers by name; names hold letters, digits and ``_.-/``."""

    def finish(self) -> None:
        """Send what is left."""

    def abandon(self) -> None:
        """Let the process end without it; called in a thread of its own, perhaps while another call hangs."""


class Loggers:
    """Several loggers as one, each in a thread of its own.

    One that fails is reported once and left out from then on. Keys are removed from all that is logged.

    Args:
        specs: ``NAME`` or ``NAME:TARGET``, see :data:`ADAPTERS`.
        folder: of the run or training that is logged.
        warn: called with a line for each logger that failed, in the caller's thread.

    Raises:
        UnknownNameError: there is no such logger.
        MissingExtraError: its package is not installed.
        ConfigError: it has no credentials.
    """

    def __init__(self, specs: Sequence[str], folder: Path, warn: Callable[[str], None] | None = None) -> None:
        self._name = folder.resolve().name
        self._warn = warn or functools.partial(warnings.warn, stacklevel=2)
        self._threads = [_Thread(name, _make(name, target, folder)) for name, target in map(_parts, specs)]

    def __bool__(self) -> bool:
        return bool(self._threads)

    def start(self, config: Mapping[str, Any]) -> None:
        """Begin; the run has the name of its folder."""
        clean = _without_keys(config)
        for thread in self._threads:
            thread.put(lambda logger: logger.start(self._name, clean))
            thread.start()

    def scalars(self, step: int, values: Mapping[str, float]) -> None:
        """Log numbers; what is no finite number is left out."""
        finite = {name: float(value) for name, value in values.items() if math.isfinite(value)}
        for thread in self._threads:
            thread.put(lambda logger: logger.scalars(step, finite))
        self._report()

    def finish(self) -> None:
        """Wait until everything is logged, :data:`PATIENCE` seconds at most; :data:`HURRY` where a signal stops us."""
        patience = HURRY if isinstance(sys.exception(), KeyboardInterrupt) else PATIENCE
        end = time.monotonic() + patience
        for thread in self._threads:
            thread.put(lambda logger: logger.finish())
            thread.put(None)
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
            if thread.is_alive():
                thread.error = TimeoutError(f"it did not take everything within {patience:g} s")
        self._report()

    def _report(self) -> None:
        for thread in [thread for thread in self._threads if thread.error]:
            self._threads.remove(thread)
            thread.abandon()
            self._warn(f"{thread.name} logs no more, all else goes on: {_line(thread.error)}")


class _Thread(threading.Thread):
    """Hands one logger what it is to log; after an error, nothing more."""

    def __init__(self, name: str, logger: Logger) -> None:
        super().__init__(name=name, daemon=True)  # the process does not wait for a service that is down
        self._logger = logger
        self._waiting: queue.SimpleQueue[Callable[[Logger], None] | None] = queue.SimpleQueue()
        self.error: Exception | None = None
        """Why the logger was given up."""

    def put(self, call: Callable[[Logger], None] | None) -> None:
        """Let the logger do this when it is through with what was put before; None ends the thread."""
        self._waiting.put(call)

    def abandon(self) -> None:
        """Give the logger up: nothing waits for it, not even the end of the process."""

        def abandon() -> None:
            with contextlib.suppress(Exception):  # whatever a service and its client may raise
                self._logger.abandon()

        threading.Thread(target=abandon, name=f"{self.name}-abandoned", daemon=True).start()

    def run(self) -> None:
        try:
            while call := self._waiting.get():
                call(self._logger)
        except Exception as error:  # whatever a service and its client may raise
            self.error = error


def slug(text: str) -> str:
    """A part of a number's name: what the services do not take is replaced.

    >>> slug("llm:openai/gpt-5-mini?temperature=0")
    'llm_openai_gpt-5-mini_temperature_0'
    """
    return re.sub(r"[^\w.-]+", "_", safe_text(text)).strip(".") or "_"


def _parts(spec: str) -> tuple[str, str]:
    name, _, target = spec.partition(":")
    return name, target


def _make(name: str, target: str, folder: Path) -> Logger:
    if name not in ADAPTERS:
        raise UnknownNameError("logger", name, ADAPTERS)
    return ADAPTERS[name](target, folder)


def _line(error: Exception | None) -> str:
    """An error in one line, without keys or the user's part of addresses."""
    return safe_text(re.sub(r"//[^/@\s]*@", "//", f"{type(error).__name__}: {error}"))


def _without_keys(value: Any) -> Any:
    """A JSON value whose texts hold no keys; long ones are cut."""
    if isinstance(value, Mapping):
        return {safe_text(str(name)): _without_keys(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_without_keys(entry) for entry in value]
    return safe_text(value) if isinstance(value, str) else value
