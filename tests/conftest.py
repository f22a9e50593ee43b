"""What holds for all tests: properties have no deadline; in continuous integration a skipped test is a failure."""

from __future__ import annotations

import math
import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest
from hypothesis import HealthCheck, settings

from interactive_envs.system import own_modules

pytest_plugins = ["tests.browsing", "tests.scripted"]

CI = os.environ.get("IBENCH_NO_SKIPS") == "1"

# Developers' runs try new examples of every property; in continuous integration a commit always has the same verdict.
settings.register_profile(
    "untimed",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=CI,
    max_examples=30 if CI else 100,
)
settings.load_profile("untimed")


TRACED_SECONDS = 0.2
"""CPU time for which a test, with all its cases, is traced for coverage: tracing doubles its time, and what it runs
later are mostly lines that it ran before."""


@pytest.hookimpl(tryfirst=True)  # before pytest leaves out what -m does not select
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave most cases of ``every(n)`` to ``make test-all``."""
    seen: Counter[str] = Counter()
    for item in items:
        test = _test(item)
        sampled = item.get_closest_marker("every")
        if sampled and seen[test] % sampled.args[0]:
            item.add_marker(pytest.mark.long)
        seen[test] += 1


def _test(item: pytest.Item) -> str:
    """The name of a test without its case."""
    return item.nodeid.partition("[")[0]


class _Traced:
    """Stops tracing a test for coverage after a while.

    A thread looks at the clock: while a timer of the kernel runs on CPU time, the process's CPU clock is coarse.
    """

    def __init__(self, controller: Any) -> None:
        self._controller = controller
        self._spent: Counter[str] = Counter()
        self._tracer: Any = None
        self._end = math.inf
        # A worker is begun as a run without workers first, whose tracing would go on whenever the worker's pauses.
        controller.pause()
        outer = coverage.Coverage.current()
        if outer is not None:
            outer.stop()
        controller.resume()
        signal.signal(signal.SIGVTALRM, self._pause)
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        main = threading.main_thread().ident
        while main is not None:
            time.sleep(TRACED_SECONDS / 10)
            if time.process_time() > self._end:
                self._end = math.inf
                signal.pthread_kill(main, signal.SIGVTALRM)

    def _pause(self, *_: Any) -> None:
        if sys.gettrace() is self._tracer:
            self._controller.pause()
        else:  # a test traces something itself: it would lose its tracer
            self._end = 0.0

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        test, begun = _test(item), time.process_time()
        if self._spent[test] >= TRACED_SECONDS:
            self._controller.pause()
        else:
            self._tracer = sys.gettrace()
            self._end = begun + TRACED_SECONDS - self._spent[test]
        try:
            return (yield)
        finally:
            self._end = math.inf
            self._spent[test] += time.process_time() - begun
            if not self._controller.started:
                self._controller.resume()


@pytest.hookimpl(trylast=True)  # a worker's tracing is begun by the same hook
def pytest_sessionstart(session: pytest.Session) -> None:
    """Watch over the tracing, where there is any."""
    controller = getattr(session.config.pluginmanager.getplugin("_cov"), "cov_controller", None)
    if controller is not None:
        session.config.pluginmanager.register(_Traced(controller))


@pytest.fixture(autouse=True)
def _specs_may_name_modules() -> None:
    """Whatever command the test before called: those that read a stranger's folder forbid it for their process."""
    own_modules.search(Path.cwd())


def pytest_sessionfinish(session: pytest.Session) -> None:
    """With ``IBENCH_NO_SKIPS=1``, fail the session if any test was skipped."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped and CI:
        reporter.write_line(f"IBENCH_NO_SKIPS=1: {len(skipped)} tests were skipped", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
